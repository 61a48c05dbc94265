import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkVectors } from '../../src/embedding/check-vectors.js'
import { CircuitBreaker, FAILURES_TO_OPEN, OPEN_MS, type Passage } from '../../src/embedding/circuit-breaker.js'
import { cutToContext } from '../../src/embedding/context-limit.js'
import { EmbeddingError } from '../../src/embedding/errors.js'
import { QUERY_CACHE_ENTRIES, QueryCache } from '../../src/embedding/query-cache.js'

describe('cutting to the context', () => {
  const graphemes = (text: string) => [...new Intl.Segmenter('und', { granularity: 'grapheme' }).segment(text)]
  const piece = fc.constantFrom('a', 'é', 'e\u0301', '語', '😀', '👩‍👩‍👧', '🇩🇪', '\r\n', 'ก็', ' ')
  const text = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(''))

  test('is the longest beginning of whole clusters that fits, as a walk over clusters finds it', () =>
    fc.assert(
      fc.property(text, fc.integer({ min: 30, max: 120 }), (whole, maxBytes) => {
        let naive = ''
        for (const { segment } of graphemes(whole)) {
          if (Buffer.byteLength(naive + segment) > maxBytes) break
          naive += segment
        }
        expect(cutToContext(whole, maxBytes)).toBe(naive)
      }),
    ))

  test('leaves something of whatever text, within the limit and without half a character', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), fc.integer({ min: 4, max: 12 }), (whole, maxBytes) => {
        const cut = cutToContext(whole, maxBytes)
        expect(cut).not.toBe('')
        expect(whole.startsWith(cut)).toBe(true)
        expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(maxBytes)
        expect(cut).not.toMatch(/\p{Cs}/u)
      }),
    ))

  test.each([
    {
      name: 'one cluster that is longer than the limit',
      whole: `e${'\u0301'.repeat(50)}`,
      maxBytes: 6,
      cut: 'e\u0301\u0301',
    },
    { name: 'an emoji at the limit', whole: '😀😀', maxBytes: 4, cut: '😀' },
    { name: 'a family of emoji above it', whole: '👩‍👩‍👧', maxBytes: 9, cut: '👩‍' },
    { name: 'a byte order mark', whole: `\ufeff${'\u0301'.repeat(9)}`, maxBytes: 4, cut: '\ufeff' },
    { name: 'nothing', whole: '', maxBytes: 4, cut: '' },
  ])('$name', ({ whole, maxBytes, cut }) => {
    expect(cutToContext(whole, maxBytes)).toBe(cut)
  })
})

describe('checking vectors', () => {
  const component = fc.double({ noNaN: true, noDefaultInfinity: true })

  test('makes the length one and keeps the direction, whatever the magnitude', () =>
    fc.assert(
      fc.property(fc.array(component, { minLength: 1, maxLength: 40 }), (numbers) => {
        fc.pre(numbers.some((one) => one !== 0))
        const [vector] = checkVectors([numbers], 1, numbers.length) as [Float32Array]
        expect(Math.hypot(...vector)).toBeCloseTo(1, 5)
        const largest = Math.max(...numbers.map(Math.abs))
        const scaled = numbers.map((one) => one / largest)
        const length = Math.hypot(...scaled)
        numbers.forEach((_, index) => expect(vector[index]).toBeCloseTo((scaled[index] as number) / length, 5))
      }),
    ))

  test.each<{ name: string; answer: unknown; code: string }>([
    { name: 'nothing', answer: undefined, code: 'embedding_invalid' },
    { name: 'an object', answer: { length: 1, 0: [1, 0] }, code: 'embedding_invalid' },
    { name: 'too few', answer: [], code: 'embedding_invalid' },
    {
      name: 'too many',
      answer: [
        [1, 0],
        [1, 0],
      ],
      code: 'embedding_invalid',
    },
    { name: 'no vector', answer: [null], code: 'embedding_invalid' },
    { name: 'text for a vector', answer: ['ab'], code: 'embedding_invalid' },
    { name: 'one number less', answer: [[1]], code: 'embedding_dimension' },
    { name: 'one number more', answer: [[1, 0, 0]], code: 'embedding_dimension' },
    { name: 'NaN', answer: [[1, Number.NaN]], code: 'embedding_invalid' },
    { name: 'infinity', answer: [[1, Infinity]], code: 'embedding_invalid' },
    { name: 'null', answer: [[1, null]], code: 'embedding_invalid' },
    { name: 'a numeral', answer: [[1, '1']], code: 'embedding_invalid' },
    { name: 'a hole', answer: [Object.assign(new Array<number>(2), { 0: 1 })], code: 'embedding_invalid' },
    { name: 'zeros', answer: [[0, -0]], code: 'embedding_invalid' },
  ])('refuses $name', ({ answer, code }) => {
    expect(() => checkVectors(answer, 1, 2)).toThrow(expect.objectContaining({ code }) as Error)
  })

  test('takes typed arrays', () => {
    expect(checkVectors([Float32Array.of(3, 4), Float64Array.of(3, 4)], 2, 2)).toEqual(
      Array.from({ length: 2 }, () => Float32Array.of(0.6, 0.8)),
    )
  })
})

describe('the query cache', () => {
  test('holds what a list in order of use holds', () =>
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5 }),
        fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 0, max: 8 }), fc.integer({ min: 0, max: 99 })), {
          maxLength: 80,
        }),
        (maxEntries, steps) => {
          const cache = new QueryCache(maxEntries)
          let naive: { key: string; value: number }[] = []
          for (const [isWrite, number, value] of steps) {
            const key = `key ${number}`
            const found = naive.find((entry) => entry.key === key)
            if (isWrite) {
              cache.set(key, Float32Array.of(value))
              naive = [...naive.filter((entry) => entry !== found), { key, value }].slice(-maxEntries)
            } else {
              expect(cache.get(key)).toEqual(found === undefined ? undefined : Float32Array.of(found.value))
              if (found !== undefined) naive = [...naive.filter((entry) => entry !== found), found]
            }
            expect(cache.size).toBe(naive.length)
          }
        },
      ),
    ))

  test.each([
    { writes: QUERY_CACHE_ENTRIES - 1, size: QUERY_CACHE_ENTRIES - 1, keepsFirst: true },
    { writes: QUERY_CACHE_ENTRIES, size: QUERY_CACHE_ENTRIES, keepsFirst: true },
    { writes: QUERY_CACHE_ENTRIES + 1, size: QUERY_CACHE_ENTRIES, keepsFirst: false },
  ])('of $writes queries holds $size', ({ writes, size, keepsFirst }) => {
    const cache = new QueryCache()
    for (let number = 0; number < writes; number++) cache.set(String(number), Float32Array.of(number))
    expect(cache.size).toBe(size)
    expect(cache.get('0') !== undefined).toBe(keepsFirst)
  })
})

/** The rules of SEA-4 as one would tell them, with every request's fate known by the state it set out in. */
class NaiveBreaker {
  row = 0
  openedAt: number | null = null
  trial: object | null = null
  /** Requests whose result still counts. */
  current = new Set<object>()

  enter(now: number): object | null {
    if (this.openedAt !== null && (now < this.openedAt + OPEN_MS || this.trial !== null)) return null
    const request = {}
    if (this.openedAt !== null) this.trial = request
    this.current.add(request)
    return request
  }

  end(request: object, result: 'answered' | 'failed' | 'abandoned', now: number): void {
    if (!this.current.delete(request)) return
    const wasTrial = this.trial === request
    if (wasTrial) this.trial = null
    if (result === 'abandoned') return
    if (result === 'answered') {
      this.row = 0
      if (this.openedAt !== null) this.current.clear()
      this.openedAt = null
    } else {
      this.row += 1
      if (wasTrial || this.row >= FAILURES_TO_OPEN) {
        this.openedAt = now
        this.current.clear()
      }
    }
  }
}

describe('the circuit breaker', () => {
  const failure = new EmbeddingError('embedding_unavailable', { status: 500 })
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.constant({ kind: 'enter' as const }) },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('end' as const),
        which: fc.nat(9),
        result: fc.constantFrom('answered' as const, 'failed' as const, 'failed' as const, 'abandoned' as const),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.constantFrom(1, 29_999, 30_000) }) },
  )

  test('lets through what a naive model of the rules lets through', () =>
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let now = 0
        const breaker = new CircuitBreaker(() => now)
        const naive = new NaiveBreaker()
        const running: { passage: Passage; request: object }[] = []
        for (const one of steps) {
          if (one.kind === 'wait') now += one.ms
          else if (one.kind === 'enter') {
            const request = naive.enter(now)
            if (request === null) expect(() => breaker.enter()).toThrow(/embedding|Three/)
            else running.push({ passage: breaker.enter(), request })
          } else if (running.length > 0) {
            const [ended] = running.splice(one.which % running.length, 1) as [(typeof running)[number]]
            if (one.result === 'failed') ended.passage.failed(failure)
            else ended.passage[one.result]()
            naive.end(ended.request, one.result, now)
          }
          expect(breaker.state === 'closed').toBe(naive.openedAt === null)
        }
      }),
      { numRuns: 500 },
    ))

  const opened = () => {
    const clock = { now: 0 }
    const breaker = new CircuitBreaker(() => clock.now)
    for (let failures = 0; failures < FAILURES_TO_OPEN; failures++) breaker.enter().failed(failure)
    return { clock, breaker }
  }

  test.each([
    { failures: 2, state: 'closed' },
    { failures: 3, state: 'open' },
  ])('after $failures failures is $state', ({ failures, state }) => {
    const breaker = new CircuitBreaker(() => 0)
    for (let number = 0; number < failures; number++) breaker.enter().failed(failure)
    expect(breaker.state).toBe(state)
  })

  test('an answer between failures begins the count anew', () => {
    const breaker = new CircuitBreaker(() => 0)
    for (const result of ['failed', 'failed', 'answered', 'failed', 'failed'] as const) {
      if (result === 'failed') breaker.enter().failed(failure)
      else breaker.enter().answered()
    }
    expect(breaker.state).toBe('closed')
  })

  test.each([
    { waitedMs: 29_999, state: 'open' },
    { waitedMs: 30_000, state: 'trial' },
    { waitedMs: 30_001, state: 'trial' },
  ])('is $state after $waitedMs ms', ({ waitedMs, state }) => {
    const { clock, breaker } = opened()
    clock.now += waitedMs
    expect(breaker.state).toBe(state)
  })

  test('a trial that fails opens it for 30 s more; one that is abandoned lets the next one try', () => {
    const { clock, breaker } = opened()
    clock.now = 30_000
    breaker.enter().abandoned()
    const trial = breaker.enter()
    expect(() => breaker.enter()).toThrow(EmbeddingError)
    clock.now = 31_000
    trial.failed(failure)
    clock.now = 60_999
    expect(breaker.state).toBe('open')
    clock.now = 61_000
    expect(breaker.state).toBe('trial')
  })

  test('what set out before it opened neither closes it nor prolongs the wait', () => {
    const clock = { now: 0 }
    const breaker = new CircuitBreaker(() => clock.now)
    const early = [breaker.enter(), breaker.enter()] as const
    for (let failures = 0; failures < FAILURES_TO_OPEN; failures++) breaker.enter().failed(failure)
    early[0].answered()
    clock.now = 20_000
    early[1].failed(failure)
    expect(breaker.state).toBe('open')
    clock.now = 30_000
    expect(breaker.state).toBe('trial')
  })
})
