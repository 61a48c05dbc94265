// What one writes in an afternoon with SQLite: vec0 for vectors, FTS5 for words, reciprocal rank fusion of fifty of each.
import { createRequire } from 'node:module'
import { statSync } from 'node:fs'

const require = createRequire(new URL('../../packages/memory-search/package.json', import.meta.url))
const Database = require('better-sqlite3')
const sqliteVec = require('sqlite-vec')

const LISTED = 50
const RRF_CONSTANT = 60
const LIMIT = 10

const blobOf = (vector) => Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength)
const wordsOf = (text) => text.match(/[\p{L}\p{N}]+/gu) ?? []
const anyOf = (text) =>
  wordsOf(text)
    .map((word) => `"${word}"`)
    .join(' OR ')

/** Ids of the best of several lists. */
export function fused(lists, limit = LIMIT) {
  const scores = new Map()
  for (const list of lists) {
    list.forEach((id, place) => scores.set(id, (scores.get(id) ?? 0) + 1 / (RRF_CONSTANT + place + 1)))
  }
  return [...scores]
    .sort((a, b) => b[1] - a[1])
    .slice(0, limit)
    .map(([id]) => id)
}

function fill(db, { size, dimension, memory, vector }) {
  db.exec(`
    create table memories (row integer primary key, id text not null unique, sentence text not null, type text not null,
      status text not null, salience real not null, is_insight integer not null, created_at text not null,
      refs text not null, due_at text, occurred_at text, speaker text, attribution text, replaceable integer, rev text,
      conversation_id text, labels text not null);
    create virtual table vectors using vec0 (embedding float[${dimension}] distance_metric=cosine);
    create virtual table words using fts5 (text);`)
  const row = db.prepare(`insert into memories (row, id, sentence, type, status, salience, is_insight, created_at, refs,
    speaker, conversation_id, labels) values (?, ?, ?, 'note', 'open', 0.5, 0, ?, '[]', ?, ?, '[]')`)
  const near = db.prepare('insert into vectors (rowid, embedding) values (?, ?)')
  const words = db.prepare('insert into words (rowid, text) values (?, ?)')
  const insert = db.transaction((from, before) => {
    for (let n = from; n < before; n++) {
      const { id, sentence, createdAt, speaker, conversationId } = memory(n)
      row.run(n + 1, id, sentence, createdAt, speaker, conversationId)
      near.run(BigInt(n + 1), blobOf(vector(n)))
      words.run(n + 1, sentence)
    }
  })
  for (let from = 0; from < size; from += 10_000) insert(from, Math.min(size, from + 10_000))
}

/**
 * @param path  of a database that is made
 * @returns `path`; `ask(question)` → ids, best first; `lookUpMs(question)`; `bytes` of the file; `buildSeconds`
 */
export function openNaive(path, corpus) {
  const from = performance.now()
  const db = new Database(path)
  sqliteVec.load(db)
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = NORMAL')
  fill(db, corpus)
  db.pragma('wal_checkpoint(TRUNCATE)')
  const buildSeconds = (performance.now() - from) / 1000
  const nearest = db
    .prepare(`select rowid, distance from vectors where embedding match ? and k = ${LISTED} order by distance`)
    .raw()
  const best = db.prepare(`select rowid from words where words match ? order by rank limit ${LISTED}`).pluck()
  const distance = db.prepare('select vec_distance_cosine(embedding, ?) from vectors where rowid = ?').pluck()
  const memory = db.prepare('select * from memories where row = ?')
  return {
    path,
    buildSeconds,
    bytes: statSync(path).size,
    ask({ text, vector }) {
      const blob = blobOf(vector)
      const near = nearest.all(blob)
      const found = best.all(anyOf(text))
      const nearRows = new Set(near.map(([row]) => row))
      const rows = fused([[...nearRows], found])
      return rows.map((row) => memory.get(row).id)
    },
    /** How long it takes to read from vec0 the distances of what only words found; no part of `ask`. */
    lookUpMs({ text, vector }) {
      const blob = blobOf(vector)
      const nearRows = new Set(nearest.all(blob).map(([row]) => row))
      const found = best.all(anyOf(text)).filter((row) => !nearRows.has(row))
      const started = performance.now()
      for (const row of found) distance.get(blob, row)
      return performance.now() - started
    },
    close: () => db.close(),
  }
}
