import { readFileSync, statSync } from 'node:fs'
import { expect, test } from 'vitest'
import { faultyFileSystem } from '../../../test/support/faulty-file-system.js'
import { OVERDUE_BYTES } from '../src/checkpoint-schedule.js'
import { formatSegmentHeader } from '../src/format/log-frame.js'
import { parseCatalog } from '../src/format/catalog.js'
import { Harness, rejection, turn } from './support/harness.js'

/** Bytes of frames in the log, from the files themselves. */
function loggedBytes(harness: Harness, store: string): number {
  return harness
    .segments()
    .map((number) => statSync(harness.path('log', String(number))).size - formatSegmentHeader({ store, number }).length)
    .reduce((sum, bytes) => sum + bytes, 0)
}

test.each([
  { name: 'one byte below 16 MiB', beyond: -1, isOverdue: false },
  { name: '16 MiB', beyond: 0, isOverdue: true },
  { name: 'one byte above', beyond: 1, isOverdue: true },
])('$name of log that no checkpoint folded in: overdue is $isOverdue', async ({ beyond, isOverdue }) => {
  const faulty = faultyFileSystem()
  const harness = new Harness(faulty.fs)
  const intake = await harness.open()
  const store = parseCatalog(readFileSync(harness.path('catalog')))?.store ?? ''
  faulty.inject({ operation: 'rename', path: /catalog/, errno: 'EIO', times: Infinity })
  const send = (n: number, length: number) => intake.admit(turn(`run-${n}`, { summary: 'x'.repeat(length) }))
  expect(intake.isCheckpointOverdue()).toBe(false)
  for (let n = 10; n < 36; n += 1) await send(n, 620_000)
  const before = loggedBytes(harness, store)
  await send(36, 100_000)
  const after = loggedBytes(harness, store)
  // A frame has as many bytes more as its summary: this one fills the log to the byte.
  await send(37, 100_000 + OVERDUE_BYTES + beyond - after - (after - before))
  expect(loggedBytes(harness, store)).toBe(OVERDUE_BYTES + beyond)
  expect(intake.isCheckpointOverdue()).toBe(isOverdue)
  expect(await rejection(intake.checkpoint())).toMatchObject({ code: 'storage_failed' })
  expect(intake.isCheckpointOverdue()).toBe(isOverdue)
  faulty.clear()
  await intake.checkpoint()
  expect(intake.isCheckpointOverdue()).toBe(false)
  expect(intake.snapshot()).toMatchObject({ pending: 28, unaccounted: 0 })
  await harness.close()
})
