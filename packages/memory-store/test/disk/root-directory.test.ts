import { chmodSync, mkdirSync, realpathSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { describe, expect, test } from 'vitest'
import { countingFileSystem } from '../../../../test/support/counting-file-system.js'
import { faultyFileSystem } from '../../../../test/support/faulty-file-system.js'
import { makeTemporaryRoot } from '../../../../test/support/temporary-root.js'
import { nodeFileSystem } from '../../src/disk/file-system.js'
import { prepareRoot } from '../../src/disk/root-directory.js'
import { ensureDirectory, syncDirectories } from '../../src/disk/sync-directories.js'

const modeOf = (path: string): number => statSync(path).mode & 0o777

describe('prepareRoot (FMT-1)', () => {
  test('makes a missing root and its parents, owner-only, every name flushed', async () => {
    const base = makeTemporaryRoot()
    const counting = countingFileSystem()
    const root = await prepareRoot(counting.fs, join(base, 'a', 'b', 'memory'))
    expect(root).toBe(join(base, 'a', 'b', 'memory'))
    expect(modeOf(root)).toBe(0o700)
    const made = counting.calls.filter(
      ({ operation }) => operation === 'makeDirectory' || operation === 'syncDirectory',
    )
    expect(made.map(({ operation, path }) => `${operation} ${relative(base, path)}`)).toEqual([
      `makeDirectory a`,
      'syncDirectory ',
      `makeDirectory a${sep}b`,
      'syncDirectory a',
      `makeDirectory a${sep}b${sep}memory`,
      `syncDirectory a${sep}b`,
    ])
  })

  test('a root that is found has its name flushed too: a killed process may have left it in the cache only', async () => {
    const base = makeTemporaryRoot()
    mkdirSync(join(base, 'memory'), { mode: 0o700 })
    const counting = countingFileSystem()
    await prepareRoot(counting.fs, join(base, 'memory'))
    expect(counting.calls.filter(({ operation }) => operation === 'syncDirectory').map(({ path }) => path)).toEqual([
      base,
    ])
  })

  test('the parent may be reached through links; the resolved path comes back', async () => {
    const base = makeTemporaryRoot()
    mkdirSync(join(base, 'real'))
    symlinkSync('real', join(base, 'alias'))
    expect(await prepareRoot(nodeFileSystem, join(base, 'alias', 'memory'))).toBe(join(base, 'real', 'memory'))
    expect(await prepareRoot(nodeFileSystem, `${join(base, 'alias', 'memory')}/`)).toBe(join(base, 'real', 'memory'))
  })

  test('modes that let others in are tightened; stricter ones are put right', async () => {
    for (const mode of [0o755, 0o777, 0o500, 0o700]) {
      const root = join(makeTemporaryRoot(), 'memory')
      mkdirSync(root)
      chmodSync(root, mode)
      await prepareRoot(nodeFileSystem, root)
      expect(modeOf(root)).toBe(0o700)
    }
  })

  test.each([
    { name: 'a link', make: (path: string) => symlinkSync('real', path), spelling: '' },
    { name: 'a link with a slash behind it', make: (path: string) => symlinkSync('real', path), spelling: '/' },
    { name: 'a link that leads nowhere', make: (path: string) => symlinkSync('nowhere', path), spelling: '' },
    { name: 'a file', make: (path: string) => writeFileSync(path, ''), spelling: '' },
  ])('refuses $name and leaves it', async ({ make, spelling }) => {
    const base = makeTemporaryRoot()
    mkdirSync(join(base, 'real'))
    make(join(base, 'memory'))
    const before = realpathSync(join(base, 'real'))
    const counting = countingFileSystem()
    const refused = prepareRoot(counting.fs, join(base, 'memory') + spelling)
    await expect(refused).rejects.toMatchObject({ code: 'path_unsafe' })
    expect(counting.count('chmod') + counting.count('makeDirectory')).toBe(0)
    expect(realpathSync(join(base, 'real'))).toBe(before)
  })

  test('refuses the root of the file system', async () => {
    await expect(prepareRoot(nodeFileSystem, '/')).rejects.toMatchObject({ code: 'path_unsafe' })
  })

  test.each([
    { errno: 'EACCES', isMissing: false, works: true },
    { errno: 'EIO', isMissing: false, works: false },
    { errno: 'EACCES', isMissing: true, works: false },
  ])('a parent that cannot be flushed ($errno, missing root: $isMissing)', async ({ errno, isMissing, works }) => {
    const base = makeTemporaryRoot()
    if (!isMissing) mkdirSync(join(base, 'memory'))
    const faulty = faultyFileSystem()
    faulty.inject({ operation: 'syncDirectory', errno })
    const prepared = prepareRoot(faulty.fs, join(base, 'memory'))
    if (works) await expect(prepared).resolves.toBe(join(base, 'memory'))
    else await expect(prepared).rejects.toMatchObject({ code: 'storage_failed' })
  })
})

test('two that make the same directory at once both find it made', async () => {
  const base = makeTemporaryRoot()
  const target = join(base, 'a', 'memory')
  await Promise.all(Array.from({ length: 4 }, () => prepareRoot(nodeFileSystem, target)))
  expect(statSync(target).isDirectory()).toBe(true)
  const late = { ...nodeFileSystem, lstat: () => undefined }
  await expect(ensureDirectory(late, target)).resolves.toBeUndefined()
})

test('syncDirectories flushes what is there, passes over what is not, and refuses links', async () => {
  const base = makeTemporaryRoot()
  mkdirSync(join(base, 'daily'))
  symlinkSync('daily', join(base, 'audit'))
  const counting = countingFileSystem()
  await syncDirectories(counting.fs, [base, join(base, 'daily'), join(base, 'missing')])
  expect(counting.count('syncDirectory')).toBe(2)
  await expect(syncDirectories(counting.fs, [join(base, 'audit')])).rejects.toMatchObject({ code: 'path_unsafe' })
})
