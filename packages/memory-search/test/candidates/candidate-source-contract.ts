import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CandidateSource, RequiredTags } from '../../src/candidates/candidate-source.js'
import type { RowFilter } from '../../src/candidates/row-filter.js'
import { authorTag, conversationTag, timeTag } from '../../src/query/tags.js'
import { bm25, inverseFrequency } from '../../src/ranking/bm25.js'
import { cosine } from '../../src/ranking/cosine.js'
import type { Connection } from '../../src/sqlite/connection.js'
import { CANDIDATES } from '../../src/sqlite/lexical-candidates.js'
import { COLUMN_WEIGHTS } from '../../src/sqlite/schema.js'
import { hashVector } from '../support/vectors.js'
import { contractStore, EQUALS, EQUAL_SENTENCE, type ContractStore, type Modelled } from './contract-store.js'

const WEIGHTS = COLUMN_WEIGHTS.split(',').map(Number)
/** Cosines closer than this are one. */
const COSINE_TIE = 1e-6

/** What is asked for, beside words or a vector: filters of every kind, tags, and both. */
const CHOICES: readonly { readonly name: string; readonly required?: RequiredTags; readonly filter?: RowFilter }[] = [
  { name: 'of all' },
  { name: 'of a conversation', required: [[conversationTag('c-1')]] },
  { name: 'of an author in a conversation', required: [[conversationTag('c-2')], [authorTag('marsh')]] },
  { name: 'of either of two authors', required: [[authorTag('ana'), authorTag('bob')]] },
  { name: 'of a month', required: [[timeTag({ year: 2026, month: 5 })]] },
  { name: 'of another month', required: [[timeTag({ year: 2026, month: 6 })]] },
  { name: 'of nobody', required: [[authorTag('nobody')]] },
  { name: 'preferences', filter: { kind: 'preference' } },
  { name: 'lessons', filter: { kind: 'lesson' } },
  { name: 'about an entity', filter: { aboutEntities: ['person:ana'] } },
  { name: 'about either of two entities', filter: { aboutEntities: ['person:ana', 'org:tea'] } },
  { name: 'about an unknown entity', filter: { aboutEntities: ['person:nobody'] } },
  { name: 'about none', filter: { aboutEntities: [] } },
  { name: 'recorded by an instant', filter: { recordedBy: '2026-05-01T09:20:00.000Z' } },
  { name: 'recorded a millisecond before', filter: { recordedBy: '2026-05-01T09:19:59.999Z' } },
  { name: 'recorded before all', filter: { recordedBy: '2026-05-01T08:00:00.000Z' } },
  { name: 'outside conversations', filter: { outsideConversations: ['c-1', 'c-1#2026-05-02'] } },
  { name: 'outside none', filter: { outsideConversations: [] } },
  {
    name: 'by everything at once',
    required: [[authorTag('ana'), authorTag('bob')], [timeTag({ month: 5, day: 1 })]],
    filter: { kind: 'preference', aboutEntities: ['person:ana', 'org:tea'], recordedBy: '2026-05-01T09:45:00.000Z', outsideConversations: ['c-2'] }, // prettier-ignore
  },
]
const QUERIES = [
  ['tea'],
  ['x7'],
  ['green', 'marathon', 'nowhere'],
  ['猫', 'c++', 'night'],
  ['good', 'night'],
  ['nowhere'],
]

const byId = (a: Modelled, b: Modelled): number => (a.id < b.id ? -1 : 1)

/**
 * What every source of candidates has to do (SEA-11, SEA-16, SEA-19), told by a naive model of a store.
 * @param sourceOf  of this database, as it is now; asked anew for every test
 */
export function candidateSourceContract(
  name: string,
  sourceOf: (db: Connection) => CandidateSource | Promise<CandidateSource>,
): void {
  describe(`${name} is a source of candidates`, () => {
    let store: ContractStore
    const memories = (): readonly Modelled[] => store.memories
    beforeAll(async () => void (store = await contractStore()))
    afterAll(() => store.free())

    const passing = ({ required = [], filter = {} }: (typeof CHOICES)[number]): Modelled[] =>
      memories().filter(
        ({ columns, kind, entities, createdAt, conversationId }) =>
          required.every((group) => group.some((tag) => columns.at(-1)?.includes(tag))) &&
          (filter.kind === undefined || kind === filter.kind) &&
          (filter.aboutEntities === undefined || entities.some((id) => filter.aboutEntities?.includes(id))) &&
          (filter.recordedBy === undefined || createdAt <= filter.recordedBy) &&
          (conversationId === undefined || filter.outsideConversations?.includes(conversationId) !== true),
      )
    const holders = (word: string): number => memories().filter(({ columns }) => columns.flat().includes(word)).length
    const weigh = (words: readonly string[]): ((memory: Modelled) => number) => {
      const inverseFrequencies = words.map((word) => inverseFrequency(holders(word), memories().length))
      const tokens = memories().reduce((sum, { columns }) => sum + columns.flat().length, 0)
      const figures = { inverseFrequencies, averageLength: tokens / memories().length }
      return ({ columns }) => bm25(words, { columns, weights: WEIGHTS }, figures)
    }

    describe.each(CHOICES)('$name', (choice) => {
      test.each(QUERIES.map((words) => ({ words })))('the best by $words', async ({ words }) => {
        const source = await sourceOf(store.db)
        const weightOf = weigh(words)
        const matching = passing(choice)
          .map((memory) => ({ memory, weight: weightOf(memory) }))
          .filter(({ weight }) => weight > 0)
          .sort((a, b) => (Math.abs(a.weight - b.weight) > 1e-9 * a.weight ? b.weight - a.weight : byId(a.memory, b.memory))) // prettier-ignore
        const weights = new Map(matching.map(({ memory, weight }) => [memory.row, weight]))
        for (const limit of [1, 10, 50]) {
          const hits = source.lexical(words, choice.required ?? [], limit, choice.filter)
          const rows = new Set(hits.map(({ row }) => row))
          expect(rows.size).toBe(hits.length)
          expect(hits.length).toBeLessThanOrEqual(2 * CANDIDATES)
          for (const { row, bm25: value } of hits) {
            const expected = weights.get(row) ?? NaN
            expect(Math.abs(value - expected)).toBeLessThanOrEqual(1e-12 * expected)
          }
          hits.forEach(({ bm25: value }, at) =>
            expect(value).toBeLessThanOrEqual((hits[at - 1]?.bm25 ?? Infinity) * (1 + 1e-9)),
          )
          // None of the first places is left to chance, and nothing is left out while there is room.
          for (const { memory } of matching.slice(0, limit)) expect(rows).toContain(memory.row)
          if (matching.length <= CANDIDATES) expect(hits).toHaveLength(matching.length)
        }
      })

      test('the nearest', async () => {
        const source = await sourceOf(store.db)
        const near = passing(choice).flatMap((memory) => (memory.vector === undefined ? [] : [memory]))
        for (const query of ['a', 'b', EQUAL_SENTENCE]) {
          const vector = hashVector(query)
          const cosines = new Map(near.map(({ row, vector: own }) => [row, cosine(own as Float32Array, vector)]))
          const cosineOf = (row: number): number => cosines.get(row) ?? NaN
          const sorted = near.toSorted((a, b) => {
            const apart = cosineOf(b.row) - cosineOf(a.row)
            return Math.abs(apart) > COSINE_TIE ? apart : byId(a, b)
          })
          for (const limit of [1, 10, 100]) {
            const found = source.semantic(vector, choice.required ?? [], limit, choice.filter)
            const expected = sorted.slice(0, limit).map(({ row }) => row)
            expect(found.toSorted((a, b) => a - b)).toEqual(expected.toSorted((a, b) => a - b))
            found.forEach((row, at) =>
              expect(cosineOf(row)).toBeLessThanOrEqual(cosineOf(found[at - 1] ?? row) + COSINE_TIE),
            )
          }
        }
      })

      test('the first by id that carry the tags', async () => {
        const { required = [] } = choice
        if (required.length === 0) return // asked with tags alone
        const source = await sourceOf(store.db)
        for (const limit of [1, 10, 50]) {
          const expected = passing(choice).sort(byId).slice(0, limit)
          expect(source.tagged(required, limit, choice.filter)).toEqual(expected.map(({ row }) => ({ row, bm25: 0 })))
        }
      })
    })

    test('no words find nothing', async () => {
      const source = await sourceOf(store.db)
      expect(source.lexical([], [[conversationTag('c-1')]], 10)).toEqual([])
      expect(source.lexicalOf([], [1, 2])).toEqual([])
      expect(source.frequencies([])).toEqual([])
    })

    test('given rows weigh the same as among the best; those without any of the words are left out', async () => {
      const source = await sourceOf(store.db)
      const everyRow = [...memories().map(({ row }) => row), ...store.hidden, 1e6]
      for (const words of QUERIES) {
        const weightOf = weigh(words)
        const hits = new Map(source.lexicalOf(words, everyRow).map(({ row, bm25: value }) => [row, value]))
        const expected = memories().filter((memory) => weightOf(memory) > 0)
        expect([...hits.keys()].sort((a, b) => a - b)).toEqual(expected.map(({ row }) => row).sort((a, b) => a - b))
        for (const memory of expected) expect(hits.get(memory.row)).toBeCloseTo(weightOf(memory), 12)
        for (const { row, bm25: value } of source.lexical(words, [], 10)) expect(hits.get(row)).toBe(value)
      }
      expect(source.lexicalOf(['tea'], [])).toEqual([])
    })

    test('cosines are those of the stored vectors, to the last bit, of one query after the other', async () => {
      const source = await sourceOf(store.db)
      for (const vector of [hashVector('a'), hashVector('b'), hashVector('a')]) {
        for (const { row, vector: own } of memories()) {
          const expected = own === undefined ? undefined : cosine(own, vector)
          expect(source.cosineOf(row, vector)).toBe(expected)
        }
        for (const row of [...store.hidden, 1e6]) expect(source.cosineOf(row, vector)).toBeUndefined()
      }
    })

    test('the record before is the nearest one of the conversation that can be found', async () => {
      const source = await sourceOf(store.db)
      for (const { row, before } of memories()) expect(source.before(row)).toBe(before)
      expect(source.before(1e6)).toBeUndefined()
    })

    test('carried are tags that some record carries', async () => {
      const source = await sourceOf(store.db)
      const tags = ['nobody', 'ana', 'marsh', 'x'].map(authorTag)
      expect(source.carried(tags)).toEqual(['ana', 'marsh'].map(authorTag))
      expect(source.carried([])).toEqual([])
    })

    test('counts are those of the records that can be found', async () => {
      const source = await sourceOf(store.db)
      const words = ['tea', '猫', 'c++', 'x7', 'nowhere', 'night', 'tea']
      expect(source.frequencies(words)).toEqual(words.map(holders))
      expect(source.records()).toBe(memories().length)
      expect(holders('night')).toBeGreaterThan(2 * CANDIDATES)
      expect(holders('night')).toBeLessThanOrEqual(EQUALS)
    })
  })
}
