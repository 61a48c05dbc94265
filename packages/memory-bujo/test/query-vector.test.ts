import { describe, expect, test } from 'vitest'
import { EmbeddingError, type EmbeddingProvider } from '@mono-agent/memory-search'
import { queryVectors } from '../src/recall/query-vector.js'

const VECTOR = new Float32Array([1, 0])

/** A service whose answers, and a patience whose end, the test decides. */
function world() {
  const requests: { answer: (vector: Float32Array) => void; fail: (error: unknown) => void; signal?: AbortSignal }[] =
    []
  const patience: (() => void)[] = []
  const embed = {
    embed: (_texts: readonly string[], { signal }: { signal?: AbortSignal }) =>
      new Promise<Float32Array[]>((resolve, reject) => {
        requests.push({
          answer: (vector) => resolve([vector]),
          fail: reject,
          ...(signal === undefined ? {} : { signal }),
        })
        signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
      }),
  } as unknown as EmbeddingProvider
  const sleep = (_ms: number, { signal }: { signal?: AbortSignal }) =>
    new Promise<void>((resolve) => {
      patience.push(resolve)
      signal?.addEventListener('abort', () => resolve(), { once: true })
    })
  return { requests, patience, ask: queryVectors(embed, sleep) }
}

describe('the vector of a query (SEA-4, SEA-14)', () => {
  test('is what the service answers', async () => {
    const { requests, ask } = world()
    const asked = ask('bees', undefined)
    requests[0]?.answer(VECTOR)
    expect(await asked).toBe(VECTOR)
  })

  test('a failure is a reason, not an error', async () => {
    const { requests, ask } = world()
    const asked = ask('bees', undefined)
    requests[0]?.fail(new EmbeddingError('embedding_rate_limited'))
    expect(await asked).toBe('embedding_rate_limited')
  })

  test('a fault of the program stays an error', async () => {
    const { requests, ask } = world()
    const asked = ask('bees', undefined)
    requests[0]?.fail(new RangeError('a bug'))
    await expect(asked).rejects.toThrow('a bug')
  })

  test('an overdue request ends with the store; a recall that still waits answers by words', async () => {
    const { requests, patience, ask } = world()
    const late = ask('bees', undefined)
    const waiting = ask('wasps', new AbortController().signal)
    patience[0]?.()
    expect(await late).toBe('embedding_slow')
    expect(requests.map(({ signal }) => signal?.aborted)).toEqual([false, false])
    ask.stop()
    expect(requests.map(({ signal }) => signal?.aborted)).toEqual([true, true])
    expect(await waiting).toBe('embedding_slow')
    expect(await ask('hornets', undefined)).toBe('embedding_slow')
    expect(requests).toHaveLength(2)
  })

  test('vectors of memories have the same patience, and end with the store as well (REC-9)', async () => {
    const { requests, patience, ask } = world()
    const made = ask.ofMemories(['bees'], undefined)
    requests[0]?.answer(VECTOR)
    expect(await made).toEqual([VECTOR])
    const failed = ask.ofMemories(['bees'], undefined)
    requests[1]?.fail(new EmbeddingError('embedding_unavailable'))
    expect(await failed).toBe('embedding_unavailable')
    const late = ask.ofMemories(['bees'], undefined)
    patience[2]?.()
    expect(await late).toBe('embedding_slow')
    expect(await ask('honey', undefined)).toBe('embedding_slow')
    ask.stop()
    expect(requests.map(({ signal }) => signal?.aborted)).toEqual([false, false, true])
  })

  test('the caller’s own cancellation is rejected with its reason', async () => {
    const { ask } = world()
    const controller = new AbortController()
    const asked = ask('bees', controller.signal)
    controller.abort(new Error('changed my mind'))
    await expect(asked).rejects.toThrow('changed my mind')
  })

  test('a service that hangs costs one recall its patience; others are answered at once until it answers', async () => {
    const { requests, patience, ask } = world()
    const slow = ask('bees', undefined)
    patience[0]?.()
    expect(await slow).toBe('embedding_slow')
    expect(await ask('honey', undefined)).toBe('embedding_slow')
    expect(requests).toHaveLength(1)

    requests[0]?.answer(VECTOR) // too late for the one who asked, but the service is back
    await Promise.resolve()
    await Promise.resolve()
    await Promise.resolve()
    const next = ask('honey', undefined)
    expect(requests).toHaveLength(2)
    requests[1]?.answer(VECTOR)
    expect(await next).toBe(VECTOR)
  })

  test('a request that fails when nobody waits any more is no unhandled rejection', async () => {
    const { requests, patience, ask } = world()
    const slow = ask('bees', undefined)
    patience[0]?.()
    expect(await slow).toBe('embedding_slow')
    requests[0]?.fail(new RangeError('a bug'))
    await new Promise((resolve) => setImmediate(resolve))
    const next = ask('honey', undefined)
    requests[1]?.answer(VECTOR)
    expect(await next).toBe(VECTOR)
  })
})
