import { rmSync } from 'node:fs'
import { nodeFileSystem } from '@mono-agent/memory-store'
import { describe, expect, test } from 'vitest'
import { faultyFileSystem, type FaultyFileSystem } from '../../../../test/support/faulty-file-system.js'
import { makeTemporaryRoot } from '../../../../test/support/temporary-root.js'
import { openMemoryReader, type BuiltInMemoryStore, type MemoryEvent } from '../../src/index.js'
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
} from '../support/bujo.js'
import { NOON } from '../support/open-store.js'
import { simulatedClock } from '../support/simulated-clock.js'

const IN_LUND = 'I live in Lund near the station.'
const IN_MALMO = 'I live in Malmö near the station.'
const ERRNOS = ['ENOSPC', 'EIO'] as const

/** A store that curated one turn and is about to curate another, with every kind of file in it. */
async function openCurated(faulty: FaultyFileSystem) {
  const root = makeTemporaryRoot()
  const llm = scriptedModel()
  const events: MemoryEvent[] = []
  const clock = simulatedClock()
  const parts = {
    ...clock.host,
    now: () => NOON,
    fs: faulty.fs,
    onEvent: (event: MemoryEvent) => void events.push(event),
  }
  const about = { id: 'place:lund', name: 'Lund', type: 'place' }
  llm.script({
    extract: { ...extraction(memory(IN_LUND, { entities: ['place:lund'] })), entities: [about] },
    review: keepAll(1),
  })
  const store = await openBujo(root, llm, parts)
  await store.persistCompletedTurn(ownerTurn('run-1', IN_LUND))
  await store.flush()
  llm.script({
    extract: { ...extraction(memory(IN_MALMO, { entities: ['place:lund'] })), entities: [about] },
    review: keepAll(1),
    reconcile: decide({ index: 0, action: 'SUPERSEDE', target: 'm1', text: IN_MALMO }),
  })
  return { root, llm, events, store }
}

async function attemptsOf(root: string): Promise<number[]> {
  const reader = await openMemoryReader({
    path: root,
    mode: 'bujo',
    embeddings: { dim: DIMENSION },
    embed: wordEmbeddings(),
    now: () => NOON,
  })
  try {
    return (await reader.inspect()).items.map(({ attempts }) => attempts)
  } finally {
    await reader.close()
  }
}

async function send(store: BuiltInMemoryStore): Promise<void> {
  await store.persistCompletedTurn(ownerTurn('run-2', IN_MALMO))
}

const CALLS = ['extract', 'review', 'extract', 'review', 'reconcile']

/** What a store that no fault ever touched holds. */
async function undisturbed(): Promise<Record<string, string>> {
  const faulty = faultyFileSystem(nodeFileSystem)
  const { root, store, llm } = await openCurated(faulty)
  await send(store)
  await store.flush()
  expect(llm.stages()).toEqual(CALLS)
  await store.close()
  return canonicalBytes(root)
}

describe.each(ERRNOS)('%s at every call of the file system while a turn is curated', (errno) => {
  test(
    'no attempt is counted, no model asked twice, and healed it becomes what it would have been',
    { timeout: 300_000 },
    async () => {
      const whole = await undisturbed()
      let reached = 0
      for (let nth = 1; ; nth += 1) {
        const faulty = faultyFileSystem(nodeFileSystem)
        const { root, llm, events, store } = await openCurated(faulty)
        await send(store)
        faulty.inject({ nth, errno })
        await store.flush()
        const wasPlayed = faulty.played() > 0
        faulty.clear()
        for (let look = 0; look < 3 && (await store.flush()).pending > 0; look += 1);
        const where = `call ${nth}`
        expect(await store.turnStatus('run-2'), where).toMatchObject({
          state: 'curated',
          memoryIds: [expect.any(String)],
        })
        expect(
          events.filter((event) => event.kind === 'projection_failed' && event.attemptCounted),
          where,
        ).toEqual([])
        expect(sentences(root), where).toEqual([`– ${IN_LUND}`, `– ${IN_MALMO}`])
        expect(llm.stages(), where).toEqual(CALLS)
        await store.close()
        expect(await attemptsOf(root), where).toEqual([0, 0])
        expect(canonicalBytes(root), where).toEqual(whole)
        rmSync(root, { recursive: true })
        if (!wasPlayed) break
        reached = nth
      }
      expect(reached).toBeGreaterThan(20)
    },
  )
})

test.each(ERRNOS)(
  '%s for as long as it lasts: the turn waits, whatever it was at, and goes on by itself',
  async (errno) => {
    for (const path of [/capture-outbox/, /daily/, /graph\.jsonl/, /replay-projection/, /audit/]) {
      const faulty = faultyFileSystem(nodeFileSystem)
      const { root, llm, events, store } = await openCurated(faulty)
      faulty.inject({ path, operation: 'file.write', errno, times: Number.POSITIVE_INFINITY })
      await send(store)
      for (let look = 0; look < 3; look += 1) expect(await store.flush()).toMatchObject({ pending: 1, dead: 0 })
      expect(faulty.played()).toBeGreaterThan(0)
      expect(events).toContainEqual(expect.objectContaining({ kind: 'projection_failed', attemptCounted: false }))
      faulty.clear()
      expect(await store.flush()).toMatchObject({ pending: 0, dead: 0 })
      expect(sentences(root)).toEqual([`– ${IN_LUND}`, `– ${IN_MALMO}`])
      expect(llm.stages().filter((stage) => stage === 'reconcile').length).toBeGreaterThan(0)
      await store.close()
      expect(await attemptsOf(root)).toEqual([0, 0])
    }
  },
)
