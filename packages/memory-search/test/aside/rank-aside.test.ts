import { beforeEach, describe, expect, test, vi } from 'vitest'
import { ASIDE_FROM, AsideRanking } from '../../src/aside/rank-aside.js'
import { IDLE_MS } from '../../src/aside/ranking-thread.js'
import type { Ranking, RankRequest } from '../../src/types.js'
import { DATA, fakeThreads, rankingOf, type FakeThreads } from './fake-worker.js'

let threads: FakeThreads
let told: unknown[]
let aside: AsideRanking
let here: string[]
let isFast: boolean
beforeEach(() => {
  threads = fakeThreads()
  told = []
  here = []
  isFast = false
  const onThreadFailed = (error: unknown) => void told.push(error)
  aside = new AsideRanking({ ...DATA, onThreadFailed, startWorker: threads.start })
})

const HERE: Ranking = { ranked: [], median: -1 }
function rank(query: string, memories = ASIDE_FROM, signal?: AbortSignal): Promise<Ranking> {
  const request: RankRequest = { query, limit: 10 }
  const rankHere = () => {
    here.push(query)
    return HERE
  }
  const rankIfFast = (below: number) => (memories < below || isFast ? rankHere() : undefined)
  return aside.rank(request, undefined, { rank: rankHere, rankIfFast }, signal)
}

test.each([
  { memories: ASIDE_FROM - 1, workers: 0 },
  { memories: ASIDE_FROM, workers: 1 },
])('$memories memories: $workers threads', async ({ memories, workers }) => {
  const ranking = rank('a', memories)
  threads.workers[0]?.answer()
  expect(await ranking).toEqual(workers === 0 ? HERE : rankingOf('a'))
  expect(threads.workers).toHaveLength(workers)
})

test('what is fast is ranked here, however many memories there are', async () => {
  isFast = true
  expect(await rank('a', 10 * ASIDE_FROM)).toEqual(HERE)
  expect(threads.workers).toHaveLength(0)
})

test('one thread serves all rankings, with a connection to the same database', async () => {
  const rankings = [rank('a'), rank('bb')]
  threads.workers[0]?.answer()
  threads.workers[0]?.answer()
  expect(await Promise.all(rankings)).toEqual([rankingOf('a'), rankingOf('bb')])
  expect(threads.data).toEqual([DATA])
})

describe('a thread that is started before anybody asks', () => {
  test('is the one that is asked, and keeps no process alive', async () => {
    aside.start()
    expect(threads.workers[0]?.asked).toEqual([{ warm: true }])
    expect(threads.workers[0]?.isReferenced).toBe(false)
    const ready = aside.warm()
    expect(threads.workers[0]?.isReferenced).toBe(true)
    threads.workers[0]?.emit('message', { isWarm: true })
    await ready
    expect(threads.workers[0]?.isReferenced).toBe(false)
    const ranking = rank('a')
    threads.workers[0]?.answer()
    expect(await ranking).toEqual(rankingOf('a'))
    expect(threads.workers).toHaveLength(1)
  })

  test('ends with what it was started for', async () => {
    aside.start()
    await aside.stop()
    expect(threads.workers[0]?.hasEnded).toBe(true)
    aside.start()
    expect(threads.workers).toHaveLength(1)
  })

  test('that cannot be had is told, and who asks is answered here', async () => {
    const startWorker = () => {
      throw new Error('no threads here')
    }
    aside = new AsideRanking({ ...DATA, onThreadFailed: (error) => void told.push(error), startWorker })
    aside.start()
    expect(await rank('a')).toEqual(HERE)
    expect(told).toEqual([expect.objectContaining({ code: 'ranking_thread_failed' })])
  })
})

describe('a thread that fails', () => {
  test('is told once, as an error of this library; all that waited are ranked here, and who comes later', async () => {
    const rankings = ['a', 'b', 'c'].map((query) => rank(query))
    const cause = new Error('out of memory')
    threads.workers[0]?.crash(cause)
    expect(await Promise.all(rankings)).toEqual([HERE, HERE, HERE])
    expect(await rank('d')).toEqual(HERE)
    expect(here).toEqual(['a', 'b', 'c', 'd'])
    expect(told).toEqual([expect.objectContaining({ name: 'SearchError', code: 'ranking_thread_failed', cause })])
    expect(threads.workers).toHaveLength(1)
  })

  test('leaves the host a turn of the loop before each ranking that falls back to it', async () => {
    const rankings = ['a', 'b', 'c'].map((query) => rank(query))
    threads.workers[0]?.crash(new Error('gone'))
    let turns = 0
    let isDone = false
    const seen: string[] = []
    const look = (): void => {
      turns++
      seen.push(here.join(''))
      if (!isDone) setImmediate(look)
    }
    setImmediate(look)
    await Promise.all(rankings)
    isDone = true
    expect(turns).toBeGreaterThanOrEqual(2)
    expect(seen).toContain('a')
    expect(seen).toContain('ab')
  })

  test('that cannot be started is no error of the ranking', async () => {
    const startWorker = () => {
      throw new Error('no threads here')
    }
    aside = new AsideRanking({ ...DATA, onThreadFailed: (error) => void told.push(error), startWorker })
    expect(await rank('a')).toEqual(HERE)
    expect(told).toHaveLength(1)
  })

  test('a ranking that was cancelled meanwhile is not made', async () => {
    const stop = new AbortController()
    const ranking = rank('a', ASIDE_FROM, stop.signal)
    const refused = expect(ranking).rejects.toThrow('enough')
    threads.workers[0]?.crash(new Error('gone'))
    stop.abort(new Error('enough'))
    await refused
    expect(here).toEqual([])
  })
})

test('what cannot be sent is ranked here, which says what is wrong with it; the thread stays', async () => {
  expect(await rank((() => 'a') as unknown as string)).toEqual(HERE)
  const next = rank('bb')
  threads.workers[0]?.answer()
  expect(await next).toEqual(rankingOf('bb'))
  expect(told).toEqual([])
})

test('errors of a ranking are passed on, and are no failure of the thread', async () => {
  const ranking = rank('a')
  threads.workers[0]?.answer({ failure: { name: 'SearchError', code: 'index_busy', message: 'held' } })
  await expect(ranking).rejects.toMatchObject({ code: 'index_busy' })
  expect({ told, here }).toEqual({ told: [], here: [] })
})

describe('stopped', () => {
  test('it starts no thread any more', async () => {
    await aside.stop()
    expect(await rank('a')).toEqual(HERE) // the index says that it is closed
    expect(threads.workers).toEqual([])
    await aside.stop()
  })

  test('after it was retired, what still waits is refused', async () => {
    const ranking = rank('a')
    const refused = expect(ranking).rejects.toMatchObject({ code: 'index_closed' })
    const retired = aside.retire()
    await aside.stop()
    await Promise.all([refused, retired])
    expect(threads.workers[0]?.hasEnded).toBe(true)
  })
})

test('a thread that ended for want of requests is followed by another one', async () => {
  vi.useFakeTimers()
  try {
    const first = rank('a')
    threads.workers[0]?.answer()
    await first
    vi.advanceTimersByTime(IDLE_MS)
    expect(threads.workers[0]?.hasEnded).toBe(true)
    const second = rank('bb')
    threads.workers[1]?.answer()
    expect(await second).toEqual(rankingOf('bb'))
    expect(told).toEqual([])
  } finally {
    vi.useRealTimers()
  }
})
