import { setImmediate as nextTurnOfLoop } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { newBullet, StoreError, type DayFileBatch } from '@mono-agent/memory-store'
import type { Intake, PendingTurn, Settlement } from '@mono-agent/memory-intake'
import type { CanonicalWriter } from '../src/canonical-writer.js'
import { createEvents } from '../src/events.js'
import { everyDraftIsFresh } from '../src/projection/known-content.js'
import { createProjector } from '../src/projection/projector.js'
import type { TurnWorker } from '../src/projection/turn-worker.js'
import { makeTemporaryRoot } from '../../../test/support/temporary-root.js'
import { openStore, turn } from './support/open-store.js'

const AT = '2026-05-01T09:00:00.000Z'

interface World {
  readonly projector: TurnWorker
  /** Orders that were settled, in order. */
  readonly settled: number[]
  readonly attempts: () => number
  admit(): number
  /** Runs at each publication; may throw, or admit. */
  onPublish: () => void
}

/** The projector over an intake and a writer in memory; its alarms never ring. */
function makeWorld(): World {
  const waiting = new Map<string, PendingTurn>()
  const settled: number[] = []
  let order = 0
  let attempts = 0
  const intake = {
    lastOrder: () => order,
    due: (limit: number) => Promise.resolve([...waiting.values()].slice(0, limit)),
    nextDueAt: () => undefined,
    markProjected: () => undefined,
    settle(settlements: readonly Settlement[]) {
      for (const { id } of settlements) {
        settled.push(waiting.get(id)?.order ?? 0)
        waiting.delete(id)
      }
      return Promise.resolve()
    },
  } as unknown as Intake
  const writer = {
    exclusive: <T>(section: () => Promise<T>) => section(),
    write(batches: readonly DayFileBatch[]) {
      attempts += 1
      world.onPublish()
      return Promise.resolve(
        batches.map(({ file, changes }) => ({ file, outcomes: changes.map(() => ({ status: 'added', ids: [] })) })),
      )
    },
  } as unknown as CanonicalWriter
  const draft = ({ id, turn }: PendingTurn) =>
    Promise.resolve({
      turnId: id,
      file: 'daily/2026-05-01.md',
      bullets: [newBullet({ id: `r-${id}`, sentence: turn.summary, type: 'note', status: 'open', createdAt: AT })],
      redacted: 0,
    })
  const host = { now: () => 0, monotonicNow: () => 0, sleep: () => new Promise<void>(() => undefined) }
  const world: World = {
    projector: createProjector({ intake, writer, draft, sort: everyDraftIsFresh, events: createEvents({}) }, host),
    settled,
    attempts: () => attempts,
    admit() {
      const id = `id-${(order += 1)}`
      const turn = { runId: id, conversationId: 'c', summary: `Sentence ${order}.` }
      waiting.set(id, { id, order, admittedAt: AT, attempts: 0, turn })
      return order
    },
    onPublish: () => undefined,
  }
  return world
}

const full = new StoreError('storage_failed', 'x', { outcome: 'not_written' })

describe('flush', () => {
  test('ends beside a producer that never stops, with all that was admitted before it', async () => {
    const world = makeWorld()
    world.onPublish = () => void world.admit() // each batch finds the next turn waiting
    for (let n = 0; n < 3; n += 1) world.admit()
    await world.projector.flush()
    expect(world.settled).toEqual(expect.arrayContaining([1, 2, 3]))
    await world.projector.stop()
  })

  test('called during a batch waits for what was admitted after that batch was chosen', async () => {
    const world = makeWorld()
    world.admit()
    let flushed: Promise<void> | undefined
    let settledThen: number[] = []
    world.onPublish = () => {
      if (flushed !== undefined) return
      world.admit()
      flushed = world.projector.flush().then(() => {
        settledThen = [...world.settled]
      })
    }
    world.projector.wake()
    while (flushed === undefined) await nextTurnOfLoop()
    await flushed
    expect(settledThen).toEqual([1, 2])
  })

  test('of several callers each waits for its own', async () => {
    const world = makeWorld()
    const seen: number[][] = []
    const flushes = [1, 2, 3].map(async () => {
      const through = world.admit()
      await world.projector.flush()
      seen.push(world.settled.filter((order) => order <= through))
    })
    await Promise.all(flushes)
    expect(seen.map((orders) => orders.length)).toEqual([1, 2, 3])
  })

  test('a local fault ends it, after one attempt that began after the call', async () => {
    const world = makeWorld()
    world.admit()
    world.onPublish = () => {
      throw full
    }
    await world.projector.flush()
    expect([world.attempts(), world.settled]).toEqual([1, []])
    let during: Promise<void> | undefined
    world.onPublish = () => {
      if (during !== undefined) return
      during = world.projector.flush() // the disk is mended while the attempt of the other caller fails
      throw full
    }
    await world.projector.flush()
    await during
    expect([world.attempts(), world.settled]).toEqual([3, [1]])
  })

  test.each([
    ['nothing was ever admitted', () => undefined],
    ['everything is settled', (world: World) => (world.admit(), world.projector.flush())],
  ])('ends where %s', async (_name, prepare) => {
    const world = makeWorld()
    await prepare(world)
    await world.projector.flush()
    expect(world.projector.counts().failures).toBe(0)
  })

  test.each(['lease_lost', 'store_closed'] as const)(
    'ends when the projector stops by %s, and after it',
    async (code) => {
      const world = makeWorld()
      world.admit()
      world.onPublish = () => {
        throw new StoreError(code, 'x')
      }
      await Promise.all([world.projector.flush(), world.projector.flush()])
      await world.projector.flush()
      expect(world.attempts()).toBe(1)
    },
  )

  test('ends when the projector is stopped in the same tick', async () => {
    const world = makeWorld()
    world.admit()
    await Promise.all([world.projector.flush(), world.projector.stop(), world.projector.flush()])
    expect(world.settled.length).toBeLessThanOrEqual(1)
  })
})

test('of a store with four producers that send as fast as they can, a flush ends', async () => {
  const store = await openStore(makeTemporaryRoot())
  let isOver = false
  let sent = 0
  const produce = async (): Promise<void> => {
    while (!isOver) await store.persistCompletedTurn(turn(`run-${(sent += 1)}`, `Sentence ${sent}.`))
  }
  const producers = [1, 2, 3, 4].map(produce)
  await store.persistCompletedTurn(turn('mine', 'Mine.'))
  await store.flush()
  expect(await store.turnStatus('mine')).toMatchObject({ state: 'indexed' })
  isOver = true
  await Promise.all(producers)
})
