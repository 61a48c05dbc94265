import { MemoryError, nodeFileSystem, StoreError } from '@mono-agent/memory-store'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { countingFileSystem } from '../../../../../test/support/counting-file-system.js'
import { faultyFileSystem, type Fault } from '../../../../../test/support/faulty-file-system.js'
import { interceptFileSystem } from '../../../../../test/support/intercepted-file-system.js'
import { removeSidecarTemporaries } from '../../../src/sidecar/file/publish-sidecar.js'
import { HEADER, heldLease, newPath, publish, readBack, SECTIONS, type Sections } from './sidecar-files.js'

const NEWER: Sections = { ...SECTIONS, rows: Uint32Array.of(4, 5, 6) }
const OLD = { loaded: { header: HEADER, sections: SECTIONS } }
const NEW = { loaded: { header: { ...HEADER, change: 8 }, sections: NEWER } }
const publishNewer = (path: string, options: Parameters<typeof publish>[3] = {}): Promise<void> =>
  publish(path, NEWER, { ...HEADER, change: 8 }, options)

const namesBeside = (path: string): string[] => readdirSync(dirname(path))

async function published(): Promise<string> {
  const path = newPath()
  await publish(path)
  return path
}

test('flushes the bytes before they get the name, and the name before it resolves', async () => {
  const path = await published()
  const counting = countingFileSystem()
  await publishNewer(path, { fs: counting.fs })
  const calls = counting.calls.map(({ operation, path: at }) => `${operation} ${basename(at)}`)
  const directory = basename(dirname(path))
  const temporary = '.memory.sidecar.tmp-1-0'
  expect(calls.filter((call) => !/lstat|file.write/.test(call))).toEqual([
    `list ${directory}`,
    `open ${temporary}`,
    `file.sync ${temporary}`,
    `file.close ${temporary}`,
    'rename memory.sidecar',
    `syncDirectory ${directory}`,
  ])
  const written = calls.flatMap((call, at) => (call.startsWith('file.write') ? [at] : []))
  expect(written).toHaveLength(1 + 6) // the head, and each section that is not empty
  expect(Math.max(...written)).toBeLessThan(calls.indexOf(`file.sync ${temporary}`))
  expect(readBack(path)).toEqual(NEW)
})

test("is the owner's alone, and replaces what had wider modes", async () => {
  const path = newPath()
  writeFileSync(path, 'something', { mode: 0o644 })
  await publish(path)
  expect(statSync(path).mode & 0o777).toBe(process.platform === 'win32' ? 0o666 : 0o600)
  expect(namesBeside(path)).toEqual(['memory.sidecar'])
})

describe('temporaries of killed publications', () => {
  const debris = (path: string) =>
    ['.memory.sidecar.tmp-1-0', '.memory.sidecar.tmp-1-7', '.memory.sidecar.tmp-9-3'].map((name) => {
      writeFileSync(join(dirname(path), name), 'half of it')
      return name
    })

  test('go with the next one, of whatever epoch; what is no temporary stays', async () => {
    const path = await published()
    debris(path)
    writeFileSync(join(dirname(path), 'memory.db'), 'database')
    mkdirSync(join(dirname(path), '.memory.sidecar.tmp-2-2')) // a person's
    await publishNewer(path)
    expect(namesBeside(path).sort()).toEqual(['.memory.sidecar.tmp-2-2', 'memory.db', 'memory.sidecar'])
    expect(readBack(path)).toEqual(NEW)
  })

  test('go when asked for, and nothing else', async () => {
    const path = await published()
    debris(path)
    expect(removeSidecarTemporaries(nodeFileSystem, heldLease(), path)).toBe(3)
    expect(namesBeside(path)).toEqual(['memory.sidecar'])
    expect(readBack(path)).toEqual(OLD)
  })

  test('stay where the lease is lost', async () => {
    const path = await published()
    debris(path)
    const lost = { assertHeld: () => { throw new MemoryError('lease_lost', 'lost') } } // prettier-ignore
    expect(() => removeSidecarTemporaries(nodeFileSystem, lost, path)).toThrow('lost')
    expect(namesBeside(path)).toHaveLength(4)
  })
})

const KINDS: readonly { kind: string; fault: (nth: number) => Fault }[] = [
  { kind: 'fails', fault: (nth) => ({ nth, errno: ['ENOSPC', 'EIO', 'EMFILE', 'EACCES'][nth % 4] ?? 'EIO' }) },
  { kind: 'fails after its effect', fault: (nth) => ({ nth, errno: 'EIO', afterEffect: true }) },
  { kind: 'is the last before a kill', fault: (nth) => ({ nth, times: Infinity, errno: 'EIO' }) },
]

test.each(KINDS)('one call after the other $kind: the former file or the new one, whole', async ({ fault }) => {
  const counting = countingFileSystem()
  await publishNewer(await published(), { fs: counting.fs })
  const ends = { former: 0, newer: 0 }
  for (let nth = 1; nth <= counting.calls.length; nth++) {
    const path = await published()
    const faulty = faultyFileSystem()
    faulty.inject(fault(nth))
    const error = await publishNewer(path, { fs: faulty.fs }).then(() => undefined, (thrown: unknown) => thrown) // prettier-ignore
    const read = readBack(path)
    ends[read && 'loaded' in read && read.loaded.header.change === 8 ? 'newer' : 'former']++
    if (error === undefined) expect(read).toEqual(NEW)
    else {
      expect(error).toBeInstanceOf(MemoryError)
      expect((error as MemoryError).message).not.toContain(dirname(path))
      const { code, outcome } = error as MemoryError
      expect(code).toBe('storage_failed')
      expect(outcome === 'unknown' ? [OLD, NEW] : [OLD]).toContainEqual(read)
    }
    await publishNewer(path)
    expect(readBack(path)).toEqual(NEW)
    expect(namesBeside(path)).toEqual(['memory.sidecar'])
  }
  expect(Math.min(ends.former, ends.newer)).toBeGreaterThan(0)
})

test.each([
  { name: 'the disk is full', fault: { operation: 'file.write', errno: 'ENOSPC' } as const },
  {
    name: 'the disk gets full half way',
    fault: { operation: 'file.write', nth: 4, errno: 'ENOSPC', takes: 2 } as const,
  },
  { name: 'the disk takes nothing and gives no reason', fault: { operation: 'file.write', nth: 4, takes: 0 } as const },
  { name: 'the flush of the bytes fails', fault: { operation: 'file.sync', errno: 'EIO' } as const },
  { name: 'no more files can be opened', fault: { operation: 'open', errno: 'EMFILE' } as const },
])('$name: nothing but the former file is there, and the error says that nothing was written', async ({ fault }) => {
  for (const path of [newPath(), await published()]) {
    const before = namesBeside(path)
    const faulty = faultyFileSystem()
    faulty.inject(fault)
    const refused = publishNewer(path, { fs: faulty.fs })
    await expect(refused).rejects.toMatchObject({ name: 'StoreError', code: 'storage_failed', outcome: 'not_written' })
    expect(faulty.played()).toBe(1)
    expect(namesBeside(path)).toEqual(before)
    expect(readBack(path)).toEqual(before.length === 0 ? { fault: 'missing' } : OLD)
  }
})

test('a short write is gone on with', async () => {
  const path = newPath()
  const faulty = faultyFileSystem()
  faulty.inject({ operation: 'file.write', takes: 3, times: 20 })
  await publish(path, SECTIONS, HEADER, { fs: faulty.fs })
  expect(readBack(path)).toEqual(OLD)
})

test('a flush of the directory that fails leaves the new file, and says that it may be lost', async () => {
  const path = await published()
  const faulty = faultyFileSystem()
  faulty.inject({ operation: 'syncDirectory', errno: 'EIO' })
  const refused = publishNewer(path, { fs: faulty.fs })
  await expect(refused).rejects.toMatchObject({ code: 'storage_failed', outcome: 'unknown' })
  expect(readBack(path)).toEqual(NEW)
})

describe('while it writes', () => {
  const LARGE: Sections = { rows: new Uint32Array(3_000_000).fill(3), codes: new Uint8Array(5_000_000).fill(4) }

  /** Publishes the large sections in a new place, and does `act` in its n-th turn. @returns turns that there were */
  async function withTurn(
    nth: number,
    act: (path: string) => void,
    { lease = heldLease(), signal = new AbortController().signal, sections = LARGE } = {},
  ): Promise<{ readonly path: string; readonly turns: number; readonly error: unknown }> {
    const path = await published()
    let turns = 0
    const yieldTurn = (): Promise<void> => {
      if (++turns === nth) act(path)
      return Promise.resolve()
    }
    let error: unknown
    await publish(path, sections, HEADER, { lease, signal, yieldTurn }).catch((thrown: unknown) => (error = thrown))
    return { path, turns, error }
  }

  /** `check` gets every turn in which something can happen, one publication each. */
  async function inEachTurn(check: (nth: number) => Promise<void>): Promise<void> {
    const { turns } = await withTurn(0, () => undefined)
    expect(turns).toBe(11) // twice 3 + 2 slices, and one after the flush
    for (let nth = 1; nth <= turns; nth++) await check(nth)
  }

  test('others have their turn after each slice, and no slice is long', async () => {
    const path = newPath()
    const lengths: number[] = []
    let sinceTurn = 0
    const measuring = interceptFileSystem(nodeFileSystem, {
      around: (_call, proceed) => proceed(),
      aroundWrite(_call, length, proceed) {
        lengths.push(length)
        sinceTurn += length
        return proceed(length)
      },
    })
    const yieldTurn = (): Promise<void> => {
      expect(sinceTurn).toBeLessThan(4.1 * 1024 * 1024)
      sinceTurn = 0
      return Promise.resolve()
    }
    await publish(path, LARGE, HEADER, { fs: measuring, yieldTurn })
    expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(readFileSync(path).length)
    expect(sinceTurn).toBe(0)
  })

  test('an abort ends it with its reason, and nothing but the former file is left', () =>
    inEachTurn(async (nth) => {
      const aborter = new AbortController()
      const reason = new Error('closed')
      const { path, error } = await withTurn(nth, () => aborter.abort(reason), { signal: aborter.signal })
      expect(error).toBe(reason)
      expect(namesBeside(path)).toEqual(['memory.sidecar'])
      expect(readBack(path)).toEqual(OLD)
    }))

  test('an abort before it begins touches nothing', async () => {
    const path = await published()
    const counting = countingFileSystem()
    const refused = publishNewer(path, { fs: counting.fs, signal: AbortSignal.abort(new Error('closed')) })
    await expect(refused).rejects.toThrow('closed')
    expect(counting.calls).toEqual([])
  })

  test('the lease is lost: the former file stays, whoever wrote it', () =>
    inEachTurn(async (nth) => {
      let isLost = false
      const lease = {
        ...heldLease(),
        assertHeld: () => {
          if (isLost) throw new StoreError('lease_lost', 'lost')
        },
      }
      const { path, error } = await withTurn(nth, () => (isLost = true), { lease })
      expect(error).toMatchObject({ code: 'lease_lost' })
      expect(namesBeside(path)).toEqual(['memory.sidecar'])
      expect(readBack(path)).toEqual(OLD)
    }))

  test.each([
    { name: 'changes', change: (codes: Uint8Array<ArrayBuffer>) => (codes[0] = 99) },
    {
      name: 'is taken away',
      change: (codes: Uint8Array<ArrayBuffer>) => structuredClone(codes, { transfer: [codes.buffer] }),
    },
  ])('a section that $name is never published', ({ change }) =>
    inEachTurn(async (nth) => {
      const codes = new Uint8Array(5_000_000).fill(4)
      const sections = { rows: LARGE['rows'] as Uint32Array, codes }
      const { path, error } = await withTurn(nth, () => change(codes), { sections })
      const read = readBack(path, sections)
      // Before its sum was begun, or after its last byte was written, it is whole, in the one state or the other.
      if (error === undefined) {
        const loaded = 'loaded' in read ? (read.loaded.sections['codes'] as Uint8Array) : undefined
        expect([0, 5_000_000]).toContain(loaded?.length)
        expect(loaded?.subarray(1).every((byte) => byte === 4)).toBe(true)
      } else {
        expect((error as Error).message).toMatch(/changed while it was written|detached/)
        expect(readBack(path)).toEqual(OLD)
      }
      expect(nth > 4 && nth < 9 && error === undefined).toBe(false)
      expect(namesBeside(path)).toEqual(['memory.sidecar'])
    }),
  )

  test('another publication of the same writer: one fails, and what is there is whole', () =>
    inEachTurn(async (nth) => {
      const lease = heldLease()
      let other: Promise<unknown> = Promise.resolve()
      const { path, error } = await withTurn(
        nth,
        (at) => void (other = publishNewer(at, { lease }).catch((thrown: unknown) => thrown)),
        { lease },
      )
      const second = await other
      expect([error, second].filter((thrown) => thrown !== undefined).length).toBeLessThanOrEqual(1)
      const read = readBack(path)
      expect('loaded' in read && [HEADER.change, 8].includes(read.loaded.header.change)).toBe(true)
      expect(namesBeside(path)).toEqual(['memory.sidecar'])
    }))
})
