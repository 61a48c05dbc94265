import { contentHash, type Bullet } from '@mono-agent/memory-store'
import fc from 'fast-check'
import { expect } from 'vitest'
import type { IndexReader, RankedMemory, Ranking, RankRequest } from '../../../src/index.js'
import { CONVERSATIONS, DAYS, ENTITIES, instantOf, WORDS } from './stories.js'

const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 })

/** What may be asked; of whole sentences, one is taken from the store at the time. */
export const question = fc.record({
  query: fc.oneof(
    { weight: 4, arbitrary: fc.array(fc.constantFrom(...WORDS, 'x', 'x3', 'nowhere'), { minLength: 1, maxLength: 4 }).map((words) => words.join(' ')) }, // prettier-ignore
    fc.constantFrom(
      'What did Ana say about tea?',
      'Bob Marsh tea',
      'pottery in May 2026',
      'Ana on 2026-05-01',
      'April',
    ),
    fc.constantFrom('', '???', '\u0000 " OR (', 'nothing of it stands here'),
  ),
  /** A whole sentence of the store instead: the one of this number. */
  sentence: optional(fc.nat()),
  limit: fc.constantFrom(1, 3, 10, 50),
  conversationId: optional(fc.constantFrom(...CONVERSATIONS, 'c-9')),
  apartFrom: optional(fc.constantFrom('c-1', 'c-2', 'c-9')),
  kind: optional(fc.constantFrom('preference' as const, 'lesson' as const)),
  aboutEntities: optional(fc.subarray([...ENTITIES, 'person:nobody'])),
  asOf: optional(
    fc.tuple(fc.integer({ min: 1, max: DAYS }), fc.nat(50)).map(([day, minute]) => instantOf(day, minute)),
  ),
  /** By words alone, though there are vectors. */
  isByWords: fc.constantFrom(false, false, true),
})
export type Question = typeof question extends fc.Arbitrary<infer T> ? T : never

/** The request of a question, of the store as it is now. @param vectorOf  absent in lite */
export function requestOf(
  asked: Question,
  reference: IndexReader,
  bullets: readonly Bullet[],
  vectorOf: ((text: string) => Float32Array) | undefined,
): RankRequest {
  const { sentence, limit, conversationId, apartFrom, kind, aboutEntities, isByWords } = asked
  const query = (sentence === undefined ? undefined : bullets[sentence % bullets.length]?.sentence) ?? asked.query
  const asOf = asked.asOf === undefined ? undefined : Date.parse(asked.asOf)
  const endedVectors =
    asOf === undefined || vectorOf === undefined || isByWords
      ? undefined
      : new Map(reference.endedSince(asOf, 300).map(({ text }) => [contentHash(text), vectorOf(text)]))
  return {
    query,
    limit,
    filter: { ...(kind === undefined ? {} : { kind }), ...(aboutEntities === undefined ? {} : { aboutEntities }) },
    ...(conversationId === undefined ? {} : { conversationId }),
    ...(apartFrom === undefined ? {} : { apartFrom }),
    ...(asOf === undefined ? {} : { asOf }),
    ...(endedVectors === undefined ? {} : { endedVectors }),
    ...(vectorOf === undefined || isByWords ? {} : { vector: vectorOf(reference.embeddable(query)) }),
  }
}

/** Rounding of sums in another order; a place or a part that differs is far more. */
const CLOSE = 1e-9

function expectSameList(fast: readonly RankedMemory[], exact: readonly RankedMemory[]): void {
  expect(fast.map(({ memory }) => memory.id)).toEqual(exact.map(({ memory }) => memory.id))
  fast.forEach((one, at) => {
    const other = exact[at] as RankedMemory
    expect(one.memory).toEqual(other.memory)
    expect(one.holdsAllAnchors).toBe(other.holdsAllAnchors)
    expect(Math.abs(one.score - other.score)).toBeLessThanOrEqual(CLOSE)
    const [parts, otherParts] = [Object.entries(one.parts), Object.entries(other.parts)]
    expect(parts.map(([name]) => name).toSorted()).toEqual(otherParts.map(([name]) => name).toSorted())
    const valueOf = new Map(otherParts)
    for (const [name, value] of parts) expect(Math.abs(value - (valueOf.get(name) ?? NaN))).toBeLessThanOrEqual(CLOSE)
  })
}

/** The same memories in the same order with the same scores, parts and median. */
export function expectSame(fast: Ranking, exact: Ranking): void {
  expectSameList(fast.ranked, exact.ranked)
  expect(fast.others === undefined).toBe(exact.others === undefined)
  expectSameList(fast.others ?? [], exact.others ?? [])
  expect(fast.median === undefined).toBe(exact.median === undefined)
  expect(Math.abs((fast.median ?? 0) - (exact.median ?? 0))).toBeLessThanOrEqual(CLOSE)
}
