import { appendFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { makeTemporaryRoot } from '../../../test/support/temporary-root.js'
import { ChatError } from '../src/chat/errors.js'
import {
  createMemoryStore,
  openMemoryReader,
  rebuildMemoryIndex,
  retryTurns,
  rollbackMemoryIndex,
  validateMemory,
  type BuiltInMemoryStore,
  type MemoryReader,
} from '../src/index.js'
import {
  canonicalBytes,
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
  type ScriptedModel,
} from './support/bujo.js'
import { NOON } from './support/open-store.js'

const IN_LUND = 'I live in Lund near the station.'
const IN_MALMO = 'I live in Malmö near the station.'
const TEA = 'I drink green tea with Ana at the station.'

let root: string
let llm: ScriptedModel
beforeEach(() => {
  root = makeTemporaryRoot()
  llm = scriptedModel()
})

const access = (mode: 'lite' | 'journal' | 'bujo' = 'bujo') => ({
  path: root,
  mode,
  now: () => NOON,
  ...(mode === 'lite' ? {} : { embeddings: { dim: DIMENSION }, embed: wordEmbeddings() }),
})

const ana = { id: 'person:ana', name: 'Ana', type: 'person' }
const station = { id: 'place:station', name: 'The station', type: 'place' }

/** A closed store with notes, a chain of two, a small graph, a preference, and a thread. */
async function curatedRoot(): Promise<void> {
  const store = await openBujo(root, llm)
  const curate = async (runId: string, text: string): Promise<void> => {
    await store.persistCompletedTurn(ownerTurn(runId, text))
    await store.flush()
    expect(await store.turnStatus(runId)).toMatchObject({ state: 'curated' })
  }
  llm.script({
    extract: { ...extraction(memory(IN_LUND, { entities: ['place:station'] })), entities: [station] },
    review: keepAll(1),
  })
  await curate('run-1', IN_LUND)
  llm.script({
    extract: { ...extraction(memory(IN_MALMO, { entities: ['place:station'] })), entities: [station] },
    review: keepAll(1),
    reconcile: decide({ index: 0, action: 'SUPERSEDE', target: 'm1', text: IN_MALMO }),
  })
  await curate('run-2', IN_MALMO)
  llm.script({
    extract: {
      ...extraction(memory(TEA, { entities: ['person:ana', 'place:station'] })),
      entities: [ana, station],
      relations: [{ src: 'person:ana', relation: 'meets_at', dst: 'place:station', memories: [0] }],
    },
    review: { decisions: [{ index: 0, action: 'preference' }] },
    reconcile: decide({ index: 0, action: 'ADD' }),
  })
  await curate('run-3', TEA)
  await store.close()
}

/** A closed store in which a turn was understood and not yet committed. */
async function rootWithRetainedPlan(): Promise<void> {
  await curatedRoot()
  const store = await openBujo(root, llm)
  llm.script({ extract: extraction(memory('The cellar is dry.')), review: new ChatError('chat_unavailable') })
  await store.persistCompletedTurn(ownerTurn('run-4', 'The cellar is dry.'))
  await store.flush()
  await store.close()
}

async function reading<T>(work: (reader: MemoryReader) => Promise<T>, mode: 'lite' | 'journal' | 'bujo' = 'bujo') {
  const reader = await openMemoryReader(access(mode))
  try {
    return await work(reader)
  } finally {
    await reader.close()
  }
}

/** All that a reader tells but what belongs to one generation of the index. */
const told = () =>
  reading(async (reader) => {
    const { generation, bytes, ...stats } = await reader.stats()
    expect([typeof generation, typeof bytes]).toEqual(['string', 'number'])
    const { memories } = await reader.show('2026-05-01')
    return {
      stats,
      memories,
      top: await reader.top(10),
      lives: await Promise.all(memories.map(({ id }) => reader.log(id))),
      recalls: await Promise.all(
        ['live near the station', 'green tea', 'Ana'].map((query) =>
          reader.recallWithOutcome(query, { explain: true }),
        ),
      ),
    }
  })

describe('a reader of bujo', () => {
  test('counts the graph, tells the chain both ways, marks what is history', async () => {
    await curatedRoot()
    await reading(async (reader) => {
      expect(await reader.stats()).toMatchObject({
        mode: 'bujo',
        memories: 3,
        vectors: 3,
        missingVectors: 0,
        entities: 2,
        relations: 1,
        superseded: 1,
        stale: false,
        intake: { pending: 0, dead: 0, resolved: 3 },
      })
      const { memories } = await reader.show('2026-05-01')
      expect(memories.map(({ text }) => text)).toEqual([IN_LUND, IN_MALMO, TEA])
      const [old, young] = memories
      expect(await reader.log(old?.id ?? '')).toMatchObject({
        memory: { supersededBy: young?.id },
        history: [{ event: 'recorded' }, { event: 'superseded', id: young?.id, at: expect.any(String) }],
      })
      expect(await reader.log(young?.id ?? '')).toMatchObject({
        history: [{ event: 'recorded' }, { event: 'took_place', id: old?.id }],
      })
      const { hits } = await reader.recallWithOutcome('live near the station')
      expect(Object.fromEntries(hits.map(({ text, currentness }) => [text, currentness]))).toMatchObject({
        [IN_LUND]: 'superseded',
        [IN_MALMO]: 'current',
      })
    })
  })

  test('says stale when graph or replay authority changed behind the index', async () => {
    await curatedRoot()
    appendFileSync(join(root, 'graph.jsonl'), '\n')
    expect(await reading((reader) => reader.stats())).toMatchObject({ stale: true })
  })

  test('validate finds nothing to mend', async () => {
    await curatedRoot()
    const report = await validateMemory({
      ...access(),
      writeMode: 'capture',
      llm: { provider: 'agent-host', model: 'host' },
    })
    expect(report.sections.flatMap(({ checks }) => checks).filter(({ status }) => status === 'error')).toEqual([])
    expect(report.ok).toBe(true)
  })
})

describe('rebuild and rollback within bujo', () => {
  test('a rebuild changes nothing that anybody is told, nor a canonical byte; and back', async () => {
    await curatedRoot()
    const [before, bytes] = [await told(), canonicalBytes(root)]
    const report = await rebuildMemoryIndex(access())
    expect(report).toMatchObject({
      indexed: 3,
      vectors: { carriedOver: 3, embedded: 0 },
      previous: { isOffered: true },
    })
    expect(await told()).toEqual(before)
    expect(await rollbackMemoryIndex(access())).toMatchObject({ identity: { tier: 'bujo' }, memories: 3 })
    expect(await told()).toEqual(before)
    expect(canonicalBytes(root)).toEqual(bytes)
    const again = await openBujo(root, llm)
    expect(await again.flush()).toMatchObject({ pending: 0 })
    expect((await again.recallWithOutcome('live near the station')).hits.length).toBeGreaterThan(0)
  })

  test('a capture after the rebuild ends the way back', async () => {
    await curatedRoot()
    await rebuildMemoryIndex(access())
    const store = await openBujo(root, llm)
    llm.script({ extract: extraction(memory('The cellar is dry.')), review: keepAll(1) })
    await store.persistCompletedTurn(ownerTurn('run-5', 'The cellar is dry.'))
    await store.flush()
    await store.close()
    await expect(rollbackMemoryIndex(access())).rejects.toMatchObject({ code: 'rollback_unavailable' })
    expect(await reading((reader) => reader.stats())).toMatchObject({ memories: 4 })
  })

  test('with a retained plan: allowed, and the plan is taken up afterwards without asking again', async () => {
    await rootWithRetainedPlan()
    expect(await rebuildMemoryIndex(access())).toMatchObject({ indexed: 3 })
    await retryTurns(access())
    // Operators' clock and the store's are one: the turn is due again a minute later.
    llm.script({ review: keepAll(1) })
    const asked = llm.stages().length
    const store = await openBujo(root, llm, { now: () => NOON + 60_000 })
    await store.flush()
    expect(await store.turnStatus('run-4')).toMatchObject({ state: 'curated' })
    expect(llm.stages().slice(asked)).toEqual(['review'])
    expect(sentences(root)).toContain('– The cellar is dry.')
  })
})

test('another embedding model while a plan is retained: allowed within bujo (OPS-4)', async () => {
  await rootWithRetainedPlan()
  const other = wordEmbeddings(32)
  await expect(openBujo(root, llm, { embeddings: other })).rejects.toMatchObject({
    code: 'configured_identity_mismatch',
  })
  expect(await rebuildMemoryIndex({ ...access(), embeddings: { dim: 32 }, embed: other })).toMatchObject({
    indexed: 3,
    vectors: { carriedOver: 0, embedded: 3 },
  })
  llm.script({ review: keepAll(1) })
  const store = await openBujo(root, llm, { embeddings: other, now: () => NOON + 60_000 })
  await store.flush()
  expect(await store.turnStatus('run-4')).toMatchObject({ state: 'curated' })
})

describe.each(['lite', 'journal'] as const)('bujo and %s', (mode) => {
  const open = (): Promise<BuiltInMemoryStore> => {
    const { embed, embeddings } = { embed: undefined, embeddings: undefined, ...access(mode) }
    return createMemoryStore(
      { mode, path: root, ...(embeddings === undefined ? {} : { embeddings }) },
      { now: () => NOON, ...(embed === undefined ? {} : { embed }) },
    )
  }

  test('an opening refuses a root with a lifecycle, with a mend that works', async () => {
    await curatedRoot()
    const bytes = canonicalBytes(root)
    await expect(open()).rejects.toMatchObject({
      code: expect.stringMatching(/configured_identity_mismatch|lifecycle/),
      message: expect.stringContaining('rebuild'),
    })
    expect(canonicalBytes(root)).toEqual(bytes)
    const again = await openBujo(root, llm)
    expect((await again.recallWithOutcome('green tea')).hits[0]).toMatchObject({ text: TEA })
  })

  test('without a plan the rebuild is the mend; back in bujo, graph and chain are there as before', async () => {
    await curatedRoot()
    const [before, bytes] = [await told(), canonicalBytes(root)]
    expect(await rebuildMemoryIndex(access(mode))).toMatchObject({ indexed: 3 })
    const smaller = await open()
    expect((await smaller.recallWithOutcome('live near the station')).hits.map(({ text }) => text)).toContain(IN_LUND)
    await smaller.close()
    expect(await reading((reader) => reader.stats(), mode)).toMatchObject({ mode, entities: 0, superseded: 0 })
    await expect(openBujo(root, llm)).rejects.toMatchObject({ code: 'configured_identity_mismatch' })

    expect(await rebuildMemoryIndex(access())).toMatchObject({ indexed: 3 })
    const after = await told()
    expect({ ...after, stats: { ...after.stats, runtime: undefined } }).toEqual({
      ...before,
      stats: { ...before.stats, runtime: undefined },
    })
    expect(canonicalBytes(root)).toEqual(bytes)
  })

  test('a rebuild is refused while a plan is retained, and nothing was changed (OPS-4)', async () => {
    await rootWithRetainedPlan()
    const [before, bytes] = [await told(), canonicalBytes(root)]
    await expect(rebuildMemoryIndex(access(mode))).rejects.toMatchObject({ code: 'plan_retained' })
    expect(await told()).toEqual(before)
    expect(canonicalBytes(root)).toEqual(bytes)
    expect(existsSync(join(root, '.capture-outbox'))).toBe(true)
  })
})

test('consolidate says what is true: this version has it in no tier', async () => {
  const store = await openBujo(root, llm)
  await expect(store.consolidate()).rejects.toMatchObject({
    code: 'unsupported_in_tier',
    message: 'This version does not refresh the projections for people yet. Nothing was changed.',
  })
})
