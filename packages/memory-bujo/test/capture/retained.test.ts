import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { MAX_ATTEMPTS } from '@mono-agent/memory-intake'
import { describe, expect, test } from 'vitest'
import { makeTemporaryRoot } from '../../../../test/support/temporary-root.js'
import { ChatError } from '../../src/chat/errors.js'
import { resolveTurn, retryTurns, type BuiltInMemoryStore, type MemoryEvent } from '../../src/index.js'
import {
  decide,
  DIMENSION,
  extraction,
  keepAll,
  memory,
  openBujo,
  ownerTurn,
  scriptedModel,
  sentences,
  wordEmbeddings,
  type BujoOptions,
  type ScriptedModel,
} from '../support/bujo.js'
import { NOON } from '../support/open-store.js'
import { HOUR_MS, simulatedClock } from '../support/simulated-clock.js'

const AWAY = new ChatError('chat_unavailable')
const idOf = (runId: string): string => createHash('sha256').update(runId).digest('hex')
const planPath = (root: string, runId: string): string => join(root, '.capture-outbox', `${idOf(runId)}.json`)
const plans = (root: string): string[] => {
  const outbox = join(root, '.capture-outbox')
  return existsSync(outbox) ? readdirSync(outbox) : []
}
const access = (root: string) => ({
  path: root,
  mode: 'bujo' as const,
  embeddings: { dim: DIMENSION },
  embed: wordEmbeddings(),
  now: () => NOON,
})

/** Fails the due turns once more, and lets the longest wait pass; so many times. */
async function failTimes(
  store: BuiltInMemoryStore,
  clock: { advance(ms: number): void },
  times: number,
): Promise<void> {
  for (let failed = 0; failed < times; failed += 1) {
    await store.flush()
    clock.advance(6 * HOUR_MS)
  }
}

/** A store with a line that "I live in Malmö near the station." is offered. */
async function storeInLund(root: string, llm: ScriptedModel, options: BujoOptions = {}): Promise<BuiltInMemoryStore> {
  llm.script({ extract: extraction(memory('I live in Lund near the station.')), review: keepAll(1) })
  const store = await openBujo(root, llm, options)
  await store.persistCompletedTurn(ownerTurn('run-0', 'I live in Lund near the station.'))
  await store.whenSettled('run-0')
  return store
}

const IN_MALMO = 'I live in Malmö near the station.'
const IN_LUND = 'I live in Lund near the station.'

describe('what a model said once it is not asked again', () => {
  test('review fails: the extraction is kept; then the review is, while reconcile fails', async () => {
    const root = makeTemporaryRoot()
    const llm = scriptedModel()
    const clock = simulatedClock()
    const store = await storeInLund(root, llm, clock.host)
    llm.script({
      extract: extraction(memory(IN_MALMO)),
      review: [AWAY, 'not json', keepAll(1)],
      reconcile: [AWAY, '{}'],
    })
    await store.persistCompletedTurn(ownerTurn('run-1', IN_MALMO))
    await failTimes(store, clock, 4)
    expect(llm.stages().slice(2)).toEqual(['extract', 'review', 'review', 'review', 'reconcile', 'reconcile'])
    expect(plans(root)).toEqual([`${idOf('run-1')}.json`])
    expect(JSON.parse(readFileSync(planPath(root, 'run-1'), 'utf8'))).toMatchObject({
      stage: 'retained',
      review: [{ index: 0, action: 'keep' }],
    })
    expect(await store.turnStatus('run-1')).toEqual({ state: 'projected' })
    llm.script({ reconcile: decide({ index: 0, action: 'SUPERSEDE', target: 'm1', text: IN_MALMO }) })
    expect(await store.flush()).toMatchObject({ pending: 0 })
    expect(llm.stages().slice(8)).toEqual(['reconcile'])
    expect(plans(root)).toEqual([])
    expect(sentences(root)).toEqual([`– ${IN_LUND}`, `– ${IN_MALMO}`])
  })

  test('restarted with another model: that one is asked only for what is not known', async () => {
    const root = makeTemporaryRoot()
    const first = scriptedModel('test:first')
    const store = await storeInLund(root, first)
    first.script({ extract: extraction(memory(IN_MALMO)), review: AWAY })
    await store.persistCompletedTurn(ownerTurn('run-1', IN_MALMO))
    await store.flush()
    await store.close()
    await retryTurns(access(root))
    const second = scriptedModel('test:second')
    second.script({ review: keepAll(1), reconcile: decide({ index: 0, action: 'ADD' }) })
    const again = await openBujo(root, second)
    expect(await again.whenSettled('run-1')).toMatchObject({ state: 'curated' })
    expect(second.stages()).toEqual(['review', 'reconcile'])
    expect(sentences(root)).toEqual([`– ${IN_LUND}`, `– ${IN_MALMO}`])
  })

  test('embeddings away: nothing is asked twice, and the turn waits for them', async () => {
    const root = makeTemporaryRoot()
    const llm = scriptedModel()
    const clock = simulatedClock()
    const words = wordEmbeddings()
    let isAway = false
    const embeddings = {
      ...words,
      embed: (texts: readonly string[]) =>
        isAway ? Promise.reject(new Error('away')) : words.embed(texts, { kind: 'document' }),
    }
    const store = await storeInLund(root, llm, { ...clock.host, embeddings })
    isAway = true
    llm.script({ extract: extraction(memory(IN_MALMO)), review: keepAll(1) })
    await store.persistCompletedTurn(ownerTurn('run-1', IN_MALMO))
    const settled = store.whenSettled('run-1')
    await failTimes(store, clock, MAX_ATTEMPTS)
    expect(await settled).toEqual({ state: 'dead', failure: 'provider' })
    expect(llm.stages().slice(2)).toEqual(['extract', 'review'])
    expect(plans(root)).toHaveLength(1)
    await store.close()

    // A dead letter whose result was kept is not thrown away by mistake (INT-12).
    await expect(resolveTurn(access(root), idOf('run-1'), 'not-wanted')).rejects.toMatchObject({
      code: 'plan_retained',
    })
    isAway = false
    expect(await retryTurns(access(root), idOf('run-1'))).toMatchObject({ changed: true })
    llm.script({ reconcile: decide({ index: 0, action: 'NOOP', target: 'm1' }) })
    const again = await openBujo(root, llm, { ...clock.host, embeddings })
    expect(await again.whenSettled('run-1')).toEqual({ state: 'curated', memoryIds: [] })
    expect(llm.stages().slice(4)).toEqual(['reconcile'])
    expect(plans(root)).toEqual([])
    await again.close()
    expect(await resolveTurn(access(root), idOf('run-1'), 'late')).toEqual({ changed: false })
  })

  test('the lifecycle of intentions switched off meanwhile: what was proposed stays so', async () => {
    const root = makeTemporaryRoot()
    const text = 'I will publish the atlas, which is planned.'
    const llm = scriptedModel()
    llm.script({
      extract: extraction(memory(text, { intentState: 'planned', validTo: '2026-09-30' })),
      review: AWAY,
    })
    const store = await openBujo(root, llm, { capture: { intentLifecycle: true } })
    await store.persistCompletedTurn(ownerTurn('run-1', text))
    await store.flush()
    await store.close()
    await retryTurns(access(root))
    llm.script({ review: keepAll(1) })
    const again = await openBujo(root, llm)
    const ended = await again.whenSettled('run-1')
    expect(ended).toMatchObject({ state: 'curated', memoryIds: [expect.any(String)] })
    expect(llm.stages()).toEqual(['extract', 'review', 'review'])
    const day = readFileSync(join(root, 'daily', '2026-05-01.md'), 'utf8')
    expect(day).toContain('publish the atlas')
    expect(day).toContain('due=2026-09-30')
  })
})

describe('the last attempt', () => {
  test('a review that fails: the unreviewed plan is kept (CAP-12)', async () => {
    const root = makeTemporaryRoot()
    const llm = scriptedModel()
    const clock = simulatedClock()
    const assistants = 'The ferry to Ven was found to be cancelled on Sundays.'
    llm.script({
      extract: extraction(
        memory(assistants, { source: 'assistant', quote: 'Noted.', salience: 0.6 }),
        memory('I like the ferry to Ven.'),
      ),
      review: Array.from({ length: MAX_ATTEMPTS }, (_, at) => (at % 2 === 0 ? AWAY : 'not json')),
    })
    const store = await openBujo(root, llm, clock.host)
    await store.persistCompletedTurn(ownerTurn('run-1', 'I like the ferry to Ven.'))
    await failTimes(store, clock, MAX_ATTEMPTS - 1)
    expect(sentences(root)).toEqual([])
    await store.flush()
    expect(await store.turnStatus('run-1')).toMatchObject({
      state: 'curated',
      memoryIds: [{}, {}].map(() => expect.any(String)),
    })
    expect(sentences(root)).toEqual([`– ${assistants}`, '– I like the ferry to Ven.'])
    expect(llm.stages()).toEqual(['extract', ...Array<string>(MAX_ATTEMPTS).fill('review')])
  })

  const models = ['a model of its own', 'llm itself'] as const
  test.each(models)('reconcile fails, of %s', async (whose) => {
    const root = makeTemporaryRoot()
    const llm = scriptedModel()
    const clock = simulatedClock()
    const reconcileModel = scriptedModel('test:reconcile')
    const own = whose === 'llm itself' ? {} : { reconcileModel }
    const asked = whose === 'llm itself' ? llm : reconcileModel
    const store = await storeInLund(root, llm, { ...clock.host, ...own })
    const novel = 'My harpsichord needs new strings.'
    llm.script({ extract: extraction(memory(IN_MALMO), memory(IN_LUND), memory(novel)), review: keepAll(3) })
    asked.script({ reconcile: Array.from({ length: MAX_ATTEMPTS }, () => AWAY) })
    await store.persistCompletedTurn(ownerTurn('run-1', `${IN_LUND} No: ${IN_MALMO} ${novel}`))
    await failTimes(store, clock, MAX_ATTEMPTS - 1)
    expect(sentences(root)).toEqual([`– ${IN_LUND}`])
    expect(await store.turnStatus('run-1')).toEqual({ state: 'projected' })
    await store.flush()
    // No fallback but the last (CAP-23): what is no exact duplicate is added; without a model of its own, nothing is.
    expect(await store.turnStatus('run-1')).toMatchObject(
      whose === 'llm itself'
        ? { state: 'dead', failure: 'provider' }
        : { state: 'curated', memoryIds: [{}, {}].map(() => expect.any(String)) },
    )
    expect(sentences(root)).toEqual(
      whose === 'llm itself' ? [`– ${IN_LUND}`] : [`– ${IN_LUND}`, `– ${IN_MALMO}`, `– ${novel}`],
    )
    expect(asked.stages().filter((stage) => stage === 'reconcile')).toHaveLength(MAX_ATTEMPTS)
    expect(llm.stages().filter((stage) => stage !== 'reconcile')).toEqual(['extract', 'review', 'extract', 'review'])
  })
})

describe('an outbox that cannot be trusted', () => {
  test.each([
    { name: 'a damaged plan', file: `${idOf('run-1')}.json`, bytes: '{"v":1,"stage":"retained"' },
    { name: 'a plan of another version', file: `${idOf('run-1')}.json`, bytes: '{"v":2}\n' },
    { name: 'a plan of no turn of this store', file: `${idOf('run-9')}.json`, bytes: undefined },
    { name: 'a file of somebody', file: 'notes.txt', bytes: 'Mine.' },
  ])('$name: said, admission and recall go on, nothing is curated until it is gone', async ({ file, bytes }) => {
    const root = makeTemporaryRoot()
    const llm = scriptedModel()
    const store = await storeInLund(root, llm)
    llm.script({ extract: extraction(memory(IN_MALMO)), review: AWAY })
    await store.persistCompletedTurn(ownerTurn('run-1', IN_MALMO))
    await store.flush()
    await store.close()
    await retryTurns(access(root))
    const path = join(root, '.capture-outbox', file)
    if (bytes === undefined) renameSync(planPath(root, 'run-1'), path)
    else writeFileSync(path, bytes, { mode: 0o600 })
    const before = readFileSync(path)

    const events: MemoryEvent[] = []
    const asked = llm.stages().length
    const again = await openBujo(root, llm, { onEvent: (event) => void events.push(event) })
    expect(events).toContainEqual({ kind: 'background_error', code: 'outbox_invalid' })
    expect(await again.persistCompletedTurn(ownerTurn('run-2', 'Tea is bought on Fridays.'))).toMatchObject({
      status: 'admitted',
    })
    expect(await again.flush()).toMatchObject({ pending: 2, dead: 0 })
    expect(await again.turnStatus('run-2')).toEqual({ state: 'projected' })
    expect((await again.recallWithOutcome('live near the station')).hits).toMatchObject([{ text: IN_LUND }])
    expect(await again.remember({ text: 'Remembered all the same.' })).toMatchObject({ status: 'stored' })
    expect(llm.stages()).toHaveLength(asked)
    expect(readFileSync(path)).toEqual(before)
    expect(events).toContainEqual(
      expect.objectContaining({ kind: 'projection_failed', code: 'outbox_invalid', attemptCounted: false }),
    )

    // Moved away knowingly, while the store is open: what was planned is asked for anew.
    renameSync(path, join(makeTemporaryRoot(), 'moved'))
    const isKept = plans(root).length > 0
    llm.script({
      extract: [...(isKept ? [] : [extraction(memory(IN_MALMO))]), extraction(memory('Tea is bought on Fridays.'))],
      review: [keepAll(1), keepAll(1)],
      reconcile: decide({ index: 0, action: 'ADD' }),
    })
    expect(await again.flush()).toMatchObject({ pending: 0, dead: 0 })
    expect(sentences(root)).toContain(`– ${IN_MALMO}`)
  })
})
