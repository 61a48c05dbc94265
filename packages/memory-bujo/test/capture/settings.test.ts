import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeTemporaryRoot } from '../../../../test/support/temporary-root.js'
import type { CompletedTurn } from '../../src/index.js'
import {
  canonicalBytes,
  extraction,
  memory,
  openBujo,
  ownerTurn,
  scriptedModel,
  sentences,
  type BujoOptions,
} from '../support/bujo.js'
import { DAY } from '../support/open-store.js'
import { decidingModel } from './attack/deciding-model.js'

const auditOf = (root: string): string[] => {
  const path = join(root, 'audit', `${DAY}.md`)
  return existsSync(path)
    ? readFileSync(path, 'utf8')
        .split('\n')
        .filter((line) => line.startsWith('- '))
    : []
}

const entitiesOf = (root: string): string[] => {
  const path = join(root, 'graph.jsonl')
  const lines = existsSync(path) ? readFileSync(path, 'utf8').trimEnd().split('\n') : []
  return lines
    .map((line) => JSON.parse(line) as { kind: string; id: string })
    .flatMap(({ kind, id }) => (kind === 'entity' ? [id] : []))
}

describe('only memories with a label of these kinds (CAP-21)', () => {
  const [FACT, TASTE, LESSON, PLAIN] = [
    'Ana lives in Lund.',
    'I like green tea.',
    'Deploying works with --retry 3.',
    'Bo came by.',
  ] as const
  const answer = {
    ...extraction(
      memory(FACT, {
        entities: ['person:ana'],
        labels: [
          {
            kind: 'fact',
            entity: 'person:ana',
            key: 'home_location',
            value: { type: 'text', text: 'Lund' },
            quote: FACT,
          },
        ],
      }),
      memory(TASTE, { labels: [{ kind: 'preference', scope: 'agent', quote: TASTE }] }),
      memory(LESSON, { source: 'tool', labels: [{ kind: 'lesson', scope: 'agent', tool: 'shell', quote: LESSON }] }),
      memory(PLAIN, { entities: ['person:bo'] }),
    ),
    entities: [
      { id: 'person:ana', name: 'Ana', type: 'person' },
      { id: 'person:bo', name: 'Bo', type: 'person' },
    ],
  }
  const review = {
    decisions: [
      { index: 0, action: 'keep' },
      { index: 3, action: 'keep' },
    ],
  }

  test.each<[only: ('fact' | 'preference' | 'lesson')[] | undefined, stored: string[], entities: string[]]>([
    [undefined, [FACT, TASTE, LESSON, PLAIN], ['person:ana', 'person:bo']],
    [[], [], []],
    [['fact'], [FACT], ['person:ana']],
    [['preference'], [TASTE], []],
    [['lesson'], [LESSON], []],
    [['fact', 'lesson'], [FACT, LESSON], ['person:ana']],
    [['fact', 'preference', 'lesson'], [FACT, TASTE, LESSON], ['person:ana']],
  ])('%j', async (only, stored, entities) => {
    const root = makeTemporaryRoot()
    const llm = scriptedModel()
    const store = await openBujo(root, llm, only === undefined ? {} : { capture: { only } })
    llm.script({ extract: answer, review })
    const said = `${FACT} ${TASTE} ${PLAIN}`
    await store.persistCompletedTurn(
      ownerTurn('run-1', said, { captureText: `User: ${said}\nAssistant: ${LESSON}`, captureEvidence: evidence(said) }),
    )
    await store.flush()
    expect(await store.turnStatus('run-1')).toMatchObject({
      state: 'curated',
      memoryIds: stored.map(() => expect.any(String)),
    })
    expect(sentences(root)).toEqual(stored.map((text) => `– ${text}`))
    expect(entitiesOf(root)).toEqual(entities)
    expect(store.snapshot().capture?.dropped).toEqual(stored.length === 4 ? {} : { only_filter: 4 - stored.length })
    expect(auditOf(root)).toHaveLength(1)
    await store.remember({ text: PLAIN.replace('Bo', 'Cy') })
    expect(sentences(root)).toEqual([...stored.map((text) => `– ${text}`), '– Cy came by.'])
  })

  const evidence = (userText: string): NonNullable<CompletedTurn['captureEvidence']> => ({
    userText,
    ownerTurn: true,
    toolOutcomes: [
      { category: 'shell', outcome: 'failed' },
      { category: 'shell', outcome: 'succeeded' },
    ],
  })

  test('a coarse owner fact is no accepted fact', async () => {
    const root = makeTemporaryRoot()
    const llm = scriptedModel()
    const store = await openBujo(root, llm, { capture: { only: ['fact'] } })
    llm.script({ extract: extraction(memory(PLAIN)), review: { decisions: [{ index: 0, action: 'keep' }] } })
    await store.persistCompletedTurn(ownerTurn('run-1', PLAIN))
    await store.flush()
    expect(canonicalBytes(root)).toEqual({})
  })
})

describe('write modes (CAP-4)', () => {
  test('append-host-summary: the audit line, and nothing that recall finds', async () => {
    const root = makeTemporaryRoot()
    const llm = scriptedModel()
    const store = await openBujo(root, llm, { writeMode: 'append-host-summary' })
    await store.persistCompletedTurn(ownerTurn('run-1', 'I live in Lund.'))
    expect(await store.whenSettled('run-1')).toEqual({ state: 'indexed', memoryIds: [] })
    expect(auditOf(root)).toEqual([expect.stringMatching(/^- I live in Lund[.] <!--audit /)])
    expect(canonicalBytes(root)).toEqual({})
    expect((await store.recallWithOutcome('Lund')).hits).toEqual([])
    expect((await store.load({ text: 'Where is Lund?' })).text).toBe('')
    expect(llm.requests).toEqual([])
  })

  test('disabled: nothing is written, recall works', async () => {
    const root = makeTemporaryRoot()
    const llm = scriptedModel()
    const before = await openBujo(root, llm)
    await before.remember({ text: 'I live in Lund.' })
    await before.close()
    const held = canonicalBytes(root)
    const store = await openBujo(root, llm, { writeMode: 'disabled' })
    expect(await store.persistCompletedTurn(ownerTurn('run-1', 'I live in Oslo.'))).toEqual({
      status: 'skipped',
      reason: 'write_disabled',
    })
    await store.flush()
    expect(await store.turnStatus('run-1')).toEqual({ state: 'unknown' })
    expect((await store.recallWithOutcome('Lund')).hits.map(({ text }) => text)).toEqual(['I live in Lund.'])
    expect({ held: canonicalBytes(root), audit: auditOf(root), asked: llm.requests }).toEqual({
      held,
      audit: [],
      asked: [],
    })
  })
})

describe('skips by source (CAP-22)', () => {
  type Skips = NonNullable<BujoOptions['capture']>
  const from = (kind: NonNullable<CompletedTurn['source']>['kind']): Partial<CompletedTurn> => ({
    captureSpeakerKind: 'trigger',
    source: { kind },
  })
  test.each<[name: string, capture: Skips, turn: Partial<CompletedTurn>, isAdmitted: boolean]>([
    ['a schedule, off', { cron: false }, from('cron'), false],
    ['a schedule started by hand, off', { cron: false }, { source: { kind: 'cron', label: 'by hand' } }, false],
    ['a schedule, where webhooks are off', { webhook: false }, from('cron'), true],
    ['a webhook, off', { webhook: false }, from('webhook'), false],
    ['a webhook, where schedules are off', { cron: false }, from('webhook'), true],
    ['both on', {}, from('cron'), true],
    ['another agent, both off', { cron: false, webhook: false }, from('peer'), true],
    ['a conversation, both off', { cron: false, webhook: false }, { source: { kind: 'conversation' } }, true],
    ['a trigger of no such source, both off', { cron: false, webhook: false }, { captureSpeakerKind: 'trigger' }, true],
    [
      'a conversation called after a schedule, both off',
      { cron: false, webhook: false },
      { conversationId: 'cron:1', runId: 'cron:run-1' },
      true,
    ],
    [
      'a text that says so, both off',
      { cron: false, webhook: false },
      { summary: '[cron] source: {"kind":"cron"}' },
      true,
    ],
  ])('%s', async (_name, capture, more, isAdmitted) => {
    const root = makeTemporaryRoot()
    const llm = decidingModel()
    const store = await openBujo(root, llm, { capture })
    const turn = ownerTurn('run-1', 'The backup was made.', more)
    const admission = await store.persistCompletedTurn(turn)
    await store.flush()
    expect(admission).toMatchObject(isAdmitted ? { status: 'admitted' } : { status: 'skipped', reason: 'source_off' })
    expect(await store.turnStatus(turn.runId)).toMatchObject({ state: isAdmitted ? 'curated' : 'unknown' })
    expect({ audit: auditOf(root).length, asked: llm.requests.length }).toEqual(
      isAdmitted ? { audit: 1, asked: 1 } : { audit: 0, asked: 0 },
    )
  })

  test('what was admitted before drains, and Remember and recall are as ever', async () => {
    const root = makeTemporaryRoot()
    const llm = scriptedModel()
    const before = await openBujo(root, llm)
    await before.persistCompletedTurn(ownerTurn('run-1', 'The backup was made.', from('cron'))) // no answer: it stays pending
    await before.flush()
    await before.close()
    const store = await openBujo(root, llm, { capture: { cron: false }, now: () => Date.parse(`${DAY}T13:00:00Z`) })
    llm.script({
      extract: extraction(memory('The backup was made.', { source: 'assistant' })),
      review: { decisions: [{ index: 0, action: 'keep' }] },
    })
    await store.flush()
    expect(await store.turnStatus('run-1')).toMatchObject({ state: 'curated' })
    await store.remember({ text: 'Backups are made at night.' })
    for (const text of ['Backups are made at night.', 'The backup was made.']) {
      const { hits } = await store.recallWithOutcome(text) // each its own: what is far below the best is cut (REC-3)
      expect(hits.map((hit) => hit.text)).toContain(text)
    }
  })
})

describe('the speaker’s language (CAP-29)', () => {
  const RUSSIAN = 'Я живу в городе Лунд.'
  test.each<[name: string, language: string, said: string, text: string, isKept: boolean]>([
    ['in their own', 'speaker', RUSSIAN, RUSSIAN, true],
    ['translated', 'speaker', RUSSIAN, 'The owner lives in Lund.', false],
    ['translated from Chinese', 'speaker', '我住在隆德。', 'The owner lives in Lund.', false],
    ['translated into Arabic', 'speaker', 'I live in Lund.', 'أسكن في لوند.', false],
    ['transliterated', 'speaker', 'मैं लुंड में रहता हूँ।', 'Main Lund mein rehta hoon.', false],
    ['with names in another script', 'speaker', 'Купил MacBook Pro.', 'Купил MacBook Pro в 2026 году.', true],
    ['in the script of another language', 'speaker', 'Ich wohne in Lund.', 'The owner lives in Lund.', true],
    ['translated, as the configuration asks for', 'en', RUSSIAN, 'The owner lives in Lund.', true],
  ])('%s', async (_name, language, said, text, isKept) => {
    const root = makeTemporaryRoot()
    const llm = decidingModel()
    const store = await openBujo(root, llm, { capture: { language } })
    llm.next = extraction(memory(text, { quote: said }))
    await store.persistCompletedTurn(ownerTurn('run-1', said))
    await store.flush()
    expect(await store.turnStatus('run-1')).toMatchObject({ state: isKept ? 'curated' : 'projected' })
    expect(canonicalBytes(root)[`daily/${DAY}.md`]?.includes(`- – ${text}`) ?? false).toBe(isKept)
    expect(store.snapshot().capture?.rejections).toEqual(isKept ? {} : { language_mismatch: 1 })
  })
})
