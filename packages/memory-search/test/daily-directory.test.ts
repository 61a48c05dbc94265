import { layout } from '@mono-agent/memory-store'
import { copyFileSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { buildIndex, openIndexReader, openWritableIndex, type SearchIndex } from '../src/index.js'
import { bullet, LITE, type TestRoot } from './support/roots.js'
import { newRoot, openIn } from './support/scenario.js'

const DAYS = 4
const dayFile = (day: number): string => `daily/2026-05-0${day}.md`
const OLD_LAYOUT = '2026-04-30.md'

async function rootWithDays(days = DAYS): Promise<{ root: TestRoot; index: SearchIndex }> {
  const root = await newRoot()
  root.write(OLD_LAYOUT, [bullet({ id: 'old', sentence: 'Right under the root.' })])
  for (let day = 1; day <= days; day++) root.write(dayFile(day), [bullet({ id: `m-${day}`, sentence: `Day ${day}.` })])
  const index = await openIn(root)
  await index.catchUp()
  return { root, index }
}

const daily = (root: TestRoot): string => join(root.path, layout.daily)
const elsewhere = (root: TestRoot): string => join(root.path, 'elsewhere')

/** Another directory in its place, with the first `kept` files. */
function replaceDaily(root: TestRoot, kept: number): void {
  renameSync(daily(root), elsewhere(root))
  mkdirSync(daily(root), { mode: 0o700 })
  for (const name of readdirSync(elsewhere(root)).sort().slice(0, kept)) {
    copyFileSync(join(elsewhere(root), name), join(daily(root), name))
  }
}

const LOSSES: readonly { name: string; lose: (root: TestRoot) => void }[] = [
  { name: 'moved away', lose: (root) => renameSync(daily(root), elsewhere(root)) },
  { name: 'deleted', lose: (root) => rmSync(daily(root), { recursive: true }) },
  { name: 'replaced by an empty one, as when it is unmounted', lose: (root) => replaceDaily(root, 0) },
  { name: 'replaced by one that lacks more than half', lose: (root) => replaceDaily(root, 1) },
]

const DELETIONS: readonly { name: string; remove: (root: TestRoot) => void; removed: number }[] = [
  { name: 'one file', remove: (root) => root.remove(dayFile(1)), removed: 1 },
  { name: 'all but one', remove: (root) => [1, 2, 3].forEach((day) => root.remove(dayFile(day))), removed: 3 },
  { name: 'each of them', remove: (root) => [1, 2, 3, 4].forEach((day) => root.remove(dayFile(day))), removed: 4 },
  { name: 'half, by restoring an older copy', remove: (root) => replaceDaily(root, 2), removed: 2 },
  { name: 'none, by restoring a copy', remove: (root) => replaceDaily(root, 4), removed: 0 },
]

describe('the whole directory is not taken for deletions', () => {
  test.each(LOSSES)('$name: a running writer and the next opening are told, nothing is dropped', async ({ lose }) => {
    const { root, index } = await rootWithDays()
    lose(root)
    expect(() => index.assertDailyInPlace()).toThrow(expect.objectContaining({ code: 'canonical_mismatch' }))
    expect(() => index.record([])).toThrow(expect.objectContaining({ code: 'canonical_mismatch' }))
    await expect(index.catchUp()).rejects.toMatchObject({ code: 'canonical_mismatch' })
    await expect(index.catchUp([dayFile(1)])).rejects.toMatchObject({ code: 'canonical_mismatch' })
    index.close()
    const next = await openIn(root)
    await expect(next.catchUp()).rejects.toMatchObject({ code: 'canonical_mismatch' })
    expect(next.stats()).toMatchObject({ memories: DAYS + 1 })
  })

  test.each(LOSSES)('$name: put back, it goes on as if nothing had been', async ({ lose }) => {
    const { root, index } = await rootWithDays()
    const name = join(root.path, 'kept')
    mkdirSync(name)
    for (const file of readdirSync(daily(root))) copyFileSync(join(daily(root), file), join(name, file))
    lose(root)
    await expect(index.catchUp()).rejects.toMatchObject({ code: 'canonical_mismatch' })
    rmSync(daily(root), { recursive: true, force: true })
    renameSync(name, daily(root))
    expect(await index.catchUp()).toMatchObject({ removed: 0 })
    expect(() => index.assertDailyInPlace()).not.toThrow()
    expect(index.stats()).toMatchObject({ memories: DAYS + 1 })
  })

  test.each(LOSSES)('$name: a rebuild accepts what is there', async ({ lose }) => {
    const { root, index } = await rootWithDays()
    index.close()
    lose(root)
    const { indexed } = await buildIndex({
      root: root.path,
      fs: root.fs,
      lease: root.lease,
      identity: LITE,
      now: Date.now,
    })
    const next = await openIn(root)
    expect(() => next.assertDailyInPlace()).not.toThrow()
    expect(await next.catchUp()).toMatchObject({ removed: 0, added: 0 })
    expect(indexed).toBeLessThan(DAYS)
  })

  test('it goes while a catch-up reads: nothing is dropped', async () => {
    const { root, index } = await rootWithDays()
    let looks = 0
    const fs = {
      ...root.fs,
      lstat: (path: string) => {
        if (path.endsWith(dayFile(2)) && looks++ === 0) rmSync(daily(root), { recursive: true })
        return root.fs.lstat(path)
      },
    }
    index.close()
    const next = await openWritableIndex({ root: root.path, fs, lease: root.lease, identity: LITE, now: Date.now })
    await expect(next.catchUp()).rejects.toMatchObject({ code: 'canonical_mismatch' })
    expect(next.stats()).toMatchObject({ memories: DAYS + 1 })
    next.close()
  })
})

describe('deletions by a person count', () => {
  test.each(DELETIONS)('$name', async ({ remove, removed }) => {
    const { root, index } = await rootWithDays()
    remove(root)
    expect(() => index.assertDailyInPlace()).not.toThrow()
    expect(await index.catchUp()).toMatchObject({ removed })
    index.close()
    const next = await openIn(root)
    expect(await next.catchUp()).toMatchObject({ removed: 0 })
    expect(next.stats()).toMatchObject({ memories: DAYS + 1 - removed })
  })

  test('once no file of it is known, it may be made again', async () => {
    const { root, index } = await rootWithDays(1)
    root.remove(dayFile(1))
    await index.catchUp()
    rmSync(daily(root), { recursive: true })
    expect(() => index.assertDailyInPlace()).not.toThrow()
    expect(await index.catchUp()).toMatchObject({ removed: 0 })
  })
})

test('a link in its place is followed by no writer, no reader and no build (FMT-1, OPS-15)', async () => {
  const { root, index } = await rootWithDays()
  renameSync(daily(root), elsewhere(root))
  symlinkSync(elsewhere(root), daily(root))
  const options = { root: root.path, fs: root.fs, identity: LITE, now: Date.now }
  const reader = openIndexReader(options)
  expect(() => reader.isStale()).toThrow(expect.objectContaining({ code: 'path_unsafe' }))
  reader.close()
  await expect(index.catchUp()).rejects.toMatchObject({
    code: expect.stringMatching(/canonical_mismatch|path_unsafe/) as string,
  })
  index.close()
  await expect(buildIndex({ ...options, lease: root.lease })).rejects.toMatchObject({ code: 'path_unsafe' })
})
