import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeTemporaryRoot } from '../../../../test/support/temporary-root.js'
import { nodeFileSystem } from '../../src/disk/file-system.js'
import { formatEpoch, nextEpoch, parseEpoch, readEpoch } from '../../src/disk/writer-epoch.js'
import { acquireWriterLease } from '../../src/disk/writer-lease.js'

describe('the epoch file', () => {
  test.each([1, 9, 10, 123_456, 999_999_999_999_999])('%d is read back as written', (epoch) => {
    expect(parseEpoch(formatEpoch(epoch))).toBe(epoch)
  })

  test.each(['', '\n', '0\n', '-1\n', '1.5\n', '01\n', '1\n\n', ' 1\n', '1000000000000000\n', '1e3\n', '\0\0', 'x'])(
    '%j is no epoch',
    (text) => {
      expect(parseEpoch(Buffer.from(text))).toBeUndefined()
    },
  )

  test.each([
    { name: 'missing', text: undefined, next: 1 },
    { name: 'empty', text: '', next: 1 },
    { name: 'damaged', text: '\0\0\0', next: 1 },
    { name: 'of the last opening', text: '41\n', next: 42 },
  ])('$name: the next opening is $next', async ({ text, next }) => {
    const root = makeTemporaryRoot()
    if (text !== undefined) writeFileSync(join(root, '.writer-epoch'), text)
    const lease = await acquireWriterLease(nodeFileSystem, root)
    expect(lease.epoch).toBe(next)
    expect(readEpoch(nodeFileSystem, root)).toBe(next)
    expect(readFileSync(join(root, '.writer-epoch'), 'utf8')).toBe(`${next}\n`)
    lease.release()
  })

  test('an opening that was cut before its epoch had its name is counted: its temporary is debris', () => {
    const root = makeTemporaryRoot()
    writeFileSync(join(root, '.writer-epoch'), '4\n')
    writeFileSync(join(root, '..writer-epoch.tmp-5-0'), '5\n')
    writeFileSync(join(root, '.other.tmp-9-0'), '')
    expect(nextEpoch(nodeFileSystem, root)).toBe(6)
  })
})
