import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { countingFileSystem } from '../../../../test/support/counting-file-system.js'
import { faultyFileSystem } from '../../../../test/support/faulty-file-system.js'
import { holdRoot } from '../../../../test/support/held-root.js'
import { interceptFileSystem } from '../../../../test/support/intercepted-file-system.js'
import { makeTemporaryRoot } from '../../../../test/support/temporary-root.js'
import {
  auditLineId,
  nodeFileSystem,
  readAuditIds,
  sha256Hex,
  writeAuditLines,
  type AuditLine,
  type FileSystem,
} from '../../src/index.js'

const audit = (run: string, day = '2026-05-01'): AuditLine => ({
  ...{ turnId: sha256Hex(run), day, text: `Words of ${run}.`, createdAt: '2026-05-01T09:00:00.000Z' },
})
const idOf = (run: string): string => auditLineId(sha256Hex(run))

test('several turns of several days: one publication, each line once, also after a replay', async () => {
  const counting = countingFileSystem()
  const { root, lease } = await holdRoot(counting.fs)
  const parts = { root, fs: counting.fs, lease }
  expect(await writeAuditLines(parts, [audit('a'), audit('b', '2026-05-02'), audit('c')])).toBe(3)
  const before = counting.calls.length
  expect(await writeAuditLines(parts, [audit('c'), audit('d'), audit('b', '2026-05-02')])).toBe(1)
  const flushes = counting.calls.slice(before).filter(({ operation }) => /sync/i.test(operation))
  expect(flushes.map(({ operation }) => operation).sort()).toEqual(['file.sync', 'file.sync', 'syncDirectory'])
  expect(readAuditIds(nodeFileSystem, root, '2026-05-01')).toEqual(['a', 'c', 'd'].map(idOf))
  expect(readAuditIds(nodeFileSystem, root, '2026-05-02')).toEqual([idOf('b')])
  expect(readAuditIds(nodeFileSystem, root, '2026-05-03')).toEqual([])
  expect(readdirSync(join(root, 'audit'))).toEqual(['2026-05-01.md', '2026-05-02.md'])
})

test('a line that is found is made durable: the file is published although nothing is added', async () => {
  const counting = countingFileSystem()
  const { root, lease } = await holdRoot(counting.fs)
  await writeAuditLines({ root, fs: counting.fs, lease }, [audit('a')])
  const text = readFileSync(join(root, 'audit/2026-05-01.md'), 'utf8')
  const inode = nodeFileSystem.lstat(join(root, 'audit/2026-05-01.md'))?.ino
  expect(await writeAuditLines({ root, fs: counting.fs, lease }, [audit('a')])).toBe(0)
  expect(readFileSync(join(root, 'audit/2026-05-01.md'), 'utf8')).toBe(text)
  expect(nodeFileSystem.lstat(join(root, 'audit/2026-05-01.md'))?.ino).not.toBe(inode)
})

test('what a person wrote stays', async () => {
  const { root, lease } = await holdRoot()
  mkdirSync(join(root, 'audit'), { mode: 0o700 })
  writeFileSync(join(root, 'audit/2026-05-01.md'), '# 2026-05-01\n\nA remark of mine\n', { mode: 0o600 })
  await writeAuditLines({ root, fs: nodeFileSystem, lease }, [audit('a')])
  expect(readFileSync(join(root, 'audit/2026-05-01.md'), 'utf8')).toMatch(
    /^# 2026-05-01\n\nA remark of mine\n- Words of a\. /,
  )
})

test('no lines are no work, and a line that cannot be written leaves nothing', async () => {
  const { root, lease } = await holdRoot()
  expect(await writeAuditLines({ root, fs: nodeFileSystem, lease }, [])).toBe(0)
  const parts = { root, fs: nodeFileSystem, lease }
  await expect(writeAuditLines(parts, [audit('a'), { ...audit('b'), text: '' }])).rejects.toThrow(RangeError)
  expect(readdirSync(root)).not.toContain('audit')
})

test('an audit folder that is a link is refused, for reading and writing', async () => {
  const { root, lease } = await holdRoot()
  const elsewhere = makeTemporaryRoot()
  symlinkSync(elsewhere, join(root, 'audit'))
  await expect(writeAuditLines({ root, fs: nodeFileSystem, lease }, [audit('a')])).rejects.toMatchObject({
    code: 'path_unsafe',
  })
  expect(() => readAuditIds(nodeFileSystem, root, '2026-05-01')).toThrow(
    expect.objectContaining({ code: 'path_unsafe' }),
  )
  expect(readdirSync(elsewhere)).toEqual([])
})

test.each(['ENOSPC', 'EIO'])(
  'any call of the port refused with %s: done again, each line is there once',
  async (errno) => {
    const lines = [audit('a'), audit('b'), audit('c', '2026-05-02')]
    const counting = countingFileSystem()
    const dry = await holdRoot()
    await writeAuditLines({ root: dry.root, fs: nodeFileSystem, lease: dry.lease }, [audit('z')])
    await writeAuditLines({ root: dry.root, fs: counting.fs, lease: dry.lease }, lines)
    expect(counting.calls.length).toBeGreaterThan(15)
    for (let nth = 1; nth <= counting.calls.length; nth++) {
      const faulty = faultyFileSystem()
      const { root, lease } = await holdRoot(faulty.fs)
      await writeAuditLines({ root, fs: faulty.fs, lease }, [audit('z')])
      faulty.inject({ nth, errno })
      const result = await writeAuditLines({ root, fs: faulty.fs, lease }, lines).then(
        () => 'written',
        (error: { code?: string }) => error.code,
      )
      expect(['written', 'storage_failed']).toContain(result)
      faulty.clear()
      if (result !== 'written') await writeAuditLines({ root, fs: faulty.fs, lease }, lines)
      expect(readAuditIds(nodeFileSystem, root, '2026-05-01'), `call ${nth}`).toEqual(['z', 'a', 'b'].map(idOf))
      expect(readAuditIds(nodeFileSystem, root, '2026-05-02'), `call ${nth}`).toEqual([idOf('c')])
      lease.release()
    }
  },
)

/** A person saves `change` of the file each time the writer is about to flush what it made of it. */
function savedMeanwhile(times: number): { readonly fs: FileSystem; readonly saves: () => number } {
  let saves = 0
  const counting = interceptFileSystem(nodeFileSystem, {
    around(call, proceed) {
      if (call.operation === 'file.sync' && call.path.includes('2026-05-01') && saves < times) {
        const path = join(dirname(call.path), '2026-05-01.md')
        writeFileSync(path, `${existsSync(path) ? readFileSync(path, 'utf8') : ''}Save ${++saves}.\n`, { mode: 0o600 })
      }
      return proceed()
    },
  })
  return { fs: counting, saves: () => saves }
}

test.each([
  { name: 'a file that is there', isThere: true },
  { name: 'a file that a person makes first', isThere: false },
])('what a person saves while it is written is kept: $name', async ({ isThere }) => {
  const meanwhile = savedMeanwhile(3)
  const { root, lease } = await holdRoot()
  if (isThere) await writeAuditLines({ root, fs: nodeFileSystem, lease }, [audit('z')])
  expect(await writeAuditLines({ root, fs: meanwhile.fs, lease }, [audit('a'), audit('b', '2026-05-02')])).toBe(2)
  expect(meanwhile.saves()).toBe(3)
  const text = readFileSync(join(root, 'audit/2026-05-01.md'), 'utf8')
  for (const save of [1, 2, 3]) expect(text).toContain(`Save ${save}.\n`)
  expect(readAuditIds(nodeFileSystem, root, '2026-05-01')).toEqual((isThere ? ['z', 'a'] : ['a']).map(idOf))
  expect(readdirSync(join(root, 'audit')).filter((name) => name.includes('tmp'))).toEqual([])
})

test('one that is saved all the time is busy; what was saved is there, and the next call finishes', async () => {
  const meanwhile = savedMeanwhile(8)
  const { root, lease } = await holdRoot()
  const parts = { root, fs: meanwhile.fs, lease }
  await expect(writeAuditLines(parts, [audit('b', '2026-05-02'), audit('a')])).rejects.toMatchObject({
    code: 'file_busy',
  })
  expect(readFileSync(join(root, 'audit/2026-05-01.md'), 'utf8')).toMatch(/Save 8\.\n$/)
  await writeAuditLines(parts, [audit('b', '2026-05-02'), audit('a')])
  expect(readAuditIds(nodeFileSystem, root, '2026-05-01')).toEqual([idOf('a')])
  expect(readAuditIds(nodeFileSystem, root, '2026-05-02')).toEqual([idOf('b')])
})
