import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  EmbeddingError,
  MAX_BATCH,
  type EmbeddingProvider,
  type MissingVector,
  type NewVector,
} from '@mono-agent/memory-search'
import { createEvents } from '../src/events.js'
import type { MemoryEvent } from '../src/index.js'
import { createVectorQueue, MAX_QUEUE_BYTES, MAX_QUEUE_ITEMS } from '../src/vectors/vector-queue.js'

type Answer = (texts: readonly string[]) => Error | undefined

/** An index that is a list of texts, and a service that answers as the test says. */
function world(texts: readonly string[], answer: Answer = () => undefined) {
  const waiting = new Map(texts.map((text, at) => [at + 1, text]))
  const batches: (readonly string[])[] = []
  const takes: number[] = []
  const events: MemoryEvent[] = []
  const alarms: { ms: number; ring: () => void }[] = []
  let nowMs = 0
  let prepared = 0
  const index = {
    missingVectors(after: number, limit: number): MissingVector[] {
      const rows = [...waiting].filter(([row]) => row > after).slice(0, limit)
      takes.push(rows.length)
      return rows.map(([row, text]) => ({ row, contentHash: `h-${text}`, text }))
    },
    countMissingVectors: () => waiting.size,
    writeVectors(vectors: readonly NewVector[]) {
      let written = 0
      for (const { contentHash } of vectors) {
        for (const [row, text] of waiting) if (`h-${text}` === contentHash) written += Number(waiting.delete(row))
      }
      return written
    },
  }
  const embed = {
    async embed(asked: readonly string[]) {
      batches.push(asked)
      await Promise.resolve()
      const error = answer(asked)
      if (error !== undefined) throw error
      return asked.map(() => new Float32Array([1]))
    },
  } as unknown as EmbeddingProvider
  const queue = createVectorQueue(
    {
      index,
      embed,
      prepare: () => Promise.resolve(void (prepared += 1)),
      events: createEvents({ onEvent: (event) => void events.push(event) }),
    },
    {
      monotonicNow: () => nowMs,
      sleep: (ms, { signal }) =>
        new Promise((resolve) => {
          const ring = (): void => {
            nowMs += ms
            resolve()
          }
          alarms.push({ ms, ring })
          signal?.addEventListener('abort', () => resolve(), { once: true })
        }),
    },
  )
  return { queue, waiting, batches, takes, events, alarms, prepared: () => prepared }
}

const down = (): Error => new EmbeddingError('embedding_unavailable')
const many = (count: number, text = (n: number) => `text ${n}`): string[] =>
  Array.from({ length: count }, (_, n) => text(n))

describe('the queue of vectors (CAP-2)', () => {
  test.each([
    { count: 1, sizes: [1] },
    { count: MAX_BATCH, sizes: [MAX_BATCH] },
    { count: MAX_BATCH + 1, sizes: [MAX_BATCH, 1] },
    { count: 2 * MAX_BATCH, sizes: [MAX_BATCH, MAX_BATCH] },
  ])('$count texts go in batches of $sizes', async ({ count, sizes }) => {
    const { queue, batches, waiting } = world(many(count))
    await queue.drain()
    expect(batches.map(({ length }) => length)).toEqual(sizes)
    expect(waiting.size).toBe(0)
    expect(queue.counts()).toEqual({ written: count, failures: 0, refused: 0 })
  })

  test.each([MAX_QUEUE_ITEMS - 1, MAX_QUEUE_ITEMS, MAX_QUEUE_ITEMS + 1])('holds %i items at most', async (count) => {
    const { queue, takes, waiting } = world(many(count))
    await queue.drain()
    expect(Math.max(...takes)).toBe(Math.min(count, MAX_QUEUE_ITEMS))
    expect(waiting.size).toBe(0)
  })

  test.each([
    { name: 'below', bytes: MAX_QUEUE_BYTES / 32 - 1, first: 32 },
    { name: 'at', bytes: MAX_QUEUE_BYTES / 32, first: 32 },
    { name: 'above', bytes: MAX_QUEUE_BYTES / 32 + 1, first: 31 },
  ])('its bytes $name the bound', async ({ bytes, first }) => {
    const { queue, batches, waiting } = world(many(33, (n) => String(n).padEnd(bytes, '.')))
    await queue.drain()
    expect(batches[0]).toHaveLength(first)
    expect(waiting.size).toBe(0)
  })

  test('a text that is larger than the queue by itself still goes', async () => {
    const { queue, waiting } = world(['x'.repeat(MAX_QUEUE_BYTES + 1), 'y'])
    await queue.drain()
    expect(waiting.size).toBe(0)
  })

  test('equal texts of several rows are embedded once', async () => {
    const { queue, batches } = world(['same', 'same', 'other'])
    await queue.drain()
    expect(batches).toEqual([['same', 'other']])
    expect(queue.counts().written).toBe(3)
  })

  test('nothing waiting costs no request and no calibration', async () => {
    const { queue, batches, prepared } = world([])
    await queue.drain()
    expect([batches.length, prepared()]).toEqual([0, 0])
  })
})

describe('a service that fails', () => {
  test('is tried again after 5 s, doubling, at most 5 min, and drains when it answers', async () => {
    let isDown = true
    const { queue, alarms, waiting, events } = world(many(3), () => (isDown ? down() : undefined))
    queue.wake()
    for (let round = 1; round <= 9; round++) {
      await new Promise((resolve) => setImmediate(resolve))
      expect(alarms).toHaveLength(round)
      if (round < 9) alarms.at(-1)?.ring()
    }
    expect(alarms.map(({ ms }) => ms / 1_000)).toEqual([5, 10, 20, 40, 80, 160, 300, 300, 300])
    expect(events.at(-1)).toEqual({ kind: 'embedding_failed', code: 'embedding_unavailable', waiting: 3 })
    isDown = false
    alarms.at(-1)?.ring()
    await new Promise((resolve) => setImmediate(resolve))
    await queue.drain()
    expect(waiting.size).toBe(0)
  })

  test('new memories do not hurry it; a drain does', async () => {
    let isDown = true
    const { queue, batches, waiting } = world(many(3), () => (isDown ? down() : undefined))
    await queue.drain()
    const before = batches.length
    queue.wake()
    queue.wake()
    expect(batches.length).toBe(before)
    isDown = false
    await queue.drain()
    expect(waiting.size).toBe(0)
  })

  test('after stop nothing is sent and nothing waits', async () => {
    const { queue, batches } = world(many(3))
    await queue.stop()
    queue.wake()
    await queue.drain()
    expect(batches).toEqual([])
  })
})

describe('a text that the service does not take', () => {
  test.each([
    { code: 'embedding_text_too_long' as const, name: 'too long' },
    { code: 'embedding_invalid' as const, name: 'answered with what is no vector' },
  ])('$name: set aside, counted, and no other is delayed', async ({ code }) => {
    const bad = 'text 7'
    const { queue, waiting, events } = world(many(40), (texts) =>
      texts.includes(bad) ? new EmbeddingError(code) : undefined,
    )
    await queue.drain()
    expect([...waiting.values()]).toEqual([bad])
    expect(queue.counts()).toMatchObject({ written: 39, refused: 1 })
    expect(events).toContainEqual({ kind: 'embedding_failed', code, waiting: 1 })
  })

  test('it is not sent again by the next drain', async () => {
    const { queue, batches } = world(['bad'], () => new EmbeddingError('embedding_text_too_long'))
    await queue.drain()
    await queue.drain()
    expect(batches).toEqual([['bad']])
  })

  test.each([
    { name: 'no vectors', failure: () => new EmbeddingError('embedding_invalid') },
    { name: 'HTTP 400', failure: () => new EmbeddingError('embedding_rejected', { status: 400, concerns: 'text' }) },
    { name: 'zeros', failure: () => new EmbeddingError('embedding_invalid', { concerns: 'text' }) },
  ])(
    'if everything is answered with $name it is the service: no text is refused, all drain later',
    async ({ failure }) => {
      for (const count of [1, 2, 40, MAX_QUEUE_ITEMS + 1]) {
        let isBroken = true
        const { queue, waiting, batches } = world(many(count), () => (isBroken ? failure() : undefined))
        await queue.drain()
        expect(waiting.size).toBe(count)
        expect(queue.counts()).toMatchObject({ written: 0, failures: 1, refused: 0 })
        expect(batches.length).toBeLessThanOrEqual(3)
        isBroken = false
        await queue.drain()
        expect(waiting.size).toBe(0)
      }
    },
  )

  test('one that is alone in the backlog is refused only once the service took another', async () => {
    const { queue, waiting, batches } = world(['bad'], (texts) =>
      texts.includes('bad') ? new EmbeddingError('embedding_invalid', { concerns: 'text' }) : undefined,
    )
    await queue.drain()
    expect(batches).toHaveLength(2)
    expect([waiting.size, queue.counts().refused]).toEqual([1, 1])
  })

  test('removed by a person, it is counted no more and holds up no other', async () => {
    const { queue, waiting } = world(['bad'], (texts) =>
      texts.includes('bad') ? new EmbeddingError('embedding_text_too_long') : undefined,
    )
    await queue.drain()
    waiting.delete(1)
    waiting.set(2, 'next')
    await queue.drain()
    expect([...waiting.values()]).toEqual([])
    expect(queue.counts()).toMatchObject({ written: 1, refused: 0 })
  })
})

test('whichever texts are bad and whenever it fails, in the end exactly the bad ones wait', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.boolean(), { maxLength: 80 }),
      fc.array(fc.nat(20), { maxLength: 5 }),
      async (areBad, failing) => {
        const texts = areBad.map((isBad, n) => `${isBad ? 'bad' : 'good'} ${n}`)
        let request = 0
        const { queue, waiting } = world(texts, (asked) => {
          request += 1
          if (failing.includes(request)) return down()
          return asked.some((text) => text.startsWith('bad'))
            ? new EmbeddingError('embedding_text_too_long')
            : undefined
        })
        for (let n = 0; n <= failing.length; n++) await queue.drain()
        expect([...waiting.values()].sort()).toEqual(texts.filter((text) => text.startsWith('bad')).sort())
        expect(queue.counts().refused).toBe(waiting.size)
      },
    ),
  ))
