import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { makeTemporaryRoot } from '../../../test/support/temporary-root.js'
import { rebuildMemoryIndex, type BuiltInMemoryStore, type MemoryHit } from '../src/index.js'
import {
  canonicalBytes,
  decide,
  extraction,
  keepAll,
  memory,
  openBujo,
  ownerTurn,
  scriptedModel,
  type ScriptedModel,
  sentences,
  wordEmbeddings,
  type BujoOptions,
} from './support/bujo.js'
import { DAY, dayFile, NOON, openStore } from './support/open-store.js'

const ANA = 'Ana lives in Porto.'
const NOTE = 'The boatyard in Kiel has a new owner.'
const EVENT = 'The boatyard burnt down.'
const OLD_EVENT = 'The fair came to Kiel.'
const BINS = 'The bins are emptied on Friday.'
const PLAIN = 'The garage key hangs behind the door.'

let root: string
let store: BuiltInMemoryStore
/** What a peer and the owner said, by its words. */
let ids: Record<string, string>
let clock: number

let model: ScriptedModel
const open = (options: BujoOptions = {}): Promise<BuiltInMemoryStore> =>
  openBujo(root, model, { now: () => (clock += 1_000), ...options })

beforeEach(async () => {
  root = makeTemporaryRoot()
  clock = NOON
  model = scriptedModel()
  model.script({
    extract: [
      {
        memories: [
          memory(ANA, { entities: ['person:ana'] }),
          memory(NOTE),
          memory(EVENT, { type: 'event' }),
          memory(OLD_EVENT, { type: 'event', due: '2026-04-30' }),
        ],
        entities: [
          { id: 'person:ana', name: 'Ana', type: 'person' },
          { id: 'project:heron', name: 'Heron', type: 'project' },
        ],
        relations: [],
      },
      extraction(memory(BINS)),
    ],
    review: [keepAll(1)],
  })
  store = await open()
  const told = [ANA, NOTE, EVENT, OLD_EVENT].join(' ')
  await store.persistCompletedTurn(ownerTurn('peer', told, { captureEvidence: { userText: told } }))
  await store.persistCompletedTurn(ownerTurn('owner', BINS))
  expect(await store.flush()).toMatchObject({ pending: 0, dead: 0 })
  await store.remember({ text: PLAIN })
  ids = {}
  for (const text of [ANA, NOTE, EVENT, OLD_EVENT, BINS, PLAIN]) ids[text] = (await hitOf(text)).id
})

async function hitOf(text: string): Promise<MemoryHit> {
  const { hits } = await store.recallWithOutcome(text, { limit: 50 })
  const hit = hits.find((one) => one.text === text)
  if (hit === undefined) throw new Error(`not recalled: ${text}`)
  return hit
}

const idOf = (text: string): string => ids[text] ?? text
const linesOf = (text: string): number => sentences(root).filter((line) => line.endsWith(text)).length
const supersessions = (): string[] =>
  (canonicalBytes(root)['.replay-projection-v1.delta.jsonl'] ?? '').split('\n').slice(0, -1)
const associations = (memoryId: string): string[] =>
  (canonicalBytes(root)['graph.jsonl'] ?? '')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Record<string, string>)
    .filter((line) => line['kind'] === 'association' && line['memoryId'] === memoryId)
    .map(({ entityId, provenance }) => `${entityId} ${provenance}`)

describe('accepted (REC-27)', () => {
  test.each([
    { name: 'the id of a person', detail: { about: 'person:ana' } },
    { name: 'the name of a person', detail: { about: 'ana' } },
  ])('`about`, $name: linked, noted by the assistant', async ({ detail }) => {
    const text = 'Ana was seen with a red bicycle.'
    const { id, status } = await store.remember({ text, conversationId: 'web:7', ...detail })
    expect(status).toBe('stored')
    expect(associations(id)).toEqual(['person:ana assistant-inferred'])
    expect(await hitOf(text)).toMatchObject({
      id,
      attribution: 'assistant-inferred',
      currentness: 'current',
      source: { conversationId: 'web:7' },
    })
    const { hits } = await store.recallWithOutcome('bicycle', { about: 'Ana' })
    expect(hits.map((hit) => hit.id)).toContain(id)
    expect(supersessions()).toEqual([])
  })

  test.each([
    { name: 'a captured note', target: NOTE },
    { name: 'a captured event', target: EVENT },
    { name: 'a captured note about a person', target: ANA },
  ])('`supersedes`, $name: history, and the new one stands', async ({ target }) => {
    const text = 'What was noted there is no longer so.'
    const before = dayFile(root)
    const { id } = await store.remember({ text, supersedes: idOf(target) })
    expect(await hitOf(text)).toMatchObject({ id, currentness: 'current', attribution: 'assistant-inferred' })
    expect(await hitOf(target)).toMatchObject({ id: idOf(target), currentness: 'superseded', status: 'open' })
    expect(dayFile(root).startsWith(before)).toBe(true) // the old line is as it was
    expect(supersessions()).toHaveLength(1)
    const { hits } = await store.recallWithOutcome(text, { explain: true })
    expect(hits[0]?.provenance?.chain?.map((link) => link.id)).toEqual([idOf(target), id])
  })

  test('`replaceable`, and what takes its place, and what takes that place', async () => {
    const first = await store.remember({ text: 'The tide is at 1 m.', replaceable: true })
    expect(dayFile(root)).toMatch(/attribution=assistant-inferred replaceable=1/)
    const second = await store.remember({ text: 'The tide is at 2 m.', supersedes: first.id })
    const third = await store.remember({ text: 'The tide is at 3 m.', supersedes: second.id, about: 'Ana' })
    const { hits } = await store.recallWithOutcome('The tide is at', { explain: true })
    expect(hits.find(({ id }) => id === third.id)?.provenance?.chain?.map(({ id }) => id)).toEqual(
      [first, second, third].map(({ id }) => id),
    )
    await store.close()
    store = await open()
    expect(await hitOf('The tide is at 2 m.')).toMatchObject({ currentness: 'superseded' })
  })

  test('the index says what the files say', async () => {
    await store.remember({ text: 'The boatyard is closed, says Ana.', about: 'Ana', supersedes: idOf(NOTE) })
    await store.close()
    const rows = async () => {
      store = await open()
      const { hits } = await store.recallWithOutcome('The boatyard', { limit: 50, about: 'Ana' })
      await store.close()
      return hits.map(({ id, currentness, text }) => ({ id, currentness, text }))
    }
    const kept = await rows()
    expect(kept.map(({ text }) => text)).toContain('The boatyard is closed, says Ana.')
    const embed = wordEmbeddings()
    await rebuildMemoryIndex({
      path: root,
      mode: 'bujo',
      embeddings: { provider: 'ollama', model: 'words', dim: embed.identity.dimension },
      embed,
    })
    expect(await rows()).toEqual(kept)
  })
})

describe('refused, nothing written', () => {
  const TEXT = 'Something new about it.'
  test.each([
    { name: 'a person nobody knows', detail: { about: 'Bo' }, code: 'person_unknown' },
    { name: 'an entity that is no person', detail: { about: 'project:heron' }, code: 'person_unknown' },
    { name: 'a memory that is none', detail: { supersedes: 'm-none' }, code: 'target_unknown' },
    { name: 'an id that no line could have', detail: { supersedes: 'no id\n' }, code: 'target_unknown' },
    { name: 'a fact of the owner', detail: { supersedes: BINS }, code: 'not_replaceable' },
    { name: 'a line of text alone', detail: { supersedes: PLAIN }, code: 'not_replaceable' },
    { name: 'an event that is over', detail: { supersedes: OLD_EVENT }, code: 'target_not_current' },
    { name: 'a known person, but no target', detail: { about: 'Ana', supersedes: 'm-none' }, code: 'target_unknown' },
    { name: 'a target, but no person', detail: { about: 'Bo', supersedes: NOTE }, code: 'person_unknown' },
  ])('$name: $code', async ({ detail, code }) => {
    const { supersedes, ...rest } = detail
    const before = canonicalBytes(root)
    const request = { text: TEXT, ...rest, ...(supersedes === undefined ? {} : { supersedes: idOf(supersedes) }) }
    await expect(store.remember(request)).rejects.toMatchObject({ code, outcome: 'not_written' })
    await expect(store.remember(request)).rejects.not.toThrow(/Kiel|bins|garage|Bo\b|new about/)
    expect(canonicalBytes(root)).toEqual(before)
    expect((await store.remember({ text: TEXT })).status).toBe('stored') // and all goes on
  })

  test('what another one took the place of', async () => {
    await store.remember({ text: 'First.', supersedes: idOf(NOTE) })
    const before = canonicalBytes(root)
    await expect(store.remember({ text: 'Second.', supersedes: idOf(NOTE) })).rejects.toMatchObject({
      code: 'target_not_current',
    })
    expect(canonicalBytes(root)).toEqual(before)
  })

  test('a line that a person removed a moment ago', async () => {
    const lines = new RegExp(`- – ${NOTE.replace('.', '[.]')}\\n.*\\n`)
    writeFileSync(join(root, 'daily', `${DAY}.md`), dayFile(root).replace(lines, ''))
    await expect(store.remember({ text: TEXT, supersedes: idOf(NOTE) })).rejects.toMatchObject({
      code: 'target_unknown',
    })
  })

  test('a credential, with detail too', async () => {
    const before = canonicalBytes(root)
    const text = ['ghp', 'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'].join('_')
    await expect(store.remember({ text, about: 'Ana' })).rejects.toMatchObject({ code: 'credential_rejected' })
    expect(canonicalBytes(root)).toEqual(before)
  })

  test.each([{ about: 'Ana' }, { supersedes: 'm-1' }, { replaceable: true }])('lite: %j', async (detail) => {
    const lite = makeTemporaryRoot()
    const small = await openStore(lite)
    await expect(small.remember({ text: TEXT, ...detail })).rejects.toMatchObject({
      code: 'unsupported_in_tier',
      outcome: 'not_written',
    })
    expect(existsSync(join(lite, 'daily'))).toBe(false)
  })
})

describe('asked again (REC-26)', () => {
  test.each([
    { name: 'about a person', detail: { about: 'Ana' } },
    { name: 'in the place of another', detail: { supersedes: NOTE } },
    { name: 'both, and replaceable', detail: { about: 'person:ana', supersedes: NOTE, replaceable: true } },
    { name: 'replaceable', detail: { replaceable: true } },
  ])('$name: a duplicate, and nothing is written', async ({ detail }) => {
    const { supersedes, ...rest } = detail as { supersedes?: string }
    const request = {
      text: 'It was so.',
      ...rest,
      ...(supersedes === undefined ? {} : { supersedes: idOf(supersedes) }),
    }
    const first = await store.remember({ ...request, conversationId: 'web:1' })
    const before = canonicalBytes(root)
    expect(await store.remember({ ...request, conversationId: 'web:2' })).toEqual({ ...first, status: 'duplicate' })
    expect(await store.remember({ text: request.text })).toEqual({ ...first, status: 'duplicate' })
    expect(canonicalBytes(root)).toEqual(before) // `replaceable` and the session are kept
  })

  test('what a line lacks is completed; there is no second line', async () => {
    const { id } = await store.remember({ text: 'The yard is closed.' })
    const request = { text: 'The yard is closed.', about: 'Ana', supersedes: idOf(NOTE) }
    expect(await store.remember(request)).toEqual({ status: 'duplicate', id, text: request.text })
    expect(linesOf(request.text)).toBe(1)
    expect(associations(id)).toEqual(['person:ana assistant-inferred'])
    expect(await hitOf(NOTE)).toMatchObject({ currentness: 'superseded' })
    // What was plain text stays that: its words were not said with detail.
    await expect(store.remember({ text: 'It is open.', supersedes: id })).rejects.toMatchObject({
      code: 'not_replaceable',
    })
    const before = canonicalBytes(root)
    expect(await store.remember(request)).toMatchObject({ status: 'duplicate', id })
    expect(canonicalBytes(root)).toEqual(before)
  })

  test('words do not take their own place', async () => {
    const before = canonicalBytes(root)
    expect(await store.remember({ text: NOTE, supersedes: idOf(NOTE) })).toMatchObject({ status: 'duplicate' })
    expect(canonicalBytes(root)).toEqual(before)
  })

  test('the words of a superseded line are news, plain or not', async () => {
    const first = await store.remember({ text: 'The tide is at 1 m.', replaceable: true })
    const second = await store.remember({ text: 'The tide is at 2 m.', supersedes: first.id })
    const again = await store.remember({ text: 'The tide is at 1 m.', supersedes: second.id })
    expect(again.status).toBe('stored')
    expect(linesOf('The tide is at 1 m.')).toBe(2)
    await store.remember({ text: 'The tide is at 3 m.', supersedes: again.id })
    expect(await store.remember({ text: 'The tide is at 1 m.' })).toMatchObject({ status: 'stored' })
  })

  test('a line whose row is gone is completed, and keeps its session', async () => {
    const { id } = await store.remember({ text: 'Ana sails.', about: 'Ana', conversationId: 'web:1' })
    await store.close()
    rmSync(join(root, '.index'), { recursive: true })
    const embed = wordEmbeddings()
    const embeddings = { provider: 'ollama', model: 'words', dim: embed.identity.dimension } as const
    await rebuildMemoryIndex({ path: root, mode: 'bujo', embeddings, embed })
    store = await open()
    expect(await store.remember({ text: 'Ana sails.', about: 'Ana', conversationId: 'web:2' })).toMatchObject({
      status: 'duplicate',
      id,
    })
    expect(await hitOf('Ana sails.')).toMatchObject({ source: { conversationId: 'web:1' } })
  })

  test('ten at once: one line, one supersession', async () => {
    const request = { text: 'Once.', about: 'Ana', supersedes: idOf(NOTE) }
    const all = await Promise.all(Array.from({ length: 10 }, () => store.remember(request)))
    expect(all.filter(({ status }) => status === 'stored')).toHaveLength(1)
    expect(new Set(all.map(({ id }) => id)).size).toBe(1)
    expect(linesOf('Once.')).toBe(1)
    expect(supersessions()).toHaveLength(1)
  })
})

describe('beside captures and services', () => {
  test('takes turns with captures: each of both is there once', async () => {
    const turns = Array.from({ length: 5 }, (_, n) => `Turn ${n} tells of the harbour.`)
    model.script({
      extract: turns.map((text) => extraction(memory(text))),
      review: turns.map(() => keepAll(1)),
      reconcile: turns.map(() => decide({ index: 0, action: 'ADD' })),
    })
    const notes = turns.map((_, n) => `Note ${n} about the weather.`)
    const { id } = await store.remember({ text: 'Note about the weather.', replaceable: true })
    let last = id
    for (const [n, text] of turns.entries()) {
      await store.persistCompletedTurn(ownerTurn(`run-${n}`, text))
      ;({ id: last } = await store.remember({ text: notes[n] ?? '', supersedes: last, about: 'Ana' }))
    }
    expect(await store.flush()).toMatchObject({ pending: 0, dead: 0 })
    for (const text of [...notes, ...turns]) expect(linesOf(text)).toBe(1)
    expect(supersessions()).toHaveLength(5)
    expect((await hitOf(notes[4] ?? '')).currentness).toBe('current')
    expect((await hitOf(notes[3] ?? '')).currentness).toBe('superseded')
  })

  test('a dead embedding service delays the vector, not the success', async () => {
    await store.close()
    const embeddings = wordEmbeddings()
    let isAway = true
    const embed: typeof embeddings.embed = (...asked) =>
      isAway ? Promise.reject(new Error('away')) : embeddings.embed(...asked)
    store = await open({ embeddings: { ...embeddings, embed } })
    const text = 'Ana sold the boat to the harbour master.'
    const { id } = await store.remember({ text, about: 'Ana', supersedes: idOf(NOTE) })
    const { hits, mode } = await store.recallWithOutcome('harbour master')
    expect({ mode, first: hits[0]?.id }).toEqual({ mode: 'lexical', first: id })
    isAway = false
    await store.close()
    store = await open({ embeddings })
    expect(await store.flush()).toMatchObject({ missingVectors: 0 })
    expect((await store.recallWithOutcome(text)).hits[0]).toMatchObject({ id })
  })

  test('is written where nothing is captured', async () => {
    await store.close()
    store = await open({ writeMode: 'append-host-summary' })
    expect(await store.remember({ text: 'Seen.', supersedes: idOf(NOTE) })).toMatchObject({ status: 'stored' })
    await store.close()
    store = await open({ writeMode: 'disabled' })
    await expect(store.remember({ text: 'Unseen.', supersedes: idOf(EVENT) })).rejects.toMatchObject({
      code: 'write_disabled',
    })
  })
})
