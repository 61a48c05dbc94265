import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import { searchError } from '../errors.js'
import type { Connection } from '../sqlite/connection.js'
import { SUMS_OF_WORDS, WORD_INSTANCES, WordSum, type SumOfWord } from './word-sum.js'

/** A database larger than this is checked in another thread: each check is one call, about 12 ms a MiB. */
export const MAX_BLOCKING_BYTES = 1024 * 1024

/** Of its structure alone: there are no texts that FTS5 could compare it with, see `WordSum`. */
const WORDS = `insert into memory_words (memory_words) values ('integrity-check')`
const WHOLE = 'pragma integrity_check(1)'

interface Findings {
  /** What FTS5 objects to; undefined if nothing. */
  readonly words?: string | undefined
  /** `ok`, or what SQLite objects to. */
  readonly whole: unknown
}

/** Words that are handed from one thread to the other at once. */
const BATCH = 1_000

/** The same as `check`; as text, so that it does not matter how this module is bundled. */
const PROGRAM = `
const { parentPort, workerData } = require('node:worker_threads')
const Database = require(workerData.sqlite)
const attempt = (step) => { try { return { value: step() } } catch (error) { return { fault: error.message } } }
const db = new Database(workerData.path, { fileMustExist: true })
const words = attempt(() => {
  db.prepare(workerData.words).run()
  if (workerData.sums === undefined) return
  db.exec(workerData.instances)
  let batch = []
  for (const sum of db.prepare(workerData.sums).raw().iterate()) {
    if (batch.push(sum) < workerData.batch) continue
    parentPort.postMessage({ batch })
    batch = []
  }
  parentPort.postMessage({ batch })
}).fault
const { value, fault } = attempt(() => db.prepare(workerData.whole).pluck().get())
db.close()
parentPort.postMessage({ words, whole: value ?? fault })
`

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : 'no error')

function check(db: Connection, sum: WordSum | undefined): Findings {
  let words: string | undefined
  try {
    db.prepare(WORDS).run()
    if (sum !== undefined) addIndexed(db, sum)
  } catch (error) {
    words = messageOf(error)
  }
  try {
    return { words, whole: db.prepare(WHOLE).pluck().get() }
  } catch (error) {
    return { words, whole: messageOf(error) }
  }
}

function addIndexed(db: Connection, sum: WordSum): void {
  db.exec(WORD_INSTANCES)
  try {
    for (const word of db.prepare<[], SumOfWord>(SUMS_OF_WORDS).raw().iterate()) sum.addWord(word)
  } finally {
    db.exec('drop table temp.word_instances')
  }
}

function checkElsewhere(path: string, sum: WordSum | undefined): Promise<Findings> {
  const sqlite = createRequire(import.meta.url).resolve('better-sqlite3')
  return new Promise((resolve, reject) => {
    const sums = sum === undefined ? undefined : SUMS_OF_WORDS
    const workerData = { sqlite, path, words: WORDS, whole: WHOLE, instances: WORD_INSTANCES, sums, batch: BATCH }
    // Without the flags of the process: `--input-type=module` would keep the program from starting.
    const worker = new Worker(PROGRAM, { eval: true, workerData, execArgv: [] })
    worker.on('message', (message: Findings | { readonly batch: readonly SumOfWord[] }) => {
      if ('batch' in message) for (const word of message.batch) sum?.addWord(word)
      else resolve(message)
    })
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`The integrity check ended without a result (${code}).`)))
  })
}

const bytesOf = (db: Connection): number =>
  Number(db.pragma('page_count', { simple: true })) * Number(db.pragma('page_size', { simple: true }))

/**
 * Has FTS5 and SQLite look for faults in their own structures. No transaction may be open. A large database is checked in
 * a thread of its own, so that the event loop goes on.
 * @param expected  what the full-text index must hold; without it any words will do
 * @throws {SearchError} fts_mismatch, sqlite_integrity_failed
 */
export async function requireIntegrity(db: Connection, expected?: WordSum): Promise<void> {
  const indexed = expected === undefined ? undefined : new WordSum()
  const isLarge = bytesOf(db) > MAX_BLOCKING_BYTES
  const { words, whole } = isLarge ? await checkElsewhere(db.name, indexed) : check(db, indexed)
  if (words !== undefined) throw searchError('fts_mismatch', 'integrity check', new Error(words))
  if (whole !== 'ok') throw searchError('sqlite_integrity_failed', undefined, new Error(String(whole)))
  if (indexed?.equals(expected ?? new WordSum()) === false) throw searchError('fts_mismatch', 'words of a row')
}
