import { checkOwned, layout, onDisk, type FileSystem } from '@mono-agent/memory-store'
import { join } from 'node:path'
import { beginWriting, connectWriter, type Connection } from '../sqlite/connection.js'
import { sqliteCode } from '../sqlite/sqlite-error.js'
import { prepared } from '../sqlite/statements.js'
import { fromBlob, toBlob, type NewVector } from '../sqlite/vector-rows.js'
import { createDatabaseFile } from './directories.js'
import { removeTree } from './index-paths.js'

const FILES = [
  layout.vectorStaging,
  `${layout.vectorStaging}-wal`,
  `${layout.vectorStaging}-shm`,
  `${layout.vectorStaging}-journal`,
]

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
  const kept = isWhole(fs, root) ? openStaged(path, fingerprint) : undefined
  if (kept !== undefined) return stagingOf(kept)
  removeVectorStaging(fs, root)
  createDatabaseFile(fs, path)
  return stagingOf(beginStaging(path, fingerprint))
}

/** SQLite would follow links and read whatever is there, so every name of the database is checked, and that it is a file. */
function isWhole(fs: FileSystem, root: string): boolean {
  const kinds = FILES.map((file) => {
    const stat = onDisk('look at', file, () => fs.lstat(join(root, file)))
    if (stat?.kind === 'file') checkOwned(fs, join(root, file), 'file')
    return stat?.kind
  })
  return kinds[0] === 'file' && kinds.every((kind) => kind === undefined || kind === 'file')
}

function beginStaging(path: string, fingerprint: string): Connection {
  const db = connectWriter(path)
  try {
    beginWriting(db)
    db.exec(SCHEMA)
    db.prepare('insert into staged_for values (?)').run(fingerprint)
    return db
  } catch (error) {
    db.close()
    throw error
  }
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
    if (sqliteCode(error) === undefined) throw error
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

/** Once a generation that holds them all is switched to. Whatever took its place goes too; links are not followed. */
export function removeVectorStaging(fs: FileSystem, root: string): void {
  for (const file of FILES) {
    const path = join(root, file)
    if (onDisk('look at', path, () => fs.lstat(path)) !== undefined) removeTree(fs, path)
  }
}
