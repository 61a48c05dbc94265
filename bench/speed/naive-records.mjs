// What the naive store takes on disk where it holds the same records, to be looked up in the same ways.
import { copyFileSync, rmSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const require = createRequire(new URL('../../packages/memory-search/package.json', import.meta.url))
const Database = require('better-sqlite3')
const sqliteVec = require('sqlite-vec')

/**
 * Its own table of records tells a sentence from a name and no more, and finds them by number. The store that it is compared
 * with says where each stands and what its words and its lines hash to, and finds them by id, content, conversation, time
 * and salience. This puts that table, with its indexes, into a copy of the naive database.
 * @param naive  path of its database, which nobody writes
 * @param store  path of the database of the index
 * @returns bytes of the copy, which is removed
 */
export function bytesWithRecords(naive, store, directory) {
  const path = join(directory, 'naive-with-records.db')
  copyFileSync(naive, path)
  const db = new Database(path)
  try {
    sqliteVec.load(db)
    db.prepare('attach ? as store').run(store)
    db.exec('drop table main.memories')
    const made = db
      .prepare(`select sql from store.sqlite_schema where tbl_name = 'memories' and type = ? and sql is not null`)
      .pluck()
    for (const sql of made.all('table')) db.exec(sql)
    for (const sql of made.all('index')) db.exec(sql)
    db.exec('insert into main.memories select * from store.memories order by row')
    db.exec('detach store')
    db.pragma('wal_checkpoint(TRUNCATE)')
    const unused = db.pragma('freelist_count', { simple: true }) * db.pragma('page_size', { simple: true })
    return statSync(path).size - unused
  } finally {
    db.close()
    for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true })
  }
}
