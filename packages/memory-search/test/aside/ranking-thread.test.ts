import { getEventListeners } from 'node:events'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { IDLE_MS, RankingThread, RequestUnsendable, ThreadUnavailable } from '../../src/aside/ranking-thread.js'
import { DATA, fakeThreads, message, rankingOf, type FakeThreads, type FakeWorker } from './fake-worker.js'

let threads: FakeThreads
let thread: RankingThread
let worker: FakeWorker
beforeEach(() => {
  threads = fakeThreads()
  thread = new RankingThread(DATA, threads.start)
  worker = threads.workers[0] as FakeWorker
})
afterEach(() => thread.stop())

const queries = () => worker.asked.map(({ request }) => request.query)
const SEARCH_CLOSED = { name: 'SearchError', code: 'index_closed' }

describe('the queue', () => {
  test('gives one request at a time, in order, each its own answer', async () => {
    const rankings = ['a', 'bb', 'ccc'].map((query) => thread.rank(message(query)))
    expect(queries()).toEqual(['a'])
    for (const sent of [
      ['a', 'bb'],
      ['a', 'bb', 'ccc'],
      ['a', 'bb', 'ccc'],
    ]) {
      worker.answer()
      expect(queries()).toEqual(sent)
    }
    expect(await Promise.all(rankings)).toEqual(['a', 'bb', 'ccc'].map(rankingOf))
  })

  test('an error of a ranking is that of its request alone, with its type and code', async () => {
    const [first, second, third] = ['a', 'b', 'c'].map((query) => thread.rank(message(query))) as [
      Promise<unknown>,
      Promise<unknown>,
      Promise<unknown>,
    ]
    worker.answer({ failure: { name: 'SearchError', code: 'index_busy', message: 'held' } })
    await expect(first).rejects.toMatchObject({ name: 'SearchError', code: 'index_busy', message: 'held' })
    worker.answer({ failure: { name: 'RangeError', message: 'The limit is 1..50.' } })
    await expect(second).rejects.toThrow(new RangeError('The limit is 1..50.'))
    worker.answer()
    expect(await third).toEqual(rankingOf('c'))
  })

  test('what cannot be sent is refused, and holds up nobody', async () => {
    const busy = thread.rank(message('a'))
    const odd = thread.rank(message((() => 'b') as unknown as string))
    const after = thread.rank(message('cc'))
    worker.answer()
    await busy
    await expect(odd).rejects.toBeInstanceOf(RequestUnsendable)
    worker.answer()
    expect(await after).toEqual(rankingOf('cc'))
    await expect(thread.rank(message(Symbol('d') as unknown as string))).rejects.toBeInstanceOf(RequestUnsendable)
    expect(worker.isReferenced).toBe(false)
  })
})

describe('cancelling', () => {
  test('before: nothing is sent', async () => {
    await expect(thread.rank(message('a'), AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough')
    expect(queries()).toEqual([])
  })

  test('while it waits: left out', async () => {
    const stop = new AbortController()
    const first = thread.rank(message('a'))
    const second = thread.rank(message('b'), stop.signal)
    const third = thread.rank(message('c'))
    stop.abort(new Error('enough'))
    await expect(second).rejects.toThrow('enough')
    worker.answer()
    worker.answer()
    await Promise.all([first, third])
    expect(queries()).toEqual(['a', 'c'])
  })

  test('while it is ranked: refused at once; its answer is nobody else’s, and keeps no process alive', async () => {
    const stop = new AbortController()
    const first = thread.rank(message('a'), stop.signal)
    expect(worker.isReferenced).toBe(true)
    stop.abort(new Error('enough'))
    await expect(first).rejects.toThrow('enough')
    expect(worker.isReferenced).toBe(false)
    const second = thread.rank(message('bb'))
    expect(worker.isReferenced).toBe(true)
    expect(queries()).toEqual(['a'])
    worker.answer(rankedAs('a'))
    worker.answer(rankedAs('bb'))
    expect(await second).toEqual(rankingOf('bb'))
  })

  test('no listener stays on a signal that outlives its requests', async () => {
    const { signal } = new AbortController()
    const answered = thread.rank(message('a'), signal)
    worker.answer()
    await answered
    const failed = thread.rank(message('b'), signal)
    worker.answer({ failure: { name: 'Error', message: 'odd' } })
    await expect(failed).rejects.toThrow('odd')
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })
})

const rankedAs = (query: string) => ({ ranking: rankingOf(query) })

test('it keeps the process alive as long as somebody waits, and no longer', async () => {
  expect(worker.isReferenced).toBe(false)
  const both = [thread.rank(message('a')), thread.rank(message('b'))]
  worker.answer()
  expect(worker.isReferenced).toBe(true)
  worker.answer()
  expect(worker.isReferenced).toBe(false)
  await Promise.all(both)
})

describe('an end', () => {
  test('stopped: all that wait are refused; a late answer is nobody’s', async () => {
    const both = [thread.rank(message('a')), thread.rank(message('b'))]
    const told = Promise.allSettled(both)
    await thread.stop()
    expect((await told).map((outcome) => outcome.status === 'rejected' && (outcome.reason as unknown))).toEqual([
      expect.objectContaining(SEARCH_CLOSED),
      expect.objectContaining(SEARCH_CLOSED),
    ])
    worker.answer()
    expect(worker).toMatchObject({ hasEnded: true, isReferenced: false })
    await thread.stop()
  })

  test.each([
    { name: 'that it is ready', say: () => worker.emit('message', { isWarm: true }) },
    { name: 'a ranking', say: () => worker.answer() },
  ])('stopped: who waits for its end keeps the process alive, whatever still comes: $name', async ({ say }) => {
    worker.endsLate = true
    const refused = expect(thread.rank(message('a'))).rejects.toMatchObject(SEARCH_CLOSED)
    const stopped = thread.stop()
    say()
    await refused
    expect(worker.isReferenced).toBe(true)
    worker.end()
    await stopped
  })

  test('retired: answers what waits, then ends', async () => {
    const both = [thread.rank(message('a')), thread.rank(message('bb'))]
    const retired = thread.retire()
    worker.answer()
    expect(worker.hasEnded).toBe(false)
    worker.answer()
    expect(worker.hasEnded).toBe(true)
    await retired
    expect(await Promise.all(both)).toEqual(['a', 'bb'].map(rankingOf))
  })

  test('retired with nothing to do: at once', async () => {
    await thread.retire()
    expect(worker.hasEnded).toBe(true)
  })

  test.each([
    { name: 'an error', fail: () => worker.crash(new Error('out of memory')), cause: 'out of memory' },
    { name: 'an answer that cannot be read', fail: () => worker.emit('messageerror', new Error('odd')), cause: 'odd' },
    { name: 'an end of its own', fail: () => worker.end(), cause: undefined },
  ])('by $name: all that wait are told, and so is who comes later', async ({ fail, cause }) => {
    const told = Promise.allSettled([thread.rank(message('a')), thread.rank(message('b'))])
    fail()
    for (const outcome of await told) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { name: 'ThreadUnavailable' } })
      const { cause: found } = (outcome as PromiseRejectedResult).reason as Error
      expect((found as Error | undefined)?.message).toBe(cause)
    }
    await expect(thread.rank(message('c'))).rejects.toBeInstanceOf(ThreadUnavailable)
    expect(thread.isOver).toBe(true)
    expect(worker.hasEnded).toBe(true)
  })

  test('a thread that cannot be started says so', () => {
    const start = () => {
      throw new Error('no threads here')
    }
    expect(() => new RankingThread(DATA, start)).toThrow(ThreadUnavailable)
  })
})

describe('idle', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  test('for five minutes: it ends; each request begins them anew', async () => {
    for (const query of ['a', 'b']) {
      const ranking = thread.rank(message(query))
      vi.advanceTimersByTime(IDLE_MS) // a ranking may take as long as it wants
      worker.answer()
      await ranking
      vi.advanceTimersByTime(IDLE_MS - 1)
      expect(thread.isOver).toBe(false)
    }
    vi.advanceTimersByTime(1)
    expect(thread.isOver).toBe(true)
    expect(worker.hasEnded).toBe(true)
  })

  test('no timer is left behind by an end', async () => {
    const ranking = thread.rank(message('a'))
    worker.answer()
    await ranking
    expect(vi.getTimerCount()).toBe(1)
    await thread.stop()
    expect(vi.getTimerCount()).toBe(0)
  })
})
