import { rmSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { nodeFileSystem } from '@mono-agent/memory-store'
import type { Intake } from '@mono-agent/memory-intake'
import { interceptFileSystem } from '../../../test/support/intercepted-file-system.js'
import { Harness, idOf, rejection, turn } from './support/harness.js'

const A = idOf('a')
const removeRecord = (harness: Harness, runId: string): void => rmSync(harness.path('pending', `${idOf(runId)}.json`))

/** An open root whose turns are in records, so that these can be taken away. */
async function recorded(runIds: readonly string[], options = {}) {
  const harness = new Harness()
  const intake = await harness.open(options)
  for (const runId of runIds) await intake.admit(turn(runId))
  await intake.checkpoint()
  return { harness, intake }
}

describe('a wait ends when the store closes, whenever it began (INT-18)', () => {
  test('in the tick of its admission and of close', async () => {
    const harness = new Harness()
    const intake = await harness.open()
    const admission = intake.admit(turn('a'))
    const waiting = rejection(intake.whenSettled('a'))
    const closing = intake.close()
    expect(await waiting).toMatchObject({ code: 'store_closed' })
    expect(await admission).toMatchObject({ status: 'admitted' })
    await closing
    await harness.close()
  })

  test('while the admission was being flushed', async () => {
    const armed: Intake[] = []
    const harness = new Harness(
      interceptFileSystem(nodeFileSystem, {
        around(call, proceed) {
          if (call.operation === 'file.dataSync' && call.path.includes('/log/')) void armed[0]?.close()
          return proceed()
        },
      }),
    )
    const intake = await harness.open()
    armed.push(intake)
    const admission = intake.admit(turn('a'))
    expect(await rejection(intake.whenSettled('a'))).toMatchObject({ code: 'store_closed' })
    expect(await admission).toMatchObject({ status: 'admitted' })
    await harness.close()
  })

  test('a turn that had ended by then is told as it ended', async () => {
    const harness = new Harness()
    const intake = await harness.open()
    await intake.admit(turn('a'))
    const settling = intake.settle([{ id: A, memoryIds: ['m1'] }])
    const waiting = intake.whenSettled('a')
    await settling
    await intake.close()
    expect(await waiting).toEqual({ state: 'indexed', memoryIds: ['m1'] })
    await harness.close()
  })
})

describe('a record that somebody removed is never told as success (INT-18)', () => {
  test('found by the reader of due turns: status, wait, and reopening', async () => {
    const { harness, intake } = await recorded(['a', 'b'])
    const waiting = rejection(intake.whenSettled('a'))
    removeRecord(harness, 'a')
    expect((await intake.due(9)).map((item) => item.turn.runId)).toEqual(['b'])
    expect(await waiting).toMatchObject({ code: 'intake_invalid' })
    expect(await rejection(intake.turnStatus('a'))).toMatchObject({ code: 'intake_invalid' })
    expect(await rejection(intake.whenSettled('a'))).toMatchObject({ code: 'intake_invalid' })
    expect(await intake.turnStatus('b')).toEqual({ state: 'admitted' })
    expect(await intake.admit(turn('a'))).toMatchObject({ status: 'duplicate' })
    const reopened = await harness.reopen()
    expect(await rejection(reopened.turnStatus('a'))).toMatchObject({ code: 'intake_invalid' })
    expect(await reopened.turnStatus('b')).toEqual({ state: 'admitted' })
    await harness.close()
  })

  test('found by a checkpoint', async () => {
    const { harness, intake } = await recorded(['a'])
    removeRecord(harness, 'a')
    await intake.fail(A, 'provider') // to be written anew
    const waiting = rejection(intake.whenSettled('a'))
    await intake.checkpoint()
    expect(await waiting).toMatchObject({ code: 'intake_invalid' })
    expect(intake.snapshot()).toMatchObject({ pending: 0, unaccounted: 1 })
    await harness.close()
  })

  test('the snapshot follows at once', async () => {
    const seen: number[] = []
    const { harness, intake } = await recorded(['a'], {
      onChange: ({ unaccounted }: { readonly unaccounted: number }) => void seen.push(unaccounted),
    })
    removeRecord(harness, 'a')
    await intake.due(1)
    expect(seen.at(-1)).toBe(1)
    await harness.close()
  })

  test('a pruned receipt is `settled` while every entry is accounted for, and in doubt when one is not', async () => {
    const { harness, intake } = await recorded(['a', 'b'], { limits: { maxReceipts: 0 } })
    await intake.settle([{ id: A, memoryIds: [] }])
    await intake.checkpoint()
    expect(await intake.turnStatus('a')).toEqual({ state: 'settled' })
    expect(await (await harness.reopen()).turnStatus('a')).toEqual({ state: 'settled' })
    await harness.close()
    removeRecord(harness, 'b')
    const doubtful = await harness.open()
    expect(await rejection(doubtful.turnStatus('a'))).toMatchObject({ code: 'intake_invalid' })
    expect(await doubtful.turnStatus('nobody')).toEqual({ state: 'unknown' })
    await harness.close()
  })

  test.each([1, 2, 3])('%s of three due turns lost, asked for one by one: the others are still found', async (lost) => {
    const { harness, intake } = await recorded(['a', 'b', 'c'])
    for (const runId of ['a', 'b', 'c'].slice(0, lost)) removeRecord(harness, runId)
    expect((await intake.due(1)).map((item) => item.turn.runId)).toEqual(['a', 'b', 'c'].slice(lost, lost + 1))
    await harness.close()
  })
})
