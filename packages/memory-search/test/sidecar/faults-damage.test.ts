import {
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { faultyFileSystem, type Fault } from '../../../../test/support/faulty-file-system.js'
import type { SearchIndex } from '../../src/index.js'
import { IndexQueries } from '../../src/index-queries.js'
import { WordIndex } from '../../src/sidecar/words/word-index.js'
import { lastChange } from '../../src/sqlite/change-log.js'
import { dbOf, ended, expectMended, expectTrue, happen, QUESTIONS, sealedStore, written } from './support/asked.js'
import { expectSame, requestOf } from './support/questions.js'
import { isFast, Store } from './support/stores.js'
import { Story } from './support/stories.js'
import { TIER_NAMES, TIERS } from './support/tiers.js'

// Whatever is wrong with the sealed copy, or whenever it cannot be written: it is told, the answers are those of the reference
// path, and recall is fast again as soon as a copy is made.

describe('a copy that is damaged', () => {
  const damages: readonly { name: string; detail?: string; damage: (path: string) => void }[] = [
    ...[0, 9, 14, 30, 400].map((at) => ({
      name: `with byte ${at} changed`,
      detail: at === 9 ? 'other_format' : 'damaged',
      damage: (path: string) => flip(path, at),
    })),
    ...[0.2, 0.5, 0.8, 1].map((share) => ({
      name: `with a byte changed at ${share} of it`,
      detail: 'damaged',
      damage: (path: string) => flip(path, Math.floor((statSync(path).size - 1) * share)),
    })),
    { name: 'of no bytes', detail: 'damaged', damage: (path) => truncateSync(path, 0) },
    { name: 'cut in half', detail: 'damaged', damage: (path) => truncateSync(path, statSync(path).size >> 1) },
    { name: 'without its last byte', detail: 'damaged', damage: (path) => truncateSync(path, statSync(path).size - 1) },
    { name: 'with a byte more', detail: 'damaged', damage: (path) => writeFileSync(path, 'x', { flag: 'a' }) },
    { name: 'that is a text', detail: 'damaged', damage: (path) => writeFileSync(path, 'none of it') },
  ]

  test.each(damages)('$name is told and replaced', async ({ detail, damage }) => {
    const store = await sealedStore(TIERS.journal, 40)
    damage(store.sidecarPath)
    const reader = store.reader()
    expect(isFast(reader)).toBe(false)
    expectTrue(store, reader)
    reader.close()
    expect(store.faults.splice(0)).toEqual([{ code: 'sidecar_invalid', detail }])
    const index = await store.writer()
    await index.warmRankings()
    expect(isFast(index)).toBe(true)
    expectTrue(store, index)
    await ended(index)
    expect(store.faults.splice(0)).toEqual([{ code: 'sidecar_invalid', detail }])
    await expectMended(store)
  })

  test.each<{ name: string; put: (path: string) => void }>([
    { name: 'a directory', put: (path) => (rmSync(path), mkdirSync(path)) },
    { name: 'a link', put: (path) => (renameSync(path, `${path}-2`), symlinkSync(`${path}-2`, path)) },
    { name: 'a file that has another name too', put: (path) => linkSync(path, `${path}-2`) },
  ])('$name in its place is left where it is, and told', async ({ put }) => {
    const store = await sealedStore(TIERS.journal, 40)
    put(store.sidecarPath)
    const { ino } = lstatSync(store.sidecarPath)
    const index = await store.writer()
    expect(isFast(index)).toBe(false)
    expectTrue(store, index)
    await index.warmRankings()
    expect(isFast(index)).toBe(true)
    expectTrue(store, index)
    await ended(index)
    expect(store.faults.splice(0).map(({ code }) => code)).toEqual(['sidecar_invalid', 'sidecar_unwritten'])
    expect(lstatSync(store.sidecarPath).ino).toBe(ino)
    rmSync(store.sidecarPath, { recursive: true })
    await written(store)
    await expectMended(store)
  })
})

const flip = (path: string, at: number): void => {
  const bytes = readFileSync(path)
  bytes.writeUInt8(bytes.readUInt8(at) ^ 0x21, at)
  writeFileSync(path, bytes)
}

describe('a copy that cannot be written', () => {
  const faults: readonly { name: string; fault: Fault }[] = [
    { name: 'in a directory that is read only', fault: { operation: 'open', path: /\.memory\.sidecar\.tmp/, errno: 'EACCES', times: 99 } },
    { name: 'on a full disk, from the first byte on', fault: { operation: 'file.write', path: /memory\.sidecar/, errno: 'ENOSPC', times: 99 } },
    { name: 'on a disk that fills up', fault: { operation: 'file.write', path: /memory\.sidecar/, nth: 3, takes: 7, errno: 'ENOSPC', times: 99 } },
    { name: 'on a disk that cannot flush', fault: { operation: 'file.sync', path: /memory\.sidecar/, errno: 'EIO', times: 99 } },
    { name: 'that cannot get its name', fault: { operation: 'rename', path: /memory\.sidecar/, errno: 'EIO', times: 99 } },
  ] // prettier-ignore

  test.each(faults)('$name: it is told, and the one before stays', async ({ fault }) => {
    const store = await sealedStore(TIERS.journal, 200)
    const before = readFileSync(store.sidecarPath)
    const disk = faultyFileSystem()
    store.fs = disk.fs
    const index = await store.writer()
    expectTrue(store, index)
    disk.inject(fault)
    for (const file of [0, 1, 2, 3]) await happen(store, index, { kind: 'reword-file', file, words: ['tea', '42'] })
    await index.warmRankings()
    expect(store.faults.splice(0)).toEqual([{ code: 'sidecar_unwritten', detail: undefined }])
    expect(disk.played()).toBeGreaterThan(0)
    expect(isFast(index)).toBe(true)
    expectTrue(store, index)
    expect(readFileSync(store.sidecarPath)).toEqual(before)
    expect(readdirSync(dirname(store.sidecarPath)).filter((file) => file.includes('.tmp-'))).toEqual([])

    disk.clear()
    for (const file of [0, 1, 2, 3]) await happen(store, index, { kind: 'reword-file', file, words: ['green', '42'] })
    await index.warmRankings()
    expectTrue(store, index)
    await ended(index)
    expect(readFileSync(store.sidecarPath)).not.toEqual(before)
    await expectMended(store)
  })

  test('whose fault shows only when it is asked is told once, and the reference path answers', async () => {
    const store = await sealedStore(TIERS.journal, 40)
    const reader = store.reader()
    expect(isFast(reader)).toBe(true)
    const damaged = vi.spyOn(WordIndex.prototype, 'addScores').mockImplementation(() => {
      throw new RangeError('The words of a sidecar are damaged.')
    })
    expectTrue(store, reader)
    expect(damaged).toHaveBeenCalledOnce()
    damaged.mockRestore()
    expect(isFast(reader)).toBe(false)
    expectTrue(store, reader)
    reader.close()
    expect(store.faults).toEqual([{ code: 'sidecar_failed', detail: undefined }])
  })

  test('a reader never writes one', async () => {
    const store = await Store.of(new Story(120), TIERS.journal)
    const reader = store.reader()
    await reader.warmRankings()
    expect(isFast(reader)).toBe(true)
    expectTrue(store, reader)
    reader.close()
    expect(readdirSync(dirname(store.sidecarPath))).toEqual(['memory.db'])
    expect(store.faults).toEqual([])
  })
})

describe.each(TIER_NAMES)('a transaction that is undone, %s', (name) => {
  /** The reference path on the writer's own connection, which sees what is not yet committed. */
  const expectOwn = (store: Store, index: SearchIndex): void => {
    const own = new IndexQueries(dbOf(index), store.tier.identity.tier, () => store.tier.calibration)
    const reference = store.reference()
    for (const asked of QUESTIONS) {
      const request = requestOf(asked, reference, store.story.bullets, store.tier.vectorOf)
      expectSame(index.rank(request), own.rank(request))
    }
    reference.close()
  }

  test('leaves nothing behind in the sidecar, and its numbers may be given again', async () => {
    const store = await sealedStore(TIERS[name])
    const index = await store.writer()
    const db = dbOf(index)
    expectTrue(store, index)
    const last = lastChange(db)
    const files = structuredClone([...store.story.files])

    db.exec('begin immediate')
    await happen(store, index, { count: 12, words: ['marathon'] })
    await happen(store, index, { kind: 'reword', words: ['marathon'] })
    expect(lastChange(db)).toBeGreaterThan(last)
    expectOwn(store, index)
    db.exec('rollback')

    for (const [file, bullets] of files) store.story.files.set(file, bullets)
    store.write()
    expect(lastChange(db)).toBe(last)
    expect(isFast(index)).toBe(true)
    expectTrue(store, index)
    await happen(store, index, { count: 12, words: ['Zoë'] })
    expect(isFast(index)).toBe(true)
    expectTrue(store, index)
    await index.warmRankings()
    await ended(index)
    await expectMended(store)
  })
})
