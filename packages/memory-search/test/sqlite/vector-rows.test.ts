import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { connectMemory, loadVectorFunctions, type Connection } from '../../src/sqlite/connection.js'
import { rowBefore } from '../../src/sqlite/context-columns.js'
import { bm25Of } from '../../src/sqlite/lexical-candidates.js'
import { migrate } from '../../src/sqlite/schema.js'
import { nearestRows } from '../../src/sqlite/semantic-candidates.js'
import {
  fromBlob,
  isSoundVector,
  missingVectors,
  refreshVectors,
  toBlob,
  vectorOfContent,
  writeVectors,
} from '../../src/sqlite/vector-rows.js'
import { hashVector, unit } from '../support/vectors.js'

const float32 = fc
  .array(fc.float({ noDefaultInfinity: true, noNaN: true }), { maxLength: 20 })
  .map((values) => Float32Array.from(values))

test('a blob is read back the same, wherever it or the vector begins', () => {
  fc.assert(
    fc.property(float32, fc.nat(7), fc.nat(3), (vector, offset, skip) => {
      const held = new Float32Array(vector.length + skip)
      held.set(vector, skip)
      const blob = toBlob(held.subarray(skip))
      const unaligned = Buffer.alloc(blob.length + offset)
      blob.copy(unaligned, offset)
      expect(fromBlob(unaligned.subarray(offset))).toEqual(vector)
    }),
  )
})

test('a blob is little-endian, and a copy', () => {
  const blob = toBlob(Float32Array.of(1, -2))
  expect(blob.toString('hex')).toBe('0000803f000000c0')
  const read = fromBlob(blob)
  blob.fill(0)
  expect([...read]).toEqual([1, -2])
})

test.each([
  { name: 'of unit length', vector: hashVector('tea', 4), isSound: true },
  { name: 'rounded', vector: Float32Array.of(0.9995, 0, 0, 0), isSound: true },
  { name: 'too short', vector: Float32Array.of(0.998, 0, 0, 0), isSound: false },
  { name: 'too long', vector: Float32Array.of(1.002, 0, 0, 0), isSound: false },
  { name: 'zero', vector: new Float32Array(4), isSound: false },
  { name: 'not a number', vector: Float32Array.of(1, NaN, 0, 0), isSound: false },
  { name: 'infinite', vector: Float32Array.of(Infinity, 0, 0, 0), isSound: false },
  { name: 'of one dimension less', vector: hashVector('tea', 3), isSound: false },
  { name: 'of one dimension more', vector: hashVector('tea', 5), isSound: false },
])('a vector that is $name: sound $isSound', ({ vector, isSound }) => expect(isSoundVector(vector, 4)).toBe(isSound))

const open: Connection[] = []
afterEach(() => {
  for (const db of open.splice(0)) db.close()
})

interface Row {
  readonly content: string
  readonly words?: string
  readonly moment?: number
  readonly isSearchable?: boolean
}

function databaseOf(rows: readonly Row[]): Connection {
  const db = connectMemory()
  open.push(db)
  loadVectorFunctions(db)
  migrate(db)
  const insert = db.prepare(
    `insert into memories (id, file, position, sentence, type, status, salience, is_insight, created_at, refs, labels,
       moment, content_hash, digest, is_duplicate, is_searchable, conversation_id)
     values (?, 'f', ?, ?, 'note', 'open', 0, 0, '', '[]', '[]', ?, ?, '', 0, ?, 'c')`,
  )
  const words = db.prepare(
    `insert into memory_words (rowid, body, before1, before2, tags) values (?, ?, '', '', 'tag')`,
  )
  db.transaction(() => {
    rows.forEach(({ content, words: body = content, moment = 1, isSearchable = true }, at) => {
      insert.run(`m-${at}`, at, content, moment, content, isSearchable ? 1 : 0)
      if (isSearchable) words.run(at + 1, body)
    })
  })()
  return db
}
const setContent = (db: Connection, row: number, content: string): unknown =>
  db.prepare('update memories set content_hash = ? where row = ?').run(content, row)
const waitingIn = (db: Connection): number[] => missingVectors(db, 0, 100).map(({ row }) => row)

describe('rows that were touched', () => {
  test('two that swap their words swap their vectors', () => {
    const db = databaseOf([{ content: 'tea' }, { content: 'coffee' }])
    refreshVectors(db, [1, 2])
    expect(waitingIn(db)).toEqual([1, 2])
    const of = (text: string) => ({ contentHash: text, vector: hashVector(text) })
    expect(writeVectors(db, [of('tea'), of('coffee')])).toBe(2)
    setContent(db, 1, 'coffee')
    setContent(db, 2, 'tea')
    refreshVectors(db, [1, 2])
    expect(waitingIn(db)).toEqual([])
    expect(vectorOfContent(db, 'tea')).toEqual(hashVector('tea'))
    expect(db.prepare('select row, content_hash from memory_vectors order by row').raw().all()).toEqual([
      [1, 'coffee'],
      [2, 'tea'],
    ])
  })

  test.each([[[1, 2]], [[2, 1]]])(
    'words that go from one row to another take their vector along, in order %j',
    (order) => {
      const db = databaseOf([{ content: 'tea' }, { content: 'new' }])
      refreshVectors(db, [1])
      writeVectors(db, [{ contentHash: 'tea', vector: hashVector('tea') }])
      setContent(db, 1, 'other')
      setContent(db, 2, 'tea')
      refreshVectors(db, order)
      expect(waitingIn(db)).toEqual([1])
    },
  )

  test('words of a row that is gone leave their vector to the one that has them now', () => {
    const db = databaseOf([{ content: 'tea' }, { content: 'new' }])
    refreshVectors(db, [1])
    writeVectors(db, [{ contentHash: 'tea', vector: hashVector('tea') }])
    db.exec('delete from memories where row = 1')
    setContent(db, 2, 'tea')
    refreshVectors(db, [1, 2])
    expect(waitingIn(db)).toEqual([])
    expect(vectorOfContent(db, 'tea')).toEqual(hashVector('tea'))
  })

  test('a vector for words that nobody has any more changes nothing', () => {
    const db = databaseOf([{ content: 'tea' }])
    refreshVectors(db, [1])
    setContent(db, 1, 'coffee')
    refreshVectors(db, [1])
    expect(writeVectors(db, [{ contentHash: 'tea', vector: hashVector('tea') }])).toBe(0)
    expect(waitingIn(db)).toEqual([1])
  })
})

describe('what a query reads', () => {
  /** Statements run inside, as SQLite plans them. */
  const plansOf = (db: Connection, run: (traced: Connection) => unknown): string[] => {
    const asked: string[] = []
    const traced = new Proxy(db, {
      get(target, key) {
        if (key === 'prepare') return (sql: string) => (asked.push(sql), target.prepare(sql))
        const value: unknown = Reflect.get(target, key)
        return typeof value === 'function' ? (value.bind(target) as unknown) : value
      },
    })
    run(traced)
    return asked.flatMap((sql) => {
      const places = Array.from(sql.matchAll(/\?/g), () => null)
      return (db.prepare(`explain query plan ${sql}`).all(...places) as { detail: string }[]).map(
        ({ detail }) => detail,
      )
    })
  }

  test.each<{ name: string; run: (db: Connection) => unknown; plan: readonly RegExp[] }>([
    {
      name: 'the record before another one: its place is sought by all of it',
      run: (db) => rowBefore(db)(2),
      plan: [
        /^SEARCH memories USING INTEGER PRIMARY KEY/,
        /^SEARCH memories USING COVERING INDEX memories_by_conversation \(conversation_id=\? AND \(moment,file,position\)<\(\?,\?,\?\)\)$/,
      ],
    },
    {
      name: 'bm25 of some rows: one walk over the matches, not one for each row',
      run: (db) => bm25Of(db, ['tea'], [1]),
      plan: [/^SCAN memory_words VIRTUAL TABLE INDEX 0:M\d$/, /^LIST SUBQUERY/, /^SCAN json_each/],
    },
    {
      name: 'vectors that wait: by row',
      run: (db) => missingVectors(db, 0, 1),
      plan: [
        /^SEARCH vector_backlog USING INTEGER PRIMARY KEY \(rowid>\?\)/,
        /^SEARCH memories USING INTEGER PRIMARY KEY/,
      ],
    },
    {
      name: 'new vectors: the end of the change log, and the rows of their words',
      run: (db) => writeVectors(db, [{ contentHash: 'x', vector: hashVector('x') }]),
      plan: [
        /^SCALAR SUBQUERY/,
        /^SEARCH changed_rows$/,
        /^SEARCH memories USING COVERING INDEX memories_by_content/,
        /^SEARCH vector_backlog USING INTEGER PRIMARY KEY/,
      ],
    },
    {
      name: 'the vector of some words',
      run: (db) => vectorOfContent(db, 'x'),
      plan: [
        /^SEARCH memories USING COVERING INDEX memories_by_content \(content_hash=\?\)/,
        /^SEARCH memory_vectors USING INTEGER PRIMARY KEY \(rowid=\?\)/,
      ],
    },
    {
      name: 'the nearest of a conversation: only its vectors',
      run: (db) => nearestRows(db, hashVector('x'), [['tag']], 1),
      plan: [
        /^SEARCH memory_vectors USING INTEGER PRIMARY KEY \(rowid=\?\)/,
        /^LIST SUBQUERY/,
        /^SCAN memory_words/,
        /TEMP B-TREE/,
      ],
    },
  ])('$name', ({ run, plan }) => {
    const details = plansOf(databaseOf([{ content: 'tea' }, { content: 'coffee' }]), run).filter(
      (detail) => !/BLOOM/.test(detail),
    )
    for (const [at, pattern] of plan.entries()) expect(details[at]).toMatch(pattern)
    expect(details.filter((detail) => /^SCAN (?!memory_words|json_each)/.test(detail))).toEqual([])
  })
})

test('the record before one is the last before it, of thousands of one instant too', () => {
  const db = databaseOf(Array.from({ length: 3_000 }, (_, at) => ({ content: `s${at}`, isSearchable: at % 3 !== 1 })))
  const before = rowBefore(db)
  expect([1, 3, 4, 3_000].map(before)).toEqual([undefined, 1, 3, 2_998])
  expect(before(3_001)).toBeUndefined()
})

test('bm25 of a row is the same whether it was among the best or asked for', () => {
  const words = ['tea', 'green', 'pottery']
  const db = databaseOf(
    Array.from({ length: 60 }, (_, at) => ({
      content: `c${at}`,
      words: words
        .slice(at % 4)
        .concat(`w${at}`)
        .join(' '),
    })),
  )
  const all = bm25Of(
    db,
    words,
    Array.from({ length: 60 }, (_, at) => at + 1),
  )
  expect(all).toHaveLength(45)
  for (const { row, bm25 } of all) expect(bm25Of(db, words, [row])).toEqual([{ row, bm25 }])
  expect(bm25Of(db, words, [4, 8])).toEqual([])
  expect(bm25Of(db, [], [1])).toEqual([])
  expect(bm25Of(db, words, [])).toEqual([])
})

describe('the nearest', () => {
  const near = (angle: number): Float32Array => unit([Math.cos(angle), Math.sin(angle)])
  function vectorsOf(angles: readonly number[]): Connection {
    const db = databaseOf(angles.map((angle, at) => ({ content: `c${at} ${angle}` })))
    refreshVectors(
      db,
      angles.map((_, at) => at + 1),
    )
    writeVectors(
      db,
      angles.map((angle, at) => ({ contentHash: `c${at} ${angle}`, vector: near(angle) })),
    )
    return db
  }

  test('come in order, and only as many as asked for', () => {
    const db = vectorsOf([0.3, 0.1, 0.2, 3])
    expect(nearestRows(db, near(0), [], 3)).toEqual([2, 3, 1])
    expect(nearestRows(db, near(0), [], 4)).toEqual([2, 3, 1, 4])
    expect(nearestRows(db, near(0), [], 5)).toEqual([2, 3, 1, 4])
    expect(nearestRows(db, near(0), [['nobody']], 3)).toEqual([])
    expect(nearestRows(db, near(0), [['tag']], 1)).toEqual([2])
  })

  test.each([[[]], [[['tag']]]])(
    'of equals at the limit the first by id are taken, whatever their rows (%j)',
    (required) => {
      const db = vectorsOf([0.5, 0.5, 0.5, 0.5, 0.1, 0.9])
      db.exec(`update memories set id = 'x-' || (9 - row)`)
      expect(nearestRows(db, near(0), required, 3)).toEqual([5, 4, 3])
      expect(nearestRows(db, near(0), required, 1)).toEqual([5])
    },
  )
})
