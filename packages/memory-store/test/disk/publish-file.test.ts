import { linkSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { countingFileSystem } from '../../../../test/support/counting-file-system.js'
import { faultyFileSystem } from '../../../../test/support/faulty-file-system.js'
import { holdRoot } from '../../../../test/support/held-root.js'
import type { Call } from '../../../../test/support/intercepted-file-system.js'
import { identityOf } from '../../src/disk/file-identity.js'
import { nodeFileSystem } from '../../src/disk/file-system.js'
import { isHeldOpen } from '../../src/disk/held-open.js'
import { publishFile, publishFiles, replaceFile } from '../../src/disk/publish-file.js'

const bytes = (text: string): Uint8Array => Buffer.from(text)
const read = (path: string): string => readFileSync(path, 'utf8')
const temporaries = (root: string): string[] => readdirSync(root).filter((name) => name.includes('.tmp-'))

/** The calls that matter for durability, as `operation name`. */
function protocol(calls: readonly Call[]): string[] {
  return calls
    .filter(({ operation }) => !['lstat', 'file.stat', 'file.read'].includes(operation))
    .map(({ operation, path }) => `${operation} ${basename(path).replace(/-\d+$/, '-n')}`)
}

describe('publishFile (FMT-11)', () => {
  test('flushes the bytes before they get the name, and the name before it resolves', async () => {
    const counting = countingFileSystem()
    const { root, lease } = await holdRoot()
    await publishFile(counting.fs, lease, join(root, 'file'), bytes('text'))
    expect(protocol(counting.calls)).toEqual([
      'open .file.tmp-1-n',
      'file.write .file.tmp-1-n',
      'file.sync .file.tmp-1-n',
      'file.close .file.tmp-1-n',
      'rename file',
      `syncDirectory ${basename(root)}`,
    ])
  })

  test('the promise waits for the flush of the directory', async () => {
    let flush = (): void => undefined
    const { root, lease } = await holdRoot()
    const flushed = new Promise<void>((resolve) => (flush = resolve))
    let isDone = false
    let begun = (): void => undefined
    const hasBegun = new Promise<void>((resolve) => (begun = resolve))
    const fs = { ...nodeFileSystem, syncDirectory: () => (begun(), flushed) }
    const publication = publishFile(fs, lease, join(root, 'file'), bytes('text')).then(() => (isDone = true))
    await hasBegun
    await Promise.resolve()
    expect(isDone).toBe(false)
    flush()
    await publication
    expect(isDone).toBe(true)
  })

  test('replaces what was there, owner-only, and says how to know it again', async () => {
    const { root, lease } = await holdRoot()
    const path = join(root, 'file')
    writeFileSync(path, 'a longer text than the next one', { mode: 0o644 })
    const identity = await publishFile(nodeFileSystem, lease, path, bytes('new'))
    expect(read(path)).toBe('new')
    expect(statSync(path).mode & 0o777).toBe(0o600)
    const stat = nodeFileSystem.lstat(path)
    expect(stat && identityOf(stat)).toEqual(identity)
    expect(temporaries(root)).toEqual([])
  })

  test.each([
    { name: 'a symlink', make: (path: string, other: string) => symlinkSync(other, path) },
    { name: 'a hard link', make: (path: string, other: string) => linkSync(other, path) },
    { name: 'a directory', make: (path: string) => mkdirSync(path) },
  ])('refuses $name in its place before any write', async ({ make }) => {
    const { root, lease } = await holdRoot()
    writeFileSync(join(root, 'other'), 'other')
    make(join(root, 'file'), join(root, 'other'))
    const counting = countingFileSystem()
    for (const publish of [publishFile, replaceFile]) {
      await expect(async () => publish(counting.fs, lease, join(root, 'file'), bytes('x'))).rejects.toMatchObject({
        code: 'path_unsafe',
      })
    }
    expect(counting.count('open')).toBe(0)
    expect(read(join(root, 'other'))).toBe('other')
  })

  test('writes nothing once the lease is lost, before staging and before the rename', async () => {
    const { root, lease } = await holdRoot()
    const path = join(root, 'file')
    writeFileSync(path, 'old')
    const losing = {
      ...nodeFileSystem,
      open: (...args: Parameters<typeof nodeFileSystem.open>) => {
        writeFileSync(join(root, '.writer-epoch'), '7\n')
        return nodeFileSystem.open(...args)
      },
    }
    await expect(publishFile(losing, lease, path, bytes('new'))).rejects.toMatchObject({ code: 'lease_lost' })
    expect(read(path)).toBe('old')
    const counting = countingFileSystem()
    await expect(publishFile(counting.fs, lease, path, bytes('new'))).rejects.toMatchObject({ code: 'lease_lost' })
    expect(counting.count('open')).toBe(0)
    expect(temporaries(root)).toEqual([])
  })
})

describe('publishFiles', () => {
  test('the files of one directory share its flush', async () => {
    const { root, lease } = await holdRoot()
    mkdirSync(join(root, 'daily'))
    const counting = countingFileSystem()
    const names = Array.from({ length: 40 }, (_, index) => join(root, index < 30 ? '' : 'daily', `f${index}`))
    await publishFiles(
      counting.fs,
      lease,
      names.map((path, index) => ({ path, bytes: bytes(`text ${index}`) })),
    )
    expect(names.map(read)).toEqual(names.map((_, index) => `text ${index}`))
    expect(counting.count('file.sync')).toBe(40)
    expect(counting.count('syncDirectory')).toBe(2)
    const order = counting.calls.map(({ operation }) => operation)
    expect(order.lastIndexOf('file.sync')).toBeLessThan(order.indexOf('rename'))
    expect(order.lastIndexOf('rename')).toBeLessThan(order.indexOf('syncDirectory'))
  })

  test('nothing to publish is nothing to flush', async () => {
    const { lease } = await holdRoot()
    const counting = countingFileSystem()
    await publishFiles(counting.fs, lease, [])
    expect(counting.flushes()).toBe(0)
  })

  test('one that cannot be staged leaves all as they were', async () => {
    const { root, lease } = await holdRoot()
    const faulty = faultyFileSystem()
    faulty.inject({ operation: 'file.sync', nth: 18, errno: 'EIO' })
    const files = Array.from({ length: 20 }, (_, index) => ({ path: join(root, `f${index}`), bytes: bytes('x') }))
    await expect(publishFiles(faulty.fs, lease, files)).rejects.toMatchObject({ outcome: 'not_written' })
    expect(readdirSync(root).sort()).toEqual(['.writer-epoch', '.writer-lease'])
  })
})

describe('faults', () => {
  test.each([
    { name: 'the disk is full', fault: { operation: 'file.write', errno: 'ENOSPC' } as const },
    { name: 'the disk gets full half way', fault: { operation: 'file.write', errno: 'ENOSPC', takes: 2 } as const },
    { name: 'the flush of the bytes fails', fault: { operation: 'file.sync', errno: 'EIO' } as const },
    {
      name: 'the flush fails after its effect',
      fault: { operation: 'file.sync', errno: 'EIO', afterEffect: true } as const,
    },
    { name: 'no more files can be opened', fault: { operation: 'open', errno: 'EMFILE' } as const },
  ])('$name: the temporary goes, the file stays, the next try works', async ({ fault }) => {
    const { root, lease } = await holdRoot()
    const path = join(root, 'file')
    writeFileSync(path, 'old')
    const faulty = faultyFileSystem()
    faulty.inject(fault)
    const refused = publishFile(faulty.fs, lease, path, bytes('newer'))
    await expect(refused).rejects.toMatchObject({ code: 'storage_failed', outcome: 'not_written' })
    expect(faulty.played()).toBe(1)
    expect(read(path)).toBe('old')
    expect(temporaries(root)).toEqual([])
    await publishFile(faulty.fs, lease, path, bytes('newer'))
    expect(read(path)).toBe('newer')
  })

  test('a short write is gone on with', async () => {
    const { root, lease } = await holdRoot()
    const faulty = faultyFileSystem()
    faulty.inject({ operation: 'file.write', takes: 3, times: 2 })
    await publishFile(faulty.fs, lease, join(root, 'file'), bytes('a long text'))
    expect(read(join(root, 'file'))).toBe('a long text')
    faulty.inject({ operation: 'file.write', takes: 0 })
    await expect(publishFile(faulty.fs, lease, join(root, 'file'), bytes('next'))).rejects.toMatchObject({
      code: 'storage_failed',
      outcome: 'not_written',
    })
  })

  test('a rename that fails may have happened', async () => {
    const { root, lease } = await holdRoot()
    const faulty = faultyFileSystem()
    faulty.inject({ operation: 'rename', errno: 'EIO', afterEffect: true })
    const refused = publishFile(faulty.fs, lease, join(root, 'file'), bytes('new'))
    await expect(refused).rejects.toMatchObject({ code: 'storage_failed', outcome: 'unknown' })
    expect(temporaries(root)).toEqual([])
  })

  test('a directory whose flush failed: the file is published again, whole, under a new inode', async () => {
    const { root, lease } = await holdRoot()
    const faulty = faultyFileSystem()
    faulty.inject({ operation: 'syncDirectory', errno: 'EIO' })
    const identity = await publishFile(faulty.fs, lease, join(root, 'file'), bytes('new'))
    expect(faulty.calls.filter(({ operation }) => operation === 'rename')).toHaveLength(2)
    expect(faulty.calls.filter(({ operation }) => operation === 'file.sync')).toHaveLength(2)
    expect(identity?.ino).toBe(nodeFileSystem.lstat(join(root, 'file'))?.ino)
    expect(() => lease.assertHeld()).not.toThrow()
  })

  test.each([
    { name: 'that flush fails too', faults: [{ operation: 'syncDirectory', errno: 'EIO', times: 2 }] },
    {
      name: 'it cannot be written again',
      faults: [
        { operation: 'syncDirectory', errno: 'EIO' },
        { operation: 'file.write', errno: 'ENOSPC', nth: 2 },
      ],
    },
  ] as const)('$name: the caller gets an error, and nothing is written until reopened', async ({ faults }) => {
    const { root, lease } = await holdRoot()
    const faulty = faultyFileSystem()
    for (const fault of faults) faulty.inject(fault)
    const refused = publishFile(faulty.fs, lease, join(root, 'file'), bytes('new'))
    await expect(refused).rejects.toMatchObject({ code: 'storage_failed', outcome: 'unknown' })
    faulty.clear()
    const counting = countingFileSystem(faulty.fs)
    await expect(publishFile(counting.fs, lease, join(root, 'other'), bytes('x'))).rejects.toMatchObject({
      code: 'storage_failed',
      outcome: 'not_written',
    })
    expect(counting.count('open')).toBe(0)
  })

  test('a failure at any call leaves the old bytes or the new ones, and says which it may be', async () => {
    const dry = countingFileSystem()
    const first = await holdRoot()
    writeFileSync(join(first.root, 'file'), 'old')
    await publishFile(dry.fs, first.lease, join(first.root, 'file'), bytes('new'))
    expect(dry.calls.length).toBeGreaterThan(7)
    for (let nth = 1; nth <= dry.calls.length; nth++) {
      const { root, lease } = await holdRoot()
      const path = join(root, 'file')
      writeFileSync(path, 'old')
      const faulty = faultyFileSystem()
      faulty.inject({ nth, errno: 'EIO' })
      const error: unknown = await publishFile(faulty.fs, lease, path, bytes('new')).then(
        () => undefined,
        (e: unknown) => e,
      )
      expect(faulty.played(), `call ${nth}`).toBe(1)
      expect(['old', 'new'], `call ${nth}`).toContain(read(path))
      if (error === undefined) expect(read(path), `call ${nth}`).toBe('new')
      else expect(error, `call ${nth}`).toMatchObject({ code: 'storage_failed' })
      if ((error as { outcome?: string } | undefined)?.outcome === 'not_written') expect(read(path)).toBe('old')
      faulty.clear()
      await publishFile(faulty.fs, lease, path, bytes('new'))
      expect(read(path)).toBe('new')
    }
  })
})

describe('replaceFile', () => {
  test('replaces whole and flushes nothing', async () => {
    const { root, lease } = await holdRoot()
    const counting = countingFileSystem()
    replaceFile(counting.fs, lease, join(root, 'runtime.json'), bytes('{}'))
    expect(read(join(root, 'runtime.json'))).toBe('{}')
    expect(counting.flushes()).toBe(0)
  })

  test('leaves no temporary when it fails', async () => {
    const { root, lease } = await holdRoot()
    for (const operation of ['file.write', 'rename'] as const) {
      const faulty = faultyFileSystem()
      faulty.inject({ operation, errno: 'ENOSPC' })
      expect(() => replaceFile(faulty.fs, lease, join(root, 'runtime.json'), bytes('{}'))).toThrow(/ENOSPC/)
      expect(temporaries(root)).toEqual([])
    }
  })
})

test('only Windows refuses to replace a file for being open; elsewhere the same code is a failure', () => {
  const refusal = Object.assign(new Error('x'), { code: 'EPERM', syscall: 'rename' })
  expect(isHeldOpen(refusal, false)).toBe(true)
  expect(isHeldOpen(refusal, true)).toBe(false)
  expect(isHeldOpen(Object.assign(new Error('x'), { code: 'ENOSPC', syscall: 'rename' }), false)).toBe(false)
})
