import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import { searchError } from '../errors.js'
import type { Connection } from '../sqlite/connection.js'

/** A database larger than this is checked in another thread: each check is one call, about 12 ms a MiB. */
export const MAX_BLOCKING_BYTES = 1024 * 1024

/** With 0 it compares the index with the text it was made from, word by word. */
const WORDS = `insert into memory_words (memory_words, rank) values ('integrity-check', 0)`
const WHOLE = 'pragma integrity_check(1)'

interface Findings {
  /** What FTS5 objects to; undefined if nothing. */
  readonly words?: string | undefined
  /** `ok`, or what SQLite objects to. */
  readonly whole: unknown
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : 'no error')

function check(db: Connection): Findings {
  let words: string | undefined
  try {
    db.prepare(WORDS).run()
  } catch (error) {
    words = messageOf(error)
  }
  try {
    return { words, whole: db.prepare(WHOLE).pluck().get() }
  } catch (error) {
    return { words, whole: messageOf(error) }
  }
}

/** The same as `check`; as text, so that it does not matter how this module is bundled. */
const PROGRAM = `
const { parentPort, workerData } = require('node:worker_threads')
const Database = require(workerData.sqlite)
const attempt = (step) => { try { return { value: step() } } catch (error) { return { fault: error.message } } }
const db = new Database(workerData.path, { fileMustExist: true })
const words = attempt(() => void db.prepare(workerData.words).run()).fault
const { value, fault } = attempt(() => db.prepare(workerData.whole).pluck().get())
db.close()
parentPort.postMessage({ words, whole: value ?? fault })
`

function checkElsewhere(path: string): Promise<Findings> {
  const sqlite = createRequire(import.meta.url).resolve('better-sqlite3')
  return new Promise((resolve, reject) => {
    const workerData = { sqlite, path, words: WORDS, whole: WHOLE }
    // Without the flags of the process: `--input-type=module` would keep the program from starting.
    const worker = new Worker(PROGRAM, { eval: true, workerData, execArgv: [] })
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`The integrity check ended without a result (${code}).`)))
  })
}

const bytesOf = (db: Connection): number =>
  Number(db.pragma('page_count', { simple: true })) * Number(db.pragma('page_size', { simple: true }))

/**
 * Has FTS5 and SQLite look for faults in their own structures. No transaction may be open. A large database is checked in
 * a thread of its own, so that the event loop goes on.
 * @throws {SearchError} fts_mismatch, sqlite_integrity_failed
 */
export async function requireIntegrity(db: Connection): Promise<void> {
  const { words, whole } = bytesOf(db) > MAX_BLOCKING_BYTES ? await checkElsewhere(db.name) : check(db)
  if (words !== undefined) throw searchError('fts_mismatch', 'integrity check', new Error(words))
  if (whole !== 'ok') throw searchError('sqlite_integrity_failed', undefined, new Error(String(whole)))
}
