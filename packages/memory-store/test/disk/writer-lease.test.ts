import {
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { countingFileSystem } from '../../../../test/support/counting-file-system.js'
import { faultyFileSystem } from '../../../../test/support/faulty-file-system.js'
import { holdRoot } from '../../../../test/support/held-root.js'
import { makeTemporaryRoot } from '../../../../test/support/temporary-root.js'
import { nodeFileSystem } from '../../src/disk/file-system.js'
import { acquireWriterLease } from '../../src/disk/writer-lease.js'
import { lockWriter } from '../../src/disk/writer-lock.js'

const active = { code: 'writer_active' }

describe('acquireWriterLease (FMT-12)', () => {
  test('leaves two files, owner-only, the lock empty', async () => {
    const { root, lease } = await holdRoot()
    expect(lease.epoch).toBe(1)
    expect(readdirSync(root).sort()).toEqual(['.writer-epoch', '.writer-lease'])
    expect(statSync(join(root, '.writer-lease'))).toMatchObject({ size: 0 })
    for (const name of readdirSync(root)) expect(statSync(join(root, name)).mode & 0o777).toBe(0o600)
  })

  test('a second opening in the same process fails at once and writes nothing', async () => {
    const { root, lease } = await holdRoot()
    const before = readFileSync(join(root, '.writer-epoch'), 'utf8')
    const counting = countingFileSystem()
    await expect(acquireWriterLease(counting.fs, root)).rejects.toMatchObject(active)
    expect(counting.counts()).toMatchObject({ open: 0, rename: 0, chmod: 0 })
    expect(readFileSync(join(root, '.writer-epoch'), 'utf8')).toBe(before)
    expect(() => lease.assertHeld()).not.toThrow()
  })

  test('two openings begun at once: one wins', async () => {
    const root = makeTemporaryRoot()
    const results = await Promise.allSettled([1, 2, 3].map(() => acquireWriterLease(nodeFileSystem, root)))
    const held = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
    expect(held).toHaveLength(1)
    for (const result of results) if (result.status === 'rejected') expect(result.reason).toMatchObject(active)
    held[0]?.release()
  })

  test('two spellings of a path are one root', async () => {
    const { root } = await holdRoot()
    const alias = join(makeTemporaryRoot(), 'alias')
    symlinkSync(join(root, '..'), alias)
    await expect(acquireWriterLease(nodeFileSystem, join(alias, root.split('/').at(-1) ?? ''))).rejects.toMatchObject(
      active,
    )
    await expect(acquireWriterLease(nodeFileSystem, `${root}/../${root.split('/').at(-1)}`)).rejects.toMatchObject(
      active,
    )
  })

  test('the lock alone refuses another copy of this package, which has no part in the registry', async () => {
    const { root } = await holdRoot()
    expect(() => lockWriter(nodeFileSystem, root)).toThrow(expect.objectContaining(active))
  })

  test('the registry alone refuses what the lock cannot see: its file deleted', async () => {
    const { root } = await holdRoot()
    rmSync(join(root, '.writer-lease'))
    await expect(acquireWriterLease(nodeFileSystem, root)).rejects.toMatchObject(active)
  })

  test.each([
    { name: 'a lease file with content', make: (root: string) => writeFileSync(join(root, '.writer-lease'), 'x') },
    { name: 'a linked lease file', make: (root: string) => symlinkSync('elsewhere', join(root, '.writer-lease')) },
    { name: 'a linked epoch file', make: (root: string) => symlinkSync('elsewhere', join(root, '.writer-epoch')) },
    { name: 'an epoch that is a directory', make: (root: string) => mkdirSync(join(root, '.writer-epoch')) },
    {
      name: 'an epoch file with a second name',
      make: (root: string) => (
        writeFileSync(join(root, 'x'), '1\n'),
        linkSync(join(root, 'x'), join(root, '.writer-epoch'))
      ),
    },
  ])('refuses $name before any write', async ({ make }) => {
    const root = makeTemporaryRoot()
    make(root)
    const before = readdirSync(root)
    await expect(acquireWriterLease(nodeFileSystem, root)).rejects.toMatchObject({ code: 'path_unsafe' })
    expect(readdirSync(root)).toEqual(before)
  })

  test('nobody opens the lease file: closing any descriptor of it would free the lock', async () => {
    const counting = countingFileSystem()
    const { root, lease } = await holdRoot(counting.fs)
    lease.assertHeld()
    lease.release()
    const again = await acquireWriterLease(counting.fs, root)
    again.release()
    expect(counting.count('open', /\.writer-lease$/)).toBe(0)
    expect(counting.count('lstat', /\.writer-lease$/)).toBeGreaterThan(0)
  })

  test('the epoch is published, flushed, before the lease is given', async () => {
    const counting = countingFileSystem()
    await holdRoot(counting.fs)
    const changes = counting.calls
      .map(({ operation }) => operation)
      .filter((operation) => /write|sync|rename/i.test(operation))
    expect(changes).toEqual(['file.write', 'file.sync', 'rename', 'syncDirectory'])
  })

  test.each(['file.write', 'file.sync', 'rename', 'open'] as const)(
    'a failing %s leaves the root free',
    async (operation) => {
      const root = makeTemporaryRoot()
      const faulty = faultyFileSystem()
      faulty.inject({ operation, errno: 'EIO' })
      await expect(acquireWriterLease(faulty.fs, root)).rejects.toMatchObject({ code: 'storage_failed' })
      const lease = await acquireWriterLease(nodeFileSystem, root)
      lease.release()
    },
  )

  test('a root that is not there is an error, and stays so', async () => {
    const root = join(makeTemporaryRoot(), 'missing')
    await expect(acquireWriterLease(nodeFileSystem, root)).rejects.toMatchObject({ code: 'storage_failed' })
  })
})

describe('assertHeld', () => {
  test('is one lstat of the epoch file', async () => {
    const counting = countingFileSystem()
    const { lease } = await holdRoot(counting.fs)
    counting.reset()
    lease.assertHeld()
    expect(counting.calls).toEqual([{ operation: 'lstat', path: expect.stringMatching(/\.writer-epoch$/) as string }])
  })

  const epochOf = (root: string): string => join(root, '.writer-epoch')
  test.each([
    {
      name: 'another epoch was published',
      change: (root: string) => (writeFileSync(join(root, 'x'), '1\n'), renameSync(join(root, 'x'), epochOf(root))),
    },
    { name: 'it was written to', change: (root: string) => writeFileSync(epochOf(root), '22\n') },
    { name: 'it was touched', change: (root: string) => utimesSync(epochOf(root), 1, 1) },
    { name: 'it was removed', change: (root: string) => rmSync(epochOf(root)) },
    {
      name: 'the root was moved away',
      change: (root: string) => (
        renameSync(root, `${root}-moved`),
        mkdirSync(root),
        onTestFinished(() => rmSync(`${root}-moved`, { recursive: true }))
      ),
    },
  ])('notices that $name, for good', async ({ change }) => {
    const { root, lease } = await holdRoot()
    expect(() => lease.assertHeld()).not.toThrow()
    change(root)
    expect(() => lease.assertHeld()).toThrow(expect.objectContaining({ code: 'lease_lost', outcome: 'unknown' }))
    expect(() => lease.assertHeld()).toThrow(expect.objectContaining({ code: 'lease_lost' }))
  })

  test('a lease once lost stays lost, even if the epoch file comes back as it was', async () => {
    let isHidden = false
    const fs = { ...nodeFileSystem, lstat: (path: string) => (isHidden ? undefined : nodeFileSystem.lstat(path)) }
    const { lease } = await holdRoot(fs)
    isHidden = true
    expect(() => lease.assertHeld()).toThrow(expect.objectContaining({ code: 'lease_lost' }))
    isHidden = false
    expect(() => lease.assertHeld()).toThrow(expect.objectContaining({ code: 'lease_lost' }))
  })

  test('a look that fails says nothing about the lease: the write is refused, the next look counts', async () => {
    const faulty = faultyFileSystem()
    const { lease } = await holdRoot(faulty.fs)
    faulty.inject({ operation: 'lstat', errno: 'EIO' })
    expect(() => lease.assertHeld()).toThrow(expect.objectContaining({ code: 'storage_failed' }))
    expect(() => lease.assertHeld()).not.toThrow()
  })

  test('a writer whose lock file was deleted notices the next one, and the next one is not disturbed', async () => {
    const { root, lease } = await holdRoot()
    rmSync(join(root, '.writer-lease'))
    // Another process would not share the registry: take the lock and the epoch as it does.
    const registry = (globalThis as Record<symbol, Map<string, unknown>>)[
      Symbol.for('@mono-agent/memory-store/writer-leases')
    ]
    const mine = [...(registry ?? [])]
    registry?.clear()
    const next = await acquireWriterLease(nodeFileSystem, root)
    expect(next.epoch).toBe(2)
    expect(() => lease.assertHeld()).toThrow(expect.objectContaining({ code: 'lease_lost' }))
    expect(() => next.assertHeld()).not.toThrow()
    next.release()
    for (const [key, lock] of mine) registry?.set(key, lock)
  })

  test('after failClosed nothing is written, and a reopening may', async () => {
    const { root, lease } = await holdRoot()
    lease.failClosed(new Error('flush'))
    expect(() => lease.assertHeld()).toThrow(
      expect.objectContaining({ code: 'storage_failed', outcome: 'not_written' }),
    )
    lease.release()
    const next = await acquireWriterLease(nodeFileSystem, root)
    expect(() => next.assertHeld()).not.toThrow()
    next.release()
  })
})

describe('release', () => {
  test('frees the root; again, it does not free it from the next holder', async () => {
    const { root, lease } = await holdRoot()
    lease.release()
    const next = await acquireWriterLease(nodeFileSystem, root)
    expect(next.epoch).toBe(2)
    lease.release()
    await expect(acquireWriterLease(nodeFileSystem, root)).rejects.toMatchObject(active)
    expect(() => next.assertHeld()).not.toThrow()
    next.release()
  })

  test('what was held is closed', async () => {
    const { lease } = await holdRoot()
    lease.release()
    expect(() => lease.assertHeld()).toThrow(expect.objectContaining({ code: 'store_closed' }))
  })
})

test('temporary names carry the epoch and are never given twice', async () => {
  const { lease } = await holdRoot()
  const names = Array.from({ length: 100 }, () => lease.temporaryName('/root/daily/2026-05-01.md'))
  expect(new Set(names).size).toBe(100)
  for (const name of names) expect(name).toMatch(/^\/root\/daily\/\.2026-05-01\.md\.tmp-1-\d+$/)
})
