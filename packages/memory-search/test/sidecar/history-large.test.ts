import { afterEach, expect, test, vi } from 'vitest'
import type { IndexReader, RankRequest, SearchIndex } from '../../src/index.js'
import { CodeStore } from '../../src/sidecar/vectors/code-store.js'
import { bullet } from '../support/roots.js'
import { drain } from '../support/vectors.js'
import { ended } from './support/asked.js'
import { clusteredVector, LARGE, recordsOf, sentenceOf } from './support/large-stores.js'
import { expectSame } from './support/questions.js'
import { isFast, Store } from './support/stores.js'
import { FILES, Story } from './support/stories.js'
import { TIERS } from './support/tiers.js'

// Stores of which estimates leave most records out. By words the lists are the same all the same; by vectors they hold what the
// goals ask for (SEA-18).

afterEach(() => void vi.unstubAllGlobals())

const RECORDS = 2_000
const QUERIES = Array.from({ length: 50 }, (_, at) => sentenceOf(1_000_000 + at))

/** By vectors alone: there are no words in it. */
const byVector = (text: string, more: Partial<RankRequest> = {}): RankRequest => ({
  query: '???',
  limit: 50,
  vector: clusteredVector(text),
  ...more,
})

const idsOf = (index: IndexReader, request: RankRequest): string[] =>
  index.rank(request).ranked.map(({ memory }) => memory.id)

const shareOf = (wanted: readonly string[], found: readonly string[]): number =>
  wanted.filter((id) => found.includes(id)).length / wanted.length

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

function expectBounds(exact: IndexReader, fast: readonly IndexReader[]): void {
  const nearest = QUERIES.map((text) => idsOf(exact, byVector(text)))
  for (const index of fast) {
    expect(isFast(index)).toBe(true)
    const found = QUERIES.map((text) => idsOf(index, byVector(text)))
    const recallAt = (count: number): number =>
      meanOf(nearest.map((wanted, at) => shareOf(wanted.slice(0, count), (found[at] as string[]).slice(0, count))))
    expect(recallAt(10)).toBeGreaterThanOrEqual(0.995)
    expect(recallAt(50)).toBeGreaterThanOrEqual(0.97)
    // Who asks for ten has fewer weighed. All of a cluster are about as near here, which is where estimates part least.
    const ten = QUERIES.map((text) => idsOf(index, { ...byVector(text), limit: 10 }))
    const shares = nearest.map((wanted, at) => shareOf(wanted.slice(0, 10), ten[at] as string[]))
    expect(meanOf(shares)).toBeGreaterThanOrEqual(0.995)
  }
  for (const request of SAME) {
    const expected = exact.rank(request)
    for (const index of fast) expectSame(index.rank(request), expected)
  }
}

/** By words, and by vectors where a filter leaves fewer records than are weighed: no estimate leaves one out. */
const SAME = QUERIES.slice(0, 6).flatMap((text): RankRequest[] => {
  const words = text.split(' ').slice(1).join(' ')
  const filters = [{}, { conversationId: 'c-7' }, { apartFrom: 'c-9' }, { filter: { kind: 'lesson' } }] as const
  return [
    ...[words, `Ana ${words}`, `${words} in May 2026`].flatMap((query) =>
      filters.map((more) => ({ query, limit: 50, ...more })),
    ),
    ...[{ conversationId: 'c-7' }, { filter: { kind: 'lesson' } } as const].map((more) => ({
      ...byVector(text, more),
      query: words,
    })),
  ]
})

async function step(store: Store, index: SearchIndex): Promise<void> {
  store.write()
  await index.catchUp()
  await index.warmRankings() // some get their vectors in the middle of it
  drain(index, clusteredVector)
  await index.warmRankings()
}

test('the bounds hold through vectors that come late, additions, rewordings and removals', async () => {
  const store = await Store.of(new Story(0), LARGE)
  const { files } = store.story
  FILES.forEach((file, at) => files.set(file, recordsOf(at * 10_000, RECORDS / 10)))
  store.write()
  let turns = 0
  const index = await store.writer({
    // Others write while it is built, compacted and sealed.
    yieldTurn: async () => {
      if (++turns % 4 !== 0) return
      const row = index.missingVectors(0, 1)[0]
      if (row !== undefined) index.writeVectors([{ contentHash: row.contentHash, vector: clusteredVector(row.text) }])
    },
  })
  const reader = store.reader()
  const exact = store.reference()
  await index.catchUp()
  await index.warmRankings() // without vectors: there is no mean yet
  drain(index, clusteredVector)
  await index.warmRankings()
  await reader.warmRankings()
  expectBounds(exact, [index])

  FILES.forEach((file, at) => files.set(file, recordsOf(at * 10_000, RECORDS / 4)))
  await step(store, index)
  await reader.warmRankings()
  expectBounds(exact, [index, reader])

  for (const [at, file] of FILES.entries()) {
    const former = files.get(file) ?? []
    files.set(file, [
      ...former.slice(0, 200),
      ...former.slice(300, 400).map(({ id, createdAt }, n) => bullet({ id, createdAt, sentence: sentenceOf(500_000 + 200 * at + n) })), // prettier-ignore
      ...former.slice(400),
    ])
  }
  await step(store, index)
  await ended(index)
  const reopened = await store.writer()
  await reader.warmRankings()
  expectBounds(exact, [reopened, reader])
  const found = QUERIES.map((text) => reopened.rank(byVector(text)))
  await ended(reopened)

  // The same copy says the same, to the last bit, where the platform has no SIMD.
  vi.stubGlobal('WebAssembly', undefined)
  expect(() => CodeStore.create({ dimension: 8, mean: new Float32Array(8), kernel: 'simd' })).toThrow(RangeError)
  const plain = store.reader()
  expect(isFast(plain)).toBe(true)
  expect(QUERIES.map((text) => plain.rank(byVector(text)))).toEqual(found)
  for (const one of [reader, exact, plain]) one.close()
  expect(store.faults).toEqual([])
}, 300_000)

test('thousands of equal records are told apart by their ids alone', async () => {
  for (const tier of [TIERS.lite, TIERS.journal]) {
    const store = await Store.of(new Story(60), tier)
    const { files } = store.story
    FILES.forEach((file, n) => {
      const many = Array.from({ length: 1_100 }, (_, at) =>
        bullet({ id: `e-${(at * 4 + n) * 7_919 % 100_003}`, sentence: 'green tea', createdAt: '2026-05-01T09:00:00.000Z' }),
      ) // prettier-ignore
      files.set(file, [...(files.get(file) ?? []), ...many])
    })
    store.write()
    const index = await store.writer()
    const exact = store.reference()
    await index.catchUp()
    if (tier.vectorOf !== undefined) drain(index, tier.vectorOf)
    await index.warmRankings()
    expect(isFast(index)).toBe(true)
    for (const query of ['tea', 'green tea', 'pottery tea', 'x3', 'May 2026', 'Ana']) {
      for (const vector of [undefined, tier.vectorOf?.('green tea'), tier.vectorOf?.(query)]) {
        const request = { query, limit: 50, ...(vector === undefined ? {} : { vector }) }
        expectSame(index.rank(request), exact.rank(request))
      }
    }
    await ended(index)
    exact.close()
    expect(store.faults).toEqual([])
  }
}, 300_000)
