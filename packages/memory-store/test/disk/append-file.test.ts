import { existsSync, linkSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { countingFileSystem } from '../../../../test/support/counting-file-system.js'
import { faultyFileSystem } from '../../../../test/support/faulty-file-system.js'
import { holdRoot } from '../../../../test/support/held-root.js'
import { appendCovered } from '../../src/disk/append-file.js'
import { nodeFileSystem, type FileSystem, type OpenFile } from '../../src/disk/file-system.js'

const bytes = (text: string): Uint8Array => Buffer.from(text)
const read = (path: string): string => readFileSync(path, 'utf8')

describe('appendCovered', () => {
  test.each([
    { name: 'at the end', found: 'base', base: 4, expected: 'base+new' },
    { name: 'over what an append that was cut left', found: 'base+ne', base: 4, expected: 'base+new' },
    { name: 'over zeroes in the middle of a torn tail', found: 'base\0\0\0wxyz', base: 4, expected: 'base+new' },
    { name: 'over its own earlier run', found: 'base+new', base: 4, expected: 'base+new' },
    { name: 'over all of a file that nothing covers', found: 'torn', base: 0, expected: '+new' },
    { name: 'to an empty file', found: '', base: 0, expected: '+new' },
  ])('writes $name', async ({ found, base, expected }) => {
    const { root, lease } = await holdRoot()
    const path = join(root, 'file')
    writeFileSync(path, found)
    await appendCovered(nodeFileSystem, lease, path, base, bytes('+new'))
    expect(read(path)).toBe(expected)
    await appendCovered(nodeFileSystem, lease, path, base, bytes('+new'))
    expect(read(path)).toBe(expected)
  })

  test('done again, it takes away at no moment what it wrote before: somebody may have seen it', async () => {
    const { root, lease } = await holdRoot()
    const path = join(root, 'file')
    writeFileSync(path, 'base+new and more')
    const seen: string[] = []
    const fs: FileSystem = {
      ...nodeFileSystem,
      open(name, mode) {
        const file = nodeFileSystem.open(name, mode)
        const watched = (change: () => void): void => {
          change()
          seen.push(read(path))
        }
        return Object.assign(Object.create(file) as OpenFile, {
          truncate: (length: number) => watched(() => file.truncate(length)),
          write(content: Uint8Array, position: number) {
            watched(() => file.write(content, position))
            return content.length
          },
        })
      },
    }
    await appendCovered(fs, lease, path, 4, bytes('+new'))
    expect(seen).toEqual(['base+new and more', 'base+new'])
  })

  test('no bytes only cut the file back', async () => {
    const { root, lease } = await holdRoot()
    writeFileSync(join(root, 'file'), 'base and more')
    await appendCovered(nodeFileSystem, lease, join(root, 'file'), 4, bytes(''))
    expect(read(join(root, 'file'))).toBe('base')
  })

  test('a covered append is flushed once, without its directory', async () => {
    const { root, lease } = await holdRoot()
    writeFileSync(join(root, 'file'), 'base')
    const counting = countingFileSystem()
    await appendCovered(counting.fs, lease, join(root, 'file'), 4, bytes('+new'))
    expect(counting.counts()).toMatchObject({ 'file.dataSync': 1, 'file.sync': 0, syncDirectory: 0, rename: 0 })
    const order = counting.calls.map(({ operation }) => operation)
    expect(order.indexOf('file.write')).toBeLessThan(order.indexOf('file.dataSync'))
  })

  test('a new file’s name is flushed after its bytes', async () => {
    const { root, lease } = await holdRoot()
    const counting = countingFileSystem()
    await appendCovered(counting.fs, lease, join(root, 'file'), 0, bytes('new'))
    expect(read(join(root, 'file'))).toBe('new')
    const flushes = counting.calls.filter(({ operation }) => /sync/i.test(operation))
    expect(flushes.map(({ operation, path }) => `${operation} ${basename(path)}`)).toEqual([
      'file.dataSync file',
      `syncDirectory ${basename(root)}`,
    ])
  })

  test.each([
    { name: 'shorter by a byte', found: 'bas' },
    { name: 'empty', found: '' },
    { name: 'gone', found: undefined },
  ])('a file that is $name than what was written to it is left alone', async ({ found }) => {
    const { root, lease } = await holdRoot()
    const path = join(root, 'file')
    if (found !== undefined) writeFileSync(path, found)
    const append = appendCovered(nodeFileSystem, lease, path, 4, bytes('+new'))
    await expect(append).rejects.toMatchObject({ code: 'canonical_invalid' })
    expect(existsSync(path) ? read(path) : undefined).toBe(found)
  })

  test('a file with a second hard link is left alone', async () => {
    const { root, lease } = await holdRoot()
    writeFileSync(join(root, 'other'), 'base')
    linkSync(join(root, 'other'), join(root, 'file'))
    const append = appendCovered(nodeFileSystem, lease, join(root, 'file'), 2, bytes('+new'))
    await expect(append).rejects.toMatchObject({ code: 'path_unsafe' })
    expect(read(join(root, 'other'))).toBe('base')
  })

  test('writes nothing once the lease is lost', async () => {
    const { root, lease } = await holdRoot()
    writeFileSync(join(root, 'file'), 'base')
    writeFileSync(join(root, '.writer-epoch'), '9\n')
    const append = appendCovered(nodeFileSystem, lease, join(root, 'file'), 4, bytes('+new'))
    await expect(append).rejects.toMatchObject({ code: 'lease_lost', outcome: 'unknown' })
    expect(read(join(root, 'file'))).toBe('base')
  })
})

describe('faults', () => {
  test.each([{ found: 'base' }, { found: undefined }])(
    'a full disk leaves the file as it was ($found)',
    async ({ found }) => {
      const { root, lease } = await holdRoot()
      const path = join(root, 'file')
      if (found !== undefined) writeFileSync(path, found)
      const faulty = faultyFileSystem()
      faulty.inject({ operation: 'file.write', errno: 'ENOSPC', takes: 2 })
      const append = appendCovered(faulty.fs, lease, path, found?.length ?? 0, bytes('+new'))
      await expect(append).rejects.toMatchObject({ code: 'storage_failed', outcome: 'not_written' })
      expect(existsSync(path) ? read(path) : undefined).toBe(found)
    },
  )

  test('after a failed flush the file is published anew, whole, under a new inode', async () => {
    const { root, lease } = await holdRoot()
    const path = join(root, 'file')
    writeFileSync(path, 'base and a torn tail')
    const before = nodeFileSystem.lstat(path)?.ino
    const faulty = faultyFileSystem()
    faulty.inject({ operation: 'file.dataSync', errno: 'EIO' })
    await appendCovered(faulty.fs, lease, path, 4, bytes('+new'))
    expect(read(path)).toBe('base+new')
    expect(nodeFileSystem.lstat(path)?.ino).not.toBe(before)
    expect(faulty.calls.map(({ operation }) => operation)).toContain('syncDirectory')
  })

  test.each([
    { name: 'it cannot be published', then: { operation: 'file.sync', errno: 'EIO' } },
    { name: 'it cannot be read for that', then: { operation: 'file.read', errno: 'EIO' } },
  ] as const)('if $name either, the lease fails closed', async ({ then }) => {
    const { root, lease } = await holdRoot()
    writeFileSync(join(root, 'file'), 'base')
    const faulty = faultyFileSystem()
    faulty.inject({ operation: 'file.dataSync', errno: 'EIO' })
    faulty.inject(then)
    const append = appendCovered(faulty.fs, lease, join(root, 'file'), 4, bytes('+new'))
    await expect(append).rejects.toMatchObject({ code: 'storage_failed', outcome: 'unknown' })
    expect(() => lease.assertHeld()).toThrow(expect.objectContaining({ code: 'storage_failed' }))
  })

  test.each([
    { found: 'base-torn', base: 4 },
    { found: undefined, base: 0 },
  ])(
    'a failure at any call keeps the covered bytes ($base), and the next append mends the rest',
    async ({ found, base }) => {
      const prepare = async () => {
        const held = await holdRoot()
        if (found !== undefined) writeFileSync(join(held.root, 'file'), found)
        return { ...held, path: join(held.root, 'file') }
      }
      const dry = countingFileSystem()
      const first = await prepare()
      await appendCovered(dry.fs, first.lease, first.path, base, bytes('+new'))
      expect(dry.calls.length).toBeGreaterThan(4)
      for (let nth = 1; nth <= dry.calls.length; nth++) {
        const { lease, path } = await prepare()
        const faulty = faultyFileSystem()
        faulty.inject({ nth, errno: 'EIO' })
        const append = appendCovered(faulty.fs, lease, path, base, bytes('+new'))
        const error: unknown = await append.then(
          () => undefined,
          (e: unknown) => e,
        )
        expect(faulty.played(), `call ${nth}`).toBe(1)
        const covered = 'base'.slice(0, base)
        const now = existsSync(path) ? read(path) : ''
        expect(now.startsWith(covered), `call ${nth}`).toBe(true)
        if (error === undefined) expect(now, `call ${nth}`).toBe(`${covered}+new`)
        else expect(error, `call ${nth}`).toMatchObject({ code: 'storage_failed' })
        faulty.clear()
        await appendCovered(faulty.fs, lease, path, base, bytes('+new'))
        expect(read(path)).toBe(`${covered}+new`)
      }
    },
  )
})
