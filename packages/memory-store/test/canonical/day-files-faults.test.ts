import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { countingFileSystem } from '../../../../test/support/counting-file-system.js'
import { faultyFileSystem, type Fault } from '../../../../test/support/faulty-file-system.js'
import { acquireWriterLease } from '../../src/disk/writer-lease.js'
import { nodeFileSystem, type FileSystem } from '../../src/disk/file-system.js'
import { add, FILE, idsIn, openTestDays, writeDay } from './open-test-days.js'

const OTHER = 'daily/2026-05-02.md'
const PROSE = 'Prose of a person.\n'
const work = [
  { file: FILE, changes: [add('c')] },
  { file: OTHER, changes: [add('d', 'e')] },
]

/** A day with bullets and prose that a restart finds, and none of the other day. */
async function found(fs: FileSystem = nodeFileSystem) {
  const days = await openTestDays(fs)
  writeDay(days.root, FILE, `# 2026-05-01\n\n${PROSE}`)
  await days.reopen({ fs: nodeFileSystem }).apply([{ file: FILE, changes: [add('a', 'b')] }])
  return days
}

const textIn = (root: string, file: string): string => readFileSync(join(root, file), 'utf8')

function expectWhole(root: string, what: string): void {
  expect(idsIn(textIn(root, FILE)), what).toEqual(['a', 'b', 'c'])
  expect(textIn(root, FILE), what).toContain(PROSE)
  expect(idsIn(textIn(root, OTHER)), what).toEqual(['d', 'e'])
}

describe.each([
  { name: 'refused', fault: { errno: 'EIO' } },
  { name: 'refused for want of space', fault: { errno: 'ENOSPC' } },
  { name: 'carried out, then said to have failed', fault: { errno: 'EIO', afterEffect: true } },
] as { name: string; fault: Fault }[])('any call of the port $name', ({ fault }) => {
  test('loses and doubles nothing: done again, each bullet is there once', async () => {
    const counting = countingFileSystem()
    const dry = await found(counting.fs)
    await dry.days.apply(work)
    expectWhole(dry.root, 'without a fault')
    expect(counting.calls.length).toBeGreaterThan(30)
    for (let nth = 1; nth <= counting.calls.length; nth++) {
      const what = `call ${nth}, ${counting.calls[nth - 1]?.operation}`
      const faulty = faultyFileSystem()
      const { root, days, lease, reopen } = await found(faulty.fs)
      faulty.inject({ ...fault, nth })
      const error: unknown = await days.apply(work).then(
        () => undefined,
        (thrown: unknown) => thrown,
      )
      expect(faulty.played(), what).toBe(1)
      faulty.clear()
      if (error === undefined) expectWhole(root, what)
      else expect(error, what).toMatchObject({ code: 'storage_failed' })
      expect(textIn(root, FILE), what).toContain(PROSE)
      if ((error as { outcome?: string } | undefined)?.outcome === 'not_written') {
        expect(idsIn(textIn(root, FILE)), what).toEqual(['a', 'b'])
        expect(readdirSync(join(root, 'daily')), what).not.toContain('2026-05-02.md')
      }
      await days.apply(work)
      expectWhole(root, what)
      lease.release()
      const next = await acquireWriterLease(nodeFileSystem, root)
      await reopen({ lease: next }).apply(work)
      expectWhole(root, what)
      next.release()
    }
  })
})

describe('a directory whose flush fails', () => {
  test('its files are published again, whole, under new inodes', async () => {
    const faulty = faultyFileSystem()
    const { root, days, lease } = await found(faulty.fs)
    const before = faulty.calls.length
    faulty.inject({ operation: 'syncDirectory', path: /daily$/, errno: 'EIO' })
    const states = await days.apply(work)
    expectWhole(root, 'after one failure')
    const renames = faulty.calls.slice(before).filter(({ operation }) => operation === 'rename')
    expect(renames).toHaveLength(4)
    for (const { file, identity } of states) {
      expect(nodeFileSystem.lstat(join(root, file))?.ino).toBe(identity.ino)
    }
    expect(states.map(({ drifted }) => drifted)).toEqual([false, false])
    expect(() => lease.assertHeld()).not.toThrow()
  })

  test.each([
    { name: 'that fails too', then: { operation: 'syncDirectory', path: /daily$/, errno: 'EIO', times: 2 } },
    { name: 'the disk is full then', then: { operation: 'file.write', errno: 'ENOSPC', nth: 3 } },
  ] as { name: string; then: Fault }[])('if $name, nothing is written until the root is reopened', async ({ then }) => {
    const faulty = faultyFileSystem()
    const { root, days, lease, reopen } = await found(faulty.fs)
    faulty.inject({ operation: 'syncDirectory', path: /daily$/, errno: 'EIO' })
    faulty.inject(then)
    await expect(days.apply(work)).rejects.toMatchObject({ code: 'storage_failed', outcome: 'unknown' })
    faulty.clear()
    const before = textIn(root, FILE)
    await expect(days.apply([{ file: FILE, changes: [add('z')] }])).rejects.toMatchObject({ code: 'storage_failed' })
    expect(textIn(root, FILE)).toBe(before)
    lease.release()
    const next = await acquireWriterLease(nodeFileSystem, root)
    await reopen({ lease: next }).apply(work)
    expectWhole(root, 'reopened')
    next.release()
  })
})

test('slow flushes are awaited, and the order of calls is kept', async () => {
  const slow = faultyFileSystem(nodeFileSystem, { flushLatencyMs: 4 })
  const { days, text } = await openTestDays(slow.fs)
  const ids = ['a', 'b', 'c', 'd', 'e']
  await Promise.all(ids.map((id) => days.apply([{ file: FILE, changes: [add(id)] }])))
  expect(idsIn(text())).toEqual(ids)
})
