import { afterEach, expect, test } from 'vitest'
import Database from 'better-sqlite3'
import { exactSource } from '../../src/candidates/exact-source.js'
import { authorTag, conversationTag } from '../../src/query/tags.js'
import { cosine } from '../../src/ranking/cosine.js'
import { loadVectorFunctions, type Connection } from '../../src/sqlite/connection.js'
import { CANDIDATES, indexedRecords } from '../../src/sqlite/lexical-candidates.js'
import { databaseOf } from '../support/dump.js'
import { bullet } from '../support/roots.js'
import { DAY, newRoot } from '../support/scenario.js'
import { build, hashProvider, hashVector } from '../support/vectors.js'
import { candidateSourceContract } from './candidate-source-contract.js'

candidateSourceContract('the exact source', (db) => exactSource(db, indexedRecords(db)))

const WORDS = ['tea', 'green', 'pottery', 'marathon', 'paint']
const COUNT = 150
const memories = Array.from({ length: COUNT }, (_, at) => {
  const words = WORDS.filter((_word, bit) => ((at + 1) >> bit) % 2 === 1)
  return {
    id: `m-${String(COUNT - at).padStart(3, '0')}`,
    sentence: `x${at} ${words.join(' ')}`.trim(),
    conversationId: `c-${at % 3}`,
    speaker: at % 2 === 0 ? 'Ana' : 'Bob',
    words,
  }
})
const ids = new Map(memories.map(({ id }, at) => [at + 1, id]))

const open: Connection[] = []
afterEach(() => {
  for (const db of open.splice(0)) db.close()
})

async function source(embedded = COUNT) {
  const root = await newRoot()
  root.write(
    DAY,
    memories.map(({ words: _, ...fields }) => bullet(fields)),
  )
  const known = new Set(memories.slice(0, embedded).map(({ sentence }) => sentence))
  await build(root, { embed: hashProvider() })
  const db = new Database(databaseOf(root.path))
  open.push(db)
  loadVectorFunctions(db)
  for (const { row, sentence } of db.prepare('select row, sentence from memories').all() as {
    row: number
    sentence: string
  }[]) {
    if (!known.has(sentence)) db.prepare('delete from memory_vectors where row = ?').run(row)
  }
  return exactSource(db, indexedRecords(db))
}

test('the nearest are those of a naive scan, in order, of all and of a conversation', async () => {
  const exact = await source()
  for (const query of ['a', 'b', 'c']) {
    const vector = hashVector(query)
    const naive = (limit: number, of = memories): string[] =>
      of
        .toSorted((a, b) => cosine(hashVector(b.sentence), vector) - cosine(hashVector(a.sentence), vector))
        .slice(0, limit)
        .map(({ id }) => id)
    const found = (limit: number, required: readonly (readonly string[])[]) =>
      exact.semantic(vector, required, limit).map((row) => ids.get(row))
    for (const limit of [1, 10, COUNT - 1, COUNT, COUNT + 1]) expect(found(limit, [])).toEqual(naive(limit))
    const mine = memories.filter(({ conversationId, speaker }) => conversationId === 'c-1' && speaker === 'Ana')
    expect(found(10, [[conversationTag('c-1')], [authorTag('ana')]])).toEqual(naive(10, mine))
  }
})

test('words asked of given rows weigh what they weigh among the best; all of both are the records that hold one', async () => {
  const exact = await source()
  const asked = ['green', 'marathon']
  const all = exact.lexicalOf(
    asked,
    memories.map((_, at) => at + 1),
  )
  // A record also bears the words of the two before it in its conversation.
  const holds = (at: number): boolean =>
    [at, at - 3, at - 6].some((place) => memories[place]?.words.some((word) => asked.includes(word)))
  expect(all.map(({ row }) => row).toSorted((a, b) => a - b)).toEqual(
    memories.flatMap((_, at) => (holds(at) ? [at + 1] : [])),
  )
  const weight = new Map(all.map(({ row, bm25 }) => [row, bm25]))
  const best = exact.lexical(asked, [], CANDIDATES)
  expect(best.length).toBeGreaterThanOrEqual(CANDIDATES)
  for (const { row, bm25 } of best) expect(weight.get(row)).toBe(bm25)
  const weakest = Math.min(...best.map(({ bm25 }) => bm25))
  const taken = new Set(best.map(({ row }) => row))
  for (const { row, bm25 } of all) if (!taken.has(row)) expect(bm25).toBeLessThanOrEqual(weakest * (1 + 1e-8))
})

test('a record without vector is nobody’s nearest and has none to compare', async () => {
  const exact = await source(COUNT - 5)
  expect(exact.semantic(hashVector('a'), [], COUNT)).toHaveLength(COUNT - 5)
  const query = hashVector('a')
  expect(exact.cosineOf(COUNT, query)).toBeUndefined()
  expect(exact.cosineOf(1, query)).toBe(cosine(hashVector(memories[0]?.sentence ?? ''), query))
  expect(exact.cosineOf(COUNT + 1, query)).toBeUndefined()
})

test('counts are those of the records', async () => {
  const exact = await source()
  expect(exact.records()).toBe(COUNT)
  expect(exact.frequencies(['x0', 'nowhere'])).toEqual([3, 0]) // itself, and the two after it
  expect(exact.tagged([[authorTag('ana')]], 3).map(({ row }) => ids.get(row))).toEqual(['m-002', 'm-004', 'm-006'])
})
