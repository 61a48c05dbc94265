import { appendFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { interceptFileSystem, type Call } from '../../../../test/support/intercepted-file-system.js'
import { makeTemporaryRoot } from '../../../../test/support/temporary-root.js'
import { nodeFileSystem } from '../../src/disk/file-system.js'
import { readPinned } from '../../src/disk/read-pinned.js'

/** Runs `disturb` right before each of the first `times` calls of `operation`. */
function disturbed(operation: Call['operation'], times: number, disturb: (time: number) => void) {
  let time = 0
  return interceptFileSystem(nodeFileSystem, {
    around(call, proceed) {
      if (call.operation === operation && time < times) disturb(++time)
      return proceed()
    },
  })
}

const textOf = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString()

describe('readPinned (FMT-10)', () => {
  test.each([{ text: '' }, { text: 'one\n' }, { text: 'x'.repeat(300_000) }])('reads a file whole', ({ text }) => {
    const path = join(makeTemporaryRoot(), 'file')
    writeFileSync(path, text)
    const read = readPinned(nodeFileSystem, path)
    expect(textOf(read?.bytes)).toBe(text)
    expect(read?.stat.size).toBe(text.length)
  })

  test('a file that is not there is undefined', () => {
    expect(readPinned(nodeFileSystem, join(makeTemporaryRoot(), 'file'))).toBeUndefined()
  })

  test('a file that grows during the read is read again, so that no two states are mixed', () => {
    const path = join(makeTemporaryRoot(), 'file')
    writeFileSync(path, 'old')
    const fs = disturbed('file.read', 1, () => appendFileSync(path, ' and new'))
    expect(textOf(readPinned(fs, path)?.bytes)).toBe('old and new')
  })

  test('a file that is cut during the read is read again', () => {
    const path = join(makeTemporaryRoot(), 'file')
    writeFileSync(path, 'long text')
    const fs = disturbed('file.read', 1, () => writeFileSync(path, 'short'))
    expect(textOf(readPinned(fs, path)?.bytes)).toBe('short')
  })

  test('a file that is replaced after it was opened is read anew, not refused for having lost its name', () => {
    const root = makeTemporaryRoot()
    const path = join(root, 'file')
    writeFileSync(path, 'old')
    const fs = disturbed('file.read', 1, () => {
      writeFileSync(join(root, 'next'), 'new')
      renameSync(join(root, 'next'), path)
    })
    expect(textOf(readPinned(fs, path)?.bytes)).toBe('new')
  })

  test('a file that moves during every read is busy after eight of them, and closed', () => {
    const path = join(makeTemporaryRoot(), 'file')
    writeFileSync(path, 'text')
    let opened = 0
    const fs = interceptFileSystem(nodeFileSystem, {
      around(call, proceed) {
        if (call.operation === 'open') opened++
        if (call.operation === 'file.close') opened--
        if (call.operation === 'file.read') appendFileSync(path, 'more')
        return proceed()
      },
    })
    expect(() => readPinned(fs, path)).toThrow(expect.objectContaining({ code: 'file_busy' }))
    expect(opened).toBe(0)
    const calm = disturbed('file.read', 7, () => appendFileSync(path, 'more'))
    expect(readPinned(calm, path)).toBeDefined()
  })
})
