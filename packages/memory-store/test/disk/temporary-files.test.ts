import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { holdRoot } from '../../../../test/support/held-root.js'
import { nodeFileSystem } from '../../src/disk/file-system.js'
import { listTemporaries, removeOldTemporaries } from '../../src/disk/temporary-files.js'

async function rootWithDebris() {
  const held = await holdRoot()
  const { root, lease } = held
  const daily = join(root, 'daily')
  mkdirSync(daily)
  const live = basename(lease.temporaryName(join(daily, '2026-05-01.md')))
  const names = ['.2026-05-01.md.tmp-0-3', '.2026-05-01.md.tmp-9-0', live, '2026-05-01.md', '.notes.tmp-x', '.tmp-1-2']
  for (const name of names) writeFileSync(join(daily, name), 'text')
  writeFileSync(join(root, '..writer-epoch.tmp-0-0'), '1\n')
  mkdirSync(join(daily, '.a-directory.tmp-0-0'))
  symlinkSync('2026-05-01.md', join(daily, '.a-link.tmp-0-0'))
  return { ...held, daily, live, directories: [root, daily, join(root, 'audit')] }
}

test('temporaries are told by their names, files only, with the epoch of their writer', async () => {
  const { directories, live } = await rootWithDebris()
  const found = listTemporaries(nodeFileSystem, directories).map(({ path, epoch }) => [basename(path), epoch])
  expect(found).toEqual([
    ['..writer-epoch.tmp-0-0', 0],
    ['.2026-05-01.md.tmp-0-3', 0],
    [live, 1],
    ['.2026-05-01.md.tmp-9-0', 9],
  ])
})

test('opening removes those of every other epoch and nothing else', async () => {
  const { lease, directories, daily, live } = await rootWithDebris()
  expect(removeOldTemporaries(nodeFileSystem, lease, directories)).toBe(3)
  expect(readdirSync(daily).sort()).toEqual(
    ['.a-directory.tmp-0-0', '.a-link.tmp-0-0', '.notes.tmp-x', '.tmp-1-2', live, '2026-05-01.md'].sort(),
  )
  expect(removeOldTemporaries(nodeFileSystem, lease, directories)).toBe(0)
})

test('without the lease nothing is removed', async () => {
  const { root, lease, directories, daily } = await rootWithDebris()
  const before = readdirSync(daily)
  writeFileSync(join(root, '.writer-epoch'), '5\n')
  expect(() => removeOldTemporaries(nodeFileSystem, lease, directories)).toThrow(/Another writer/)
  expect(readdirSync(daily)).toEqual(before)
})
