import { layout } from '@mono-agent/memory-store'
import Database from 'better-sqlite3'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { beginWriting, closeWriter, connectBuilder, connectWriter } from '../../src/sqlite/connection.js'
import { databaseOf, manifestOf } from '../support/dump.js'
import { bullet, LITE } from '../support/roots.js'
import { DAY, newRoot } from '../support/scenario.js'
import { build, drain, hashVector, JOURNAL } from '../support/vectors.js'

const MIB = 1024 * 1024

const directories: string[] = []
afterEach(() => {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true })
})

function emptyFile(): string {
  const directory = mkdtempSync(join(tmpdir(), 'memory-search-'))
  directories.push(directory)
  const path = join(directory, 'memory.db')
  writeFileSync(path, '')
  return path
}

const pageBytesOf = (path: string): unknown => {
  const db = new Database(path, { readonly: true })
  try {
    return db.pragma('page_size', { simple: true })
  } finally {
    db.close()
  }
}

describe('the size of a page', () => {
  test.each([
    { identity: LITE, bytes: 4_096 },
    { identity: JOURNAL, bytes: 16_384 },
  ])('of $identity.tier is $bytes, and so in the copy that is kept', async ({ identity, bytes }) => {
    const root = await newRoot()
    root.write(DAY, [bullet({ id: 'a', sentence: 'Tea.' })])
    await build(root, { identity })
    await build(root, { identity })
    expect(pageBytesOf(databaseOf(root.path))).toBe(bytes)
    const kept = manifestOf(root.path).previous
    expect(pageBytesOf(join(root.path, layout.database(kept?.generation ?? '')))).toBe(bytes)
  })

  test('of a database that was made with another one stays, and the database goes on', async () => {
    const root = await newRoot()
    root.write(DAY, [bullet({ id: 'a', sentence: 'Tea.' })])
    await build(root)
    const old = new Database(databaseOf(root.path))
    old.exec('pragma page_size = 4096; vacuum')
    old.close()
    expect(pageBytesOf(databaseOf(root.path))).toBe(4_096)
    const index = await root.open(JOURNAL)
    root.write(DAY, [bullet({ id: 'a', sentence: 'Tea.' }), bullet({ id: 'b', sentence: 'Milk.' })])
    await index.catchUp()
    drain(index)
    expect(index.search({ query: 'milk', limit: 1, vector: hashVector('Milk.') }).map(({ id }) => id)).toEqual(['b'])
    index.close()
    expect(pageBytesOf(databaseOf(root.path))).toBe(4_096)
  })
})

describe.each([512, 4_096, 16_384, 65_536])('with pages of %i bytes', (pageBytes) => {
  test('the write-ahead log is folded in at 8 MiB', () => {
    const path = emptyFile()
    const made = connectBuilder(path)
    made.exec(`pragma page_size = ${pageBytes}; create table filling (a)`)
    made.close()
    const db = connectWriter(path)
    beginWriting(db)
    expect(db.pragma('wal_autocheckpoint', { simple: true })).toBe((8 * MIB) / pageBytes)
    let most = 0
    for (let at = 0; at < 24; at++) {
      db.prepare('insert into filling values (zeroblob(?))').run(MIB)
      most = Math.max(most, statSync(`${path}-wal`).size)
    }
    expect(most).toBeGreaterThan(7 * MIB)
    expect(most).toBeLessThan(11 * MIB) // a transaction is folded in whole, and each page has a header
    closeWriter(db)
    expect(pageBytesOf(path)).toBe(pageBytes)
  })
})
