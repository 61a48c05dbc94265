import Database from 'better-sqlite3'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeTemporaryRoot } from '../../../test/support/temporary-root.js'
import { AccessLog } from '../src/access-log.js'
import { openStore } from './support/open-store.js'

describe('accesses on their way to the index (REC-13)', () => {
  test.each([
    { noted: 999, written: [] },
    { noted: 1_000, written: [1_000] },
    { noted: 1_001, written: [1_000] },
  ])('$noted of them', ({ noted, written }) => {
    const batches: number[] = []
    const log = new AccessLog((ids) => void batches.push(ids.length))
    for (let n = 0; n < noted; n++) log.note([`m-${n}`])
    expect(batches).toEqual(written)
    log.flush()
    log.flush()
    expect(batches.reduce((sum, count) => sum + count, 0)).toBe(noted)
  })

  test('a write that fails loses them, and no more', () => {
    const batches: (readonly string[])[] = []
    const log = new AccessLog((ids) => {
      if (ids.includes('m-1')) throw new Error('the index is busy')
      batches.push(ids)
    })
    log.note(['m-1'])
    expect(() => log.flush()).toThrow('busy')
    log.note(['m-2'])
    log.flush()
    expect(batches).toEqual([['m-2']])
  })

  test('are counted in the index by the time the store is closed', async () => {
    const root = makeTemporaryRoot()
    const store = await openStore(root)
    const { id } = await store.remember({ text: 'Ana keeps bees.' })
    store.noteAccess([id])
    store.noteAccess([id, 'm-unknown'])
    await store.close()
    const generations = join(root, '.index/generations')
    const [generation] = readdirSync(generations)
    const db = new Database(join(generations, generation as string, 'memory.db'), { readonly: true })
    expect(db.prepare('select memory_id, count from access_counts').raw().all()).toEqual([[id, 2]])
    db.close()
    expect(() => store.noteAccess([id])).toThrow(expect.objectContaining({ code: 'store_closed' }))
  })
})
