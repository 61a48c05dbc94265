import { describe, expect, test } from 'vitest'
import { manualClock } from '../../../../test/support/manual-clock.js'
import { BUSY_AFTER_MS, readSettled } from '../../src/canonical/settled-read.js'
import type { PinnedRead } from '../../src/disk/read-pinned.js'
import { nodeFileSystem } from '../../src/disk/file-system.js'
import { StoreError } from '../../src/errors.js'
import { formatBullet } from '@mono-agent/memory-store'
import { bullet } from './open-test-days.js'

const stat = nodeFileSystem.lstat('/')
const textOf = (...ids: string[]): string => ids.flatMap((id) => formatBullet(bullet(id))).join('\n') + '\n'
const two = textOf('a', 'b')
const half = two.slice(0, two.length - 9)
const one = textOf('a')

/** `MOVING`: it would not hold still for a pinned read. */
const MOVING = Symbol('moving')
type Text = string | undefined | typeof MOVING

function pinned(text: Text): PinnedRead | undefined {
  if (text === MOVING) throw new StoreError('file_busy', 'moving')
  if (text === undefined || stat === undefined) return undefined
  return { bytes: Buffer.from(text), stat }
}

/** Reads `texts` one after the other, the last one for ever; what was believed, and when. */
async function settle(texts: readonly [Text, ...Text[]], expected: readonly string[] = ['a', 'b']) {
  const { sleep, monotonicNow } = manualClock()
  let next = 0
  const read = (): PinnedRead | undefined => pinned(texts[Math.min(next++, texts.length - 1)])
  const result = await readSettled(
    read,
    new Set(expected),
    { sleep, monotonicNow, deadline: BUSY_AFTER_MS },
    'daily/x.md',
  )
  return { text: result && Buffer.from(result.bytes).toString(), ms: monotonicNow() }
}

describe('readSettled (FMT-13)', () => {
  test.each([
    { name: 'whole and quiet', texts: [two], text: two, ms: 250 },
    {
      name: 'whole, with lines that were not expected',
      texts: [textOf('a', 'b', 'c')],
      text: textOf('a', 'b', 'c'),
      ms: 250,
    },
    { name: 'changed once', texts: [two, `${two}prose\n`], text: `${two}prose\n`, ms: 500 },
    { name: 'moving during the first read', texts: [MOVING, two], text: two, ms: 500 },
    { name: 'half saved', texts: [half, two], text: two, ms: 2_250 },
    { name: 'empty, then whole', texts: ['', two], text: two, ms: 2_250 },
    { name: 'away, then back', texts: [undefined, two], text: two, ms: 2_250 },
    { name: 'empty for good', texts: [''], text: '', ms: 2_000 },
    { name: 'a bullet fewer for good', texts: [one], text: one, ms: 2_000 },
    { name: 'gone for good', texts: [undefined], text: undefined, ms: 2_000 },
  ] as { name: string; texts: [Text, ...Text[]]; text: string | undefined; ms: number }[])(
    'a file that is $name is believed after $ms ms',
    async ({ texts, text, ms }) => {
      expect(await settle(texts)).toEqual({ text, ms })
    },
  )

  test('without knowing what was there, half a file cannot be told from a whole one, an empty one can', async () => {
    expect(await settle([one], [])).toEqual({ text: one, ms: 250 })
    expect(await settle([''], [])).toEqual({ text: '', ms: 2_000 })
  })

  const changing = (times: number): [Text, ...Text[]] => [
    two,
    ...Array.from({ length: times }, (_, n) => two + String(n)),
  ]

  test.each([{ changes: 39 }, { changes: 38 }])('$changes changes in a row are waited for', async ({ changes }) => {
    expect((await settle(changing(changes))).ms).toBe((changes + 1) * 250)
  })

  test('a file that still changes after ten seconds is busy', async () => {
    await expect(settle(changing(40))).rejects.toMatchObject({ code: 'file_busy' })
    await expect(settle([MOVING])).rejects.toMatchObject({ code: 'file_busy' })
  })

  test('what else goes wrong is told at once', async () => {
    const clock = manualClock()
    const read = (): never => {
      throw new StoreError('path_unsafe', 'a link')
    }
    const patience = { ...clock, deadline: BUSY_AFTER_MS }
    await expect(readSettled(read, new Set(), patience, 'x')).rejects.toMatchObject({ code: 'path_unsafe' })
  })
})
