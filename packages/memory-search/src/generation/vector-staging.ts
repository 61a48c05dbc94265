import { checkOwned, layout, onDisk, type FileSystem } from '@mono-agent/memory-store'
import { join } from 'node:path'
import { beginWriting, connectWriter, type Connection } from '../sqlite/connection.js'
import { prepared } from '../sqlite/statements.js'
import { fromBlob, toBlob, type NewVector } from '../sqlite/vector-rows.js'
import { createDatabaseFile } from './directories.js'

const FILES = [layout.vectorStaging, `${layout.vectorStaging}-wal`, `${layout.vectorStaging}-shm`, `${layout.vectorStaging}-journal`]

const SCHEMA = `
  create table staged_for (fingerprint text primary key) strict, without rowid;
  create table staged_vectors (content_hash text primary key, vector blob not null) strict, without rowid;
`

/**
 * Vectors a rebuild has paid for and not yet switched to. A build that is killed leaves them, and the next one does not
 * embed those texts again (OPS-1). Kept apart from the new generation, which is filled without any durability.
 */
export interface VectorStaging {
  find(contentHash: string): Float32Array | undefined
  /** One transaction; a kill right after it loses nothing of it. */
  add(vectors: readonly NewVector[]): void
  close(): void
}

/** Opens what an earlier build of the same fingerprint left; of another one, or unreadable, it is begun anew. */
export function openVectorStaging(fs: FileSystem, root: string, fingerprint: string): VectorStaging {
  const path = join(root, layout.vectorStaging)
  let db = checkOwned(fs, path, 'file') === undefined ? undefined : openStaged(path, fingerprint)
  if (db === undefined) {
    removeVectorStaging(fs, root)
    createDatabaseFile(fs, path)
    db = connectWriter(path)
    beginWriting(db)
    db.exec(SCHEMA)
    db.prepare('insert into staged_for values (?)').run(fingerprint)
  }
  return stagingOf(db)
}

/** Undefined where it was made for another model, was cut before it had a schema, or is damaged: it is only a saving. */
function openStaged(path: string, fingerprint: string): Connection | undefined {
  const db = connectWriter(path)
  try {
    beginWriting(db)
    const isSound = db.pragma('quick_check(1)', { simple: true }) === 'ok'
    const found = db.prepare<[], string>('select fingerprint from staged_for').pluck().get()
    if (isSound && found === fingerprint) return db
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'SqliteError') throw error
  }
  db.close()
  return undefined
}

function stagingOf(db: Connection): VectorStaging {
  return {
    find(contentHash) {
      const select = prepared<[string], Buffer>(db, 'select vector from staged_vectors where content_hash = ?')
      const blob = select.pluck().get(contentHash)
      return blob === undefined ? undefined : fromBlob(blob)
    },
    add(vectors) {
      const insert = prepared<[string, Buffer], unknown>(db, 'insert or replace into staged_vectors values (?, ?)')
      db.transaction(() => {
        for (const { contentHash, vector } of vectors) insert.run(contentHash, toBlob(vector))
      })()
    },
    close: () => void db.close(),
  }
}

/** Once a generation that holds them all is switched to. */
export function removeVectorStaging(fs: FileSystem, root: string): void {
  for (const file of FILES) {
    const path = join(root, file)
    onDisk('remove', path, () => {
      if (fs.lstat(path) !== undefined) fs.remove(path)
    })
  }
}
