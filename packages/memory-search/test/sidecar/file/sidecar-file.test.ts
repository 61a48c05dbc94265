import { nodeFileSystem, type FileSystem, type OpenFile } from '@mono-agent/memory-store'
import fc from 'fast-check'
import { linkSync, mkdirSync, readFileSync, renameSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { countingFileSystem } from '../../../../../test/support/counting-file-system.js'
import { faultyFileSystem } from '../../../../../test/support/faulty-file-system.js'
import {
  loadSidecarFile,
  openSidecarFile,
  SidecarDamage,
  type SidecarFile,
} from '../../../src/sidecar/file/sidecar-file.js'
import { headBytes, PREAMBLE_BYTES, SIDECAR_FORMAT } from '../../../src/sidecar/file/sidecar-format.js'
import { HEADER, headers, newPath, publish, readBack, SECTIONS, sectionsOf, type Sections } from './sidecar-files.js'

const EXPECTED = { identity: HEADER.identity }
const DAMAGED = { fault: 'damaged' }

async function published(
  sections: Sections = SECTIONS,
): Promise<{ readonly path: string; readonly bytes: Uint8Array }> {
  const path = newPath()
  await publish(path, sections)
  return { path, bytes: new Uint8Array(readFileSync(path)) }
}

const headOf = (bytes: Uint8Array): number => headBytes(bytes.subarray(0, PREAMBLE_BYTES)) as number

test('what was published is read back, to the last bit', () =>
  fc.assert(
    fc.asyncProperty(headers, sectionsOf, async (header, sections) => {
      const path = newPath()
      await publish(path, sections, header)
      expect(readBack(path, sections, header.identity)).toEqual({ loaded: { header, sections } })
    }),
    { numRuns: 60 },
  ))

test('sections of several slices are read back', async () => {
  const large = new Uint32Array(2_600_001).map((_, at) => Math.imul(at, 2_654_435_761))
  const { path } = await published({ first: large, second: large.subarray(1, 1_200_000), last: Uint8Array.of(1) })
  const loaded = loadSidecarFile(nodeFileSystem, path, EXPECTED, (file) => {
    expect(file.size('first')).toBe(large.byteLength)
    return Buffer.compare(Buffer.from(file.take('first', Uint32Array).buffer), Buffer.from(large.buffer))
  })
  expect(loaded).toEqual({ loaded: 0 })
})

describe('a file of which', () => {
  test('any one byte differs is a fault, whichever bits of it', async () => {
    const { path, bytes } = await published()
    const head = headOf(bytes)
    const faults = new Set<string>()
    for (let at = 0; at < bytes.length; at++) {
      for (const flip of [1, 0x80, 0xff]) {
        const changed = bytes.slice()
        changed[at] = (changed[at] as number) ^ flip
        writeFileSync(path, changed)
        const read = readBack(path)
        // Only the format number can say something else than damage; the sections can not.
        const isNumber = at >= 8 && at < 12
        expect(read, `byte ${at} of ${bytes.length}, head ${head}`).toEqual(
          isNumber ? { fault: 'other_format' } : DAMAGED,
        )
        faults.add('fault' in read ? read.fault : 'none')
      }
    }
    expect(faults).toEqual(new Set(['damaged', 'other_format']))
  })

  test('the end is missing is a fault, at every length', async () => {
    const { path, bytes } = await published()
    for (let length = 0; length < bytes.length; length++) {
      writeFileSync(path, bytes.subarray(0, length))
      expect(readBack(path), `${length} of ${bytes.length} bytes`).toEqual(DAMAGED)
    }
  })

  test.each([1, 8, 4096])('%i bytes more stand at the end is a fault', async (more) => {
    const { path, bytes } = await published()
    writeFileSync(path, Buffer.concat([bytes, new Uint8Array(more)]))
    expect(readBack(path)).toEqual(DAMAGED)
  })

  test('two sections of one length changed places is a fault, though each is whole', async () => {
    const { path, bytes } = await published()
    const head = headOf(bytes)
    const swapped = bytes.slice()
    swapped.set(bytes.subarray(head, head + 12), head + 12)
    swapped.set(bytes.subarray(head + 12, head + 24), head)
    writeFileSync(path, swapped)
    expect(readBack(path)).toEqual(DAMAGED)
  })

  test('a block is full of zeros, as after a power loss, is a fault', async () => {
    const { path, bytes } = await published({ rows: new Uint32Array(4096).fill(7) })
    writeFileSync(path, bytes.slice().fill(0, 4096, 8192))
    expect(readBack(path, { rows: new Uint32Array(0) })).toEqual(DAMAGED)
  })

  test('half is of another publication is a fault', async () => {
    const { path, bytes } = await published({ rows: new Uint32Array(4096).fill(7) })
    await publish(path, { rows: new Uint32Array(4096).fill(8) })
    const other = new Uint8Array(readFileSync(path))
    expect(other.length).toBe(bytes.length)
    for (const from of [headOf(bytes), 4096, other.length - 4]) {
      writeFileSync(path, Buffer.concat([bytes.subarray(0, from), other.subarray(from)]))
      expect(readBack(path, { rows: new Uint32Array(0) })).toEqual(DAMAGED)
    }
  })
})

test('random damage of a random file is a fault or changes nothing that is read', () =>
  fc.assert(
    fc.asyncProperty(
      sectionsOf,
      fc.array(fc.tuple(fc.nat(), fc.uint8Array({ minLength: 1, maxLength: 9 })), { minLength: 1, maxLength: 4 }),
      async (sections, damages) => {
        const { path, bytes } = await published(sections)
        const changed = bytes.slice()
        for (const [at, piece] of damages) {
          const start = at % bytes.length
          changed.set(piece.subarray(0, bytes.length - start), start)
        }
        writeFileSync(path, changed)
        const read = readBack(path, sections)
        if (Buffer.compare(bytes, changed) === 0) expect(read).toEqual({ loaded: { header: HEADER, sections } })
        else expect(read).toHaveProperty('fault')
      },
    ),
    { numRuns: 150 },
  ))

const otherFormat = (format: number): Uint8Array =>
  Buffer.concat([Buffer.from('mem-side'), Uint8Array.of(format, 0, 0, 0), new Uint8Array(500).fill(9)])

test.each([
  { name: 'no file', bytes: undefined, fault: 'missing' },
  { name: 'an empty file', bytes: '', fault: 'damaged' },
  { name: 'another kind of file', bytes: 'SQLite format 3\0'.padEnd(400), fault: 'damaged' },
  { name: 'the next format, whatever follows', bytes: otherFormat(SIDECAR_FORMAT + 1), fault: 'other_format' },
  { name: 'an earlier format, whatever follows', bytes: otherFormat(SIDECAR_FORMAT - 1), fault: 'other_format' },
])('$name: $fault', async ({ bytes, fault }) => {
  const path = newPath()
  if (bytes !== undefined) writeFileSync(path, bytes)
  expect(readBack(path)).toEqual({ fault })
  expect(openSidecarFile(nodeFileSystem, path, EXPECTED)).toEqual({ fault })
})

test('a whole file of another database is foreign, and can be told from damage', async () => {
  const { path } = await published()
  expect(readBack(path, SECTIONS, 'g2-0:abc')).toEqual({ fault: 'foreign' })
})

test.skipIf(process.platform === 'win32').each([
  { name: 'a symbolic link', make: (path: string, other: string) => symlinkSync(other, path) },
  { name: 'a hard link', make: (path: string, other: string) => linkSync(other, path) },
  { name: 'a directory', make: (path: string) => mkdirSync(path) },
])('$name is refused as everywhere', async ({ make }) => {
  const path = newPath()
  const other = newPath()
  await publish(other)
  make(path, other)
  const before = readFileSync(other)
  const counting = countingFileSystem()
  expect(() => openSidecarFile(counting.fs, path, EXPECTED)).toThrow(expect.objectContaining({ code: 'path_unsafe' }))
  expect(() => readBack(path)).toThrow(expect.objectContaining({ code: 'path_unsafe' }))
  await expect(publish(path)).rejects.toMatchObject({ code: 'path_unsafe' })
  expect(counting.count('open')).toBe(0)
  expect(readFileSync(other)).toEqual(before)
})

test.skipIf(process.platform === 'win32')('a file of another user is refused', async () => {
  const { path } = await published()
  const lstat: FileSystem['lstat'] = (at) => {
    const stat = nodeFileSystem.lstat(at)
    return stat && { ...stat, uid: stat.uid + 1 }
  }
  const foreign = { ...nodeFileSystem, lstat }
  const read = () => readBack(path, SECTIONS, HEADER.identity, foreign)
  expect(read).toThrow(expect.objectContaining({ code: 'path_unsafe' }))
})

describe('a reader', () => {
  const reading = async (read: (file: SidecarFile) => void) =>
    loadSidecarFile(nodeFileSystem, (await published()).path, EXPECTED, read)

  test.each([
    { name: 'that is shorter', into: new Uint32Array(2) },
    { name: 'that is longer', into: new Uint32Array(4) },
    { name: 'of narrower values', into: new Uint8Array(12) },
    { name: 'of wider values', into: new Float64Array(2) },
  ])('never fills a buffer $name than the section', async ({ into }) => {
    into.fill(77)
    expect(await reading((file) => file.read('rows', into))).toEqual(DAMAGED)
    expect([...into].every((value) => value === 77)).toBe(true)
  })

  test('fills a part of a larger memory and nothing beside it', async () => {
    const memory = new Uint8Array(64).fill(1)
    await reading((file) => file.read('rows', new Uint32Array(memory.buffer, 16, 3)))
    expect(new Uint32Array(memory.buffer, 16, 3)).toEqual(SECTIONS.rows)
    expect(memory.subarray(0, 16).every((byte) => byte === 1) && memory.subarray(28).every((byte) => byte === 1)).toBe(
      true,
    )
  })

  test.each([
    { name: 'size', read: (file: SidecarFile) => file.size('none') },
    { name: 'read', read: (file: SidecarFile) => file.read('none', new Uint8Array(0)) },
    { name: 'take', read: (file: SidecarFile) => file.take('none', Uint8Array) },
    { name: 'take as wider values', read: (file: SidecarFile) => file.take('codes', Uint32Array) },
    { name: 'take as narrower values', read: (file: SidecarFile) => file.take('rows', Uint8Array) },
  ])('asked for what is not there ($name): damaged', async ({ read }) => {
    expect(await reading((file) => void read(file))).toEqual(DAMAGED)
  })

  test('reads to the end what was replaced meanwhile', async () => {
    const { path } = await published()
    const file = openSidecarFile(nodeFileSystem, path, EXPECTED) as SidecarFile
    await publish(path, { ...SECTIONS, rows: Uint32Array.of(9, 9, 9) })
    expect(file.take('rows', Uint32Array)).toEqual(SECTIONS.rows)
    file.close()
  })

  test.each([
    { name: 'of values', codes: Uint8Array.of(255, 0, 9) },
    { name: 'of zeros, as new memory is', codes: new Uint8Array(3) },
  ])('of what is cut while it reads, $name: damaged', async ({ codes }) => {
    const { path, bytes } = await published({ ...SECTIONS, codes })
    const loaded = loadSidecarFile(nodeFileSystem, path, EXPECTED, (file) => {
      truncateSync(path, bytes.length - 1)
      file.take('rows', Uint32Array)
      return file.take('codes', Uint8Array)
    })
    expect(loaded).toEqual(DAMAGED)
  })

  test('goes on after short reads', async () => {
    const { path } = await published()
    const open: FileSystem['open'] = (...args) => {
      const file = nodeFileSystem.open(...args)
      const read: OpenFile['read'] = (into, position) => file.read(into.subarray(0, 5), position)
      return { ...file, read, stat: () => file.stat(), close: () => file.close() }
    }
    const read = readBack(path, SECTIONS, HEADER.identity, { ...nodeFileSystem, open })
    expect(read).toEqual({ loaded: { header: HEADER, sections: SECTIONS } })
  })

  test('whose disk fails says so: that is no damage', async () => {
    const { path } = await published()
    const { calls } = countedRead(path)
    for (const operation of ['lstat', 'open', 'file.stat', 'file.read'] as const) {
      const count = calls.filter((call) => call.operation === operation).length
      expect(count).toBeGreaterThan(0)
      for (let nth = 1; nth <= count; nth++) {
        const faulty = faultyFileSystem()
        faulty.inject({ operation, nth, errno: 'EIO' })
        const read = () => readBack(path, SECTIONS, HEADER.identity, faulty.fs)
        expect(read, `${operation} ${nth}`).toThrow(expect.objectContaining({ code: 'storage_failed' }))
        const done = (of: string) => faulty.calls.filter((call) => call.operation === of).length
        if (operation !== 'open' && done('open') > 0) expect(done('file.close')).toBe(1)
      }
    }
  })

  test('closes the file, whatever it found and whatever is thrown', async () => {
    const { path, bytes } = await published()
    expect(countedRead(path).count('file.close')).toBe(1)
    for (const length of [0, 30, bytes.length - 1]) {
      writeFileSync(path, bytes.subarray(0, length))
      expect(countedRead(path).count('file.close')).toBe(1)
    }
    writeFileSync(path, bytes)
    const counting = countingFileSystem()
    const load = () => {
      throw new Error('of its own')
    }
    expect(() => loadSidecarFile(counting.fs, path, EXPECTED, load)).toThrow('of its own')
    expect(counting.count('file.close')).toBe(1)
  })

  test('that was moved away and back is the same', async () => {
    const { path } = await published()
    renameSync(path, `${path}.away`)
    expect(readBack(path)).toEqual({ fault: 'missing' })
    renameSync(`${path}.away`, path)
    expect(readBack(path)).toEqual({ loaded: { header: HEADER, sections: SECTIONS } })
  })
})

test('without `loadSidecarFile`, damage cannot be passed over', async () => {
  const { path, bytes } = await published()
  const changed = bytes.slice()
  changed[bytes.length - 1] = 0
  writeFileSync(path, changed)
  const file = openSidecarFile(nodeFileSystem, path, EXPECTED) as SidecarFile
  expect(file.take('rows', Uint32Array)).toEqual(SECTIONS.rows)
  expect(() => file.take('codes', Uint8Array)).toThrow(SidecarDamage)
  file.close()
})

function countedRead(path: string) {
  const counting = countingFileSystem()
  readBack(path, SECTIONS, HEADER.identity, counting.fs)
  return counting
}
