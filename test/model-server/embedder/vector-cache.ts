import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { EmbeddedText } from '../types.js'

export interface VectorCache {
  /** In the order of `texts`; undefined where it holds none, or one that is not as it was written. */
  get(model: string, texts: readonly string[]): (EmbeddedText | undefined)[]
  put(model: string, texts: readonly string[], embedded: readonly EmbeddedText[]): void
  close(): void
}

const SCHEMA =
  'CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, tokens INTEGER, vector BLOB, checksum BLOB) STRICT'
const FILE = /^vectors-(\d{1,9})\.sqlite$/

/** Another process writes a batch in milliseconds; so long a wait means that something else is wrong. */
const BUSY_TIMEOUT_MS = 30_000

interface Row {
  readonly tokens: number
  readonly vector: Buffer
  readonly checksum: Buffer
}

const keyOf = (model: string, text: string) => createHash('sha256').update(`${model}\0${text}`).digest()
const checksumOf = (key: Buffer, vector: Buffer) =>
  createHash('sha256').update(key).update(vector).digest().subarray(0, 8)

/**
 * Vectors by model and text in `directory`, for several processes at once. It is a cache: a database that turns out to be
 * damaged is left where it is, and the next number begins an empty one. The others follow when they come across the
 * damage or open again.
 */
export function openVectorCache(directory: string): VectorCache {
  mkdirSync(directory, { recursive: true })
  let number = Math.max(1, ...readdirSync(directory).map((file) => Number(FILE.exec(file)?.[1] ?? 1)))
  let database: Database.Database | null = null

  const open = () => {
    const opened = new Database(join(directory, `vectors-${number}.sqlite`), { timeout: BUSY_TIMEOUT_MS })
    try {
      // A rollback journal needs no exclusive switch that processes could race for, and what a power cut loses is computed
      // anew: a process that is killed half way is undone by the next one.
      opened.pragma('synchronous = OFF')
      opened.exec(SCHEMA)
    } catch (error) {
      opened.close()
      throw error
    }
    return opened
  }

  const withDatabase = <Result>(use: (database: Database.Database) => Result): Result => {
    try {
      database ??= open()
      return use(database)
    } catch (error) {
      if (!isDamage(error)) throw error
      process.emitWarning(`The vector cache vectors-${number}.sqlite is damaged; a new one is begun beside it.`)
      database?.close()
      number += 1
      database = open()
      return use(database)
    }
  }

  return {
    get: (model, texts) =>
      withDatabase((current) => {
        const find = current.prepare<[Buffer], Row>('SELECT tokens, vector, checksum FROM vectors WHERE key = ?')
        return texts.map((text) => {
          const key = keyOf(model, text)
          const row = find.get(key)
          if (row === undefined || !checksumOf(key, row.vector).equals(row.checksum)) return undefined
          return { vector: new Float32Array(Uint8Array.from(row.vector).buffer), tokens: row.tokens }
        })
      }),
    put: (model, texts, embedded) =>
      withDatabase((current) => {
        const insert = current.prepare('INSERT OR REPLACE INTO vectors VALUES (?, ?, ?, ?)')
        const insertAll = current.transaction(() => {
          embedded.forEach(({ vector, tokens }, index) => {
            const key = keyOf(model, texts[index] ?? '')
            const bytes = Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength)
            insert.run(key, tokens, bytes, checksumOf(key, bytes))
          })
        })
        insertAll.immediate()
      }),
    close: () => database?.close(),
  }
}

function isDamage(error: unknown): boolean {
  return error instanceof Database.SqliteError && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code)
}
