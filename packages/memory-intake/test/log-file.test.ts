import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { setImmediate as nextTurnOfLoop } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { Intake } from '@mono-agent/memory-intake'
import { nodeFileSystem } from '@mono-agent/memory-store'
import { buildChildProgram } from '../../../test/support/child-program.js'
import { countingFileSystem } from '../../../test/support/counting-file-system.js'
import { faultyFileSystem } from '../../../test/support/faulty-file-system.js'
import { Harness, idOf, rejection, turn } from './support/harness.js'

const POSIX = process.platform !== 'win32'

/** Waits for the background checkpoint, which nobody asked for. */
async function checkpointed(harness: Harness, intake: Intake, runId: string): Promise<void> {
  while (!harness.names('pending').includes(`${idOf(runId)}.json`)) await nextTurnOfLoop()
  await intake.checkpoint() // begins when that one has ended
}

describe('a log segment that is taken away under a running writer (INT-1)', () => {
  const harms: { readonly name: string; readonly harm: (harness: Harness) => void }[] = [
    { name: 'deleted', harm: (h) => rmSync(h.lastSegment()) },
    { name: 'moved away', harm: (h) => renameSync(h.lastSegment(), `${h.root}/elsewhere`) },
    {
      name: 'replaced by a copy of itself',
      harm(h) {
        copyFileSync(h.lastSegment(), `${h.root}/copy`)
        renameSync(`${h.root}/copy`, h.lastSegment())
      },
    },
    { name: 'deleted with its directory', harm: (h) => rmSync(h.path('log'), { recursive: true }) },
    {
      name: 'deleted with its directory, which is made again',
      harm(h) {
        rmSync(h.path('log'), { recursive: true })
        mkdirSync(h.path('log'))
      },
    },
  ]

  test.skipIf(!POSIX).each(harms)('$name: not acknowledged, what was is saved, the store goes on', async ({ harm }) => {
    const harness = new Harness()
    const intake = await harness.open()
    await intake.admit(turn('before'))
    harm(harness)
    expect(await rejection(intake.admit(turn('a')))).toMatchObject({ code: 'intake_invalid', outcome: 'unknown' })
    expect(await intake.turnStatus('a')).toEqual({ state: 'unknown' })
    await checkpointed(harness, intake, 'before')
    expect(await intake.admit(turn('a'))).toMatchObject({ status: 'admitted' })
    const reopened = await harness.crashAndOpen()
    expect((await reopened.due(9)).map((item) => item.turn.runId)).toEqual(['before', 'a'])
    expect(await reopened.admit(turn('before'))).toMatchObject({ status: 'duplicate' })
    await harness.close()
  })

  test.skipIf(!POSIX)('nothing is acknowledged behind the gap until a checkpoint has closed it', async () => {
    const faulty = faultyFileSystem()
    const harness = new Harness(faulty.fs)
    const intake = await harness.open()
    await intake.admit(turn('before'))
    rmSync(harness.lastSegment())
    faulty.inject({ operation: 'rename', path: /catalog/, errno: 'EIO', times: 1_000 })
    expect(await rejection(intake.admit(turn('a')))).toMatchObject({ code: 'intake_invalid', outcome: 'unknown' })
    expect(await rejection(intake.checkpoint())).toMatchObject({ code: 'storage_failed' })
    for (const call of [() => intake.admit(turn('a')), () => intake.fail(idOf('before'), 'provider')]) {
      expect(await rejection(call())).toMatchObject({ code: 'intake_invalid', outcome: 'not_written' })
    }
    faulty.clear()
    await intake.checkpoint()
    expect(await intake.admit(turn('a'))).toMatchObject({ status: 'admitted' })
    expect((await (await harness.crashAndOpen()).due(9)).map((item) => item.turn.runId)).toEqual(['before', 'a'])
    await harness.close()
  })

  test.skipIf(!POSIX)('found by a checkpoint first: everything acknowledged is saved', async () => {
    const harness = new Harness()
    const intake = await harness.open()
    await intake.admit(turn('before'))
    rmSync(harness.path('log'), { recursive: true })
    await intake.checkpoint()
    expect(await intake.admit(turn('a'))).toMatchObject({ status: 'admitted' })
    expect((await (await harness.crashAndOpen()).due(9)).map((item) => item.turn.runId)).toEqual(['before', 'a'])
    await harness.close()
  })

  test('the look costs one lstat a group, whatever is in it', async () => {
    const counting = countingFileSystem()
    const harness = new Harness(counting.fs)
    const intake = await harness.open()
    counting.reset()
    await Promise.all(Array.from({ length: 64 }, (_, n) => intake.admit(turn(`r${n}`))))
    expect(counting.count('lstat', /log/)).toBe(1)
    expect([counting.count('file.stat'), counting.flushes()]).toEqual([0, 1])
    await harness.close()
  })
})

describe('a log segment that may not grow any more (EFBIG)', () => {
  test.each([
    { name: 'nothing of the frame', takes: 0 },
    { name: 'part of the frame', takes: 40 },
  ])('took $name: it is cut back, and the group stands in the next one', async ({ takes }) => {
    const faulty = faultyFileSystem()
    const harness = new Harness(faulty.fs)
    const intake = await harness.open()
    await intake.admit(turn('a'))
    const full = harness.lastSegment()
    const before = readFileSync(full)
    faulty.inject({ operation: 'file.write', path: /log/, errno: 'EFBIG', takes })
    expect(await intake.admit(turn('b'))).toMatchObject({ status: 'admitted' })
    expect(readFileSync(full)).toEqual(before)
    expect(harness.lastSegment()).not.toBe(full)
    expect((await (await harness.crashAndOpen()).due(9)).map((item) => item.turn.runId)).toEqual(['a', 'b'])
    await harness.close()
  })

  test('a group that no segment takes is refused once, and wrote nothing', async () => {
    const faulty = faultyFileSystem()
    const harness = new Harness(faulty.fs)
    const intake = await harness.open()
    await intake.admit(turn('a'))
    const full = harness.lastSegment()
    faulty.inject({ operation: 'file.write', path: new RegExp(full), errno: 'EFBIG' })
    faulty.inject({ operation: 'file.write', path: /log/, nth: 3, errno: 'EFBIG' }) // 2 is the header of the next one
    expect(await rejection(intake.admit(turn('b')))).toMatchObject({ code: 'storage_failed', outcome: 'not_written' })
    expect(await intake.admit(turn('b'))).toMatchObject({ status: 'admitted' })
    await harness.close()
  })

  test('one that cannot be cut back is sealed, and the outcome unknown', async () => {
    const faulty = faultyFileSystem()
    const harness = new Harness(faulty.fs)
    const intake = await harness.open()
    await intake.admit(turn('a'))
    faulty.inject({ operation: 'file.write', path: /log/, errno: 'EFBIG', takes: 40 })
    faulty.inject({ operation: 'file.truncate', path: /log/, errno: 'EIO' })
    expect(await rejection(intake.admit(turn('b')))).toMatchObject({ code: 'storage_failed', outcome: 'unknown' })
    expect(await intake.admit(turn('b'))).toMatchObject({ status: 'admitted' })
    await harness.close()
  })

  test.skipIf(!POSIX)('under a limit of 256 KiB a process admits 2 MiB of turns', { timeout: 60_000 }, async () => {
    const program = await buildChildProgram(new URL('./support/small-files.program.ts', import.meta.url))
    const harness = new Harness(nodeFileSystem)
    await harness.open()
    await harness.close()
    const command = 'ulimit -f 256; exec "$0" "$@"' // KiB
    const args = ['-c', command, process.execPath, program, harness.root, '200', '10000']
    expect(JSON.parse(execFileSync('bash', args, { encoding: 'utf8' }))).toEqual({ admitted: 200 })
    expect((await harness.open()).snapshot()).toMatchObject({ pending: 200, unaccounted: 0 })
    await harness.close()
  })
})
