import { execFileSync } from 'node:child_process'
import { linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeTemporaryRoot } from '../../../../test/support/temporary-root.js'
import { nodeFileSystem, type FileStat } from '../../src/disk/file-system.js'
import { checkOwned, openOwned, ownershipFault } from '../../src/disk/owned-file.js'

const stat = (changes: Partial<FileStat> = {}): FileStat => ({
  kind: 'file',
  dev: 1n,
  ino: 2n,
  size: 3,
  mtimeNs: 4n,
  ctimeNs: 5n,
  mode: 0o600,
  uid: 1000,
  links: 1,
  ...changes,
})

describe('ownershipFault (FMT-1)', () => {
  test.each([
    { name: 'a file of one’s own', found: stat(), kind: 'file' as const },
    { name: 'a file that others may read', found: stat({ mode: 0o644 }), kind: 'file' as const },
    { name: 'a directory with children', found: stat({ kind: 'directory', links: 9 }), kind: 'directory' as const },
  ])('accepts $name', ({ found, kind }) => {
    expect(ownershipFault(found, kind, 1000)).toBeUndefined()
  })

  test.each([
    { name: 'a link', found: stat({ kind: 'symlink' }), kind: 'file' as const, says: 'symbolic link' },
    { name: 'a pipe', found: stat({ kind: 'other' }), kind: 'file' as const, says: 'not a regular file' },
    {
      name: 'a directory for a file',
      found: stat({ kind: 'directory' }),
      kind: 'file' as const,
      says: 'not a regular',
    },
    { name: 'a file for a directory', found: stat(), kind: 'directory' as const, says: 'not a directory' },
    { name: 'a second hard link', found: stat({ links: 2 }), kind: 'file' as const, says: '2 hard links' },
    { name: 'another user’s file', found: stat({ uid: 1001 }), kind: 'file' as const, says: 'another user' },
    {
      name: 'another user’s directory',
      found: stat({ kind: 'directory', uid: 0 }),
      kind: 'directory' as const,
      says: 'another user',
    },
  ])('refuses $name', ({ found, kind, says }) => {
    expect(ownershipFault(found, kind, 1000)).toContain(says)
  })

  test('without POSIX owners only the kind is looked at', () => {
    expect(ownershipFault(stat({ uid: 0, links: 5 }), 'file', undefined)).toBeUndefined()
    expect(ownershipFault(stat({ kind: 'symlink' }), 'file', undefined)).toContain('symbolic link')
  })
})

const unsafe: { name: string; make: (path: string, root: string) => void }[] = [
  { name: 'a symlink to a file', make: (path, root) => (writeFileSync(join(root, 'x'), ''), symlinkSync('x', path)) },
  { name: 'a symlink to nothing', make: (path) => symlinkSync('nothing', path) },
  { name: 'a hard link', make: (path, root) => (writeFileSync(join(root, 'x'), ''), linkSync(join(root, 'x'), path)) },
  { name: 'a directory', make: (path) => mkdirSync(path) },
  { name: 'a pipe, which would block whoever opens it', make: (path) => void execFileSync('mkfifo', [path]) },
]

describe.each([
  { name: 'checkOwned', look: (path: string) => void checkOwned(nodeFileSystem, path, 'file') },
  { name: 'openOwned', look: (path: string) => openOwned(nodeFileSystem, path, 'read')?.close() },
])('$name', ({ look }) => {
  test.each(unsafe)('refuses $name', ({ make }) => {
    const root = makeTemporaryRoot()
    const path = join(root, 'file')
    make(path, root)
    let error: unknown
    try {
      look(path)
    } catch (thrown) {
      error = thrown
    }
    expect(error).toMatchObject({ code: 'path_unsafe' })
    expect((error as Error).message).not.toContain(root)
  })
})

test('what is not there is undefined, what is one’s own is opened', () => {
  const path = join(makeTemporaryRoot(), 'file')
  expect(checkOwned(nodeFileSystem, path, 'file')).toBeUndefined()
  expect(openOwned(nodeFileSystem, path, 'read')).toBeUndefined()
  writeFileSync(path, 'abc')
  expect(checkOwned(nodeFileSystem, path, 'file')?.size).toBe(3)
  const file = openOwned(nodeFileSystem, path, 'read')
  expect(file?.stat().size).toBe(3)
  file?.close()
})

test('a link put in place between look and open is refused when it is opened', () => {
  const root = makeTemporaryRoot()
  const path = join(root, 'file')
  writeFileSync(path, '')
  writeFileSync(join(root, 'other'), '')
  linkSync(join(root, 'other'), join(root, 'second'))
  const swapped = { ...nodeFileSystem, open: () => nodeFileSystem.open(join(root, 'second'), 'read') }
  expect(() => openOwned(swapped, path, 'read')).toThrow(/2 hard links/)
})
