import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Intake } from '@mono-agent/memory-intake'
import { MemoryError } from '@mono-agent/memory-store'
import { faultyFileSystem, type Fault } from '../../../test/support/faulty-file-system.js'
import type { Operation } from '../../../test/support/intercepted-file-system.js'
import { Harness, idOf, rejection, turn } from './support/harness.js'

type Told = 'admitted' | 'duplicate' | 'not_written' | 'unknown'

/** Sends a turn; an error must be typed and say what became of the turn. */
async function send(intake: Intake, runId: string): Promise<Told> {
  try {
    return (await intake.admit(turn(runId))).status
  } catch (error) {
    expect(error).toBeInstanceOf(MemoryError)
    const { outcome, code } = error as MemoryError
    expect(['storage_failed', 'lease_lost', 'intake_full']).toContain(code)
    expect(['not_written', 'unknown']).toContain(outcome)
    return outcome ?? 'unknown'
  }
}

const tolerated = async (step: Promise<unknown>): Promise<boolean> => {
  try {
    await step
    return true
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error
    return false
  }
}

/**
 * A short life with a fault at its nth call. Then the cause is gone: the store that is open goes on, or says that it must
 * be reopened; and after reopening everything that was acknowledged is there, once.
 */
async function live(fault: Fault): Promise<boolean> {
  const faulty = faultyFileSystem()
  const harness = new Harness(faulty.fs)
  let intake = await harness.open({ limits: { maxReceipts: 1 } })
  const told = new Map<string, Told>()
  faulty.inject(fault)

  for (const runId of ['a', 'b', 'c']) told.set(runId, await send(intake, runId))
  const settledA =
    told.get('a') === 'admitted' && (await tolerated(intake.settle([{ id: idOf('a'), memoryIds: ['m'] }])))
  const failedB = told.get('b') === 'admitted' && (await tolerated(intake.fail(idOf('b'), 'provider')))
  await tolerated(intake.checkpoint())
  told.set('d', await send(intake, 'd'))
  await tolerated(intake.retry())
  const resolvedC = told.get('c') === 'admitted' && (await tolerated(intake.resolve(idOf('c'), 'gave-up')))
  await tolerated(intake.checkpoint())
  const again = await send(intake, 'a')
  if (told.get('a') === 'not_written') expect(again).not.toBe('duplicate')
  if (told.get('a') !== 'admitted') told.set('a', again)

  const wasPlayed = faulty.played() > 0
  faulty.clear()
  for (const [runId, before] of told) {
    const after = await send(intake, runId)
    if (before === 'admitted') expect(['duplicate', 'not_written']).toContain(after)
    if (before === 'not_written') expect(after).not.toBe('duplicate')
    if (before !== 'admitted') told.set(runId, after === 'duplicate' ? 'admitted' : after)
  }
  await harness.close()

  intake = await harness.open()
  for (const [runId, before] of told) {
    const { state } = await intake.turnStatus(runId)
    if (before === 'admitted') expect(state).not.toBe('unknown')
    if (before === 'not_written') expect(state).toBe('unknown')
    const after = await send(intake, runId)
    expect(after).toBe(state === 'unknown' ? 'admitted' : 'duplicate')
  }
  const a = await intake.turnStatus('a')
  if (settledA) expect(['indexed', 'settled']).toContain(a.state)
  if (failedB) expect((await intake.inspect(idOf('b'))).items[0]).toMatchObject({ state: 'pending' })
  if (resolvedC) expect(['resolved', 'settled']).toContain((await intake.turnStatus('c')).state)
  const { pending, dead, resolved, pruned, unaccounted } = intake.snapshot()
  expect(pending + dead + resolved + pruned).toBe(4)
  expect(unaccounted).toBe(0)
  await harness.close()
  return wasPlayed
}

describe('a fault at every call of the port (INT-15)', () => {
  test.each<{ operation: Operation; errno: string; afterEffect?: boolean; takes?: number }>([
    { operation: 'file.write', errno: 'ENOSPC' },
    { operation: 'file.write', errno: 'ENOSPC', takes: 40 },
    { operation: 'file.write', errno: 'EIO', afterEffect: true },
    { operation: 'file.sync', errno: 'EIO' },
    { operation: 'file.sync', errno: 'EIO', afterEffect: true },
    { operation: 'file.dataSync', errno: 'EIO' },
    { operation: 'file.dataSync', errno: 'EIO', afterEffect: true },
    { operation: 'syncDirectory', errno: 'EIO' },
    { operation: 'rename', errno: 'EACCES' },
    { operation: 'remove', errno: 'EACCES' },
    { operation: 'open', errno: 'EMFILE' },
    { operation: 'file.truncate', errno: 'EIO' },
    { operation: 'file.close', errno: 'EIO', afterEffect: true },
    { operation: 'file.stat', errno: 'EIO' },
    { operation: 'file.read', errno: 'EIO' },
    { operation: 'lstat', errno: 'EIO' },
    { operation: 'list', errno: 'EIO' },
  ])('$errno on $operation, afterEffect $afterEffect, takes $takes', async (fault) => {
    let nth = 1
    while (await live({ ...fault, nth })) nth += fault.operation === 'lstat' ? 3 : 1
  })

  test('short writes are no errors', async () => {
    const faulty = faultyFileSystem()
    const harness = new Harness(faulty.fs)
    faulty.inject({ operation: 'file.write', takes: 7, times: 1_000_000 })
    let intake = await harness.open()
    await intake.admit(turn('a'))
    intake = await harness.crashAndOpen()
    expect(intake.snapshot().pending).toBe(1)
    await harness.close()
  })
})

describe('each rule of the log has a failure that needs it', () => {
  test('a full disk: the log is cut back, the next turn stands where the failed one would have', async () => {
    const faulty = faultyFileSystem()
    const harness = new Harness(faulty.fs)
    const intake = await harness.open()
    const before = readFileSync(harness.lastSegment()).length
    faulty.inject({ operation: 'file.write', path: /log/, errno: 'ENOSPC', takes: 60 })
    expect(await send(intake, 'a')).toBe('not_written')
    expect(readFileSync(harness.lastSegment()).length).toBe(before)
    expect(await send(intake, 'b')).toBe('admitted')
    await harness.crash()
    expect((await (await harness.open()).due(9)).map((item) => item.turn.runId)).toEqual(['b'])
    await harness.close()
  })

  test('a log that cannot even be cut back is left, and another segment begun', async () => {
    const faulty = faultyFileSystem()
    const harness = new Harness(faulty.fs)
    const intake = await harness.open()
    faulty.inject({ operation: 'file.write', path: /log/, errno: 'EIO', takes: 60 })
    faulty.inject({ operation: 'file.truncate', path: /log/, errno: 'EIO' })
    faulty.inject({ operation: 'rename', path: /catalog/, errno: 'EIO', times: 1_000 }) // no checkpoint tidies up
    expect(await send(intake, 'a')).toBe('unknown')
    expect(await send(intake, 'b')).toBe('admitted')
    await harness.crash()
    faulty.clear()
    expect((await (await harness.open()).due(9)).map((item) => item.turn.runId)).toEqual(['b'])
    await harness.close()
  })

  test('after a failed flush nothing more is appended to that segment', async () => {
    const faulty = faultyFileSystem()
    const harness = new Harness(faulty.fs)
    const intake = await harness.open()
    const sealed = harness.lastSegment()
    faulty.inject({ operation: 'file.dataSync', path: /log/, errno: 'EIO' })
    faulty.inject({ operation: 'rename', path: /catalog/, errno: 'EIO', times: 1_000 })
    expect(await send(intake, 'a')).toBe('unknown')
    const length = readFileSync(sealed).length
    expect(await send(intake, 'b')).toBe('admitted')
    expect(readFileSync(sealed).length).toBe(length)
    expect(harness.lastSegment()).not.toBe(sealed)
    await harness.crash()
    faulty.clear()
    // The flushed-in-vain group may be found, whole; what was acknowledged is found.
    expect((await (await harness.open()).due(9)).map((item) => item.turn.runId)).toContain('b')
    await harness.close()
  })

  test('after a failed flush a checkpoint runs at once', async () => {
    const faulty = faultyFileSystem()
    const harness = new Harness(faulty.fs)
    const intake = await harness.open()
    await send(intake, 'a')
    faulty.inject({ operation: 'file.dataSync', path: /log/, errno: 'EIO' })
    expect(await send(intake, 'b')).toBe('unknown')
    while (!harness.names('pending').includes(`${idOf('a')}.json`))
      await new Promise((resolve) => setImmediate(resolve))
    await intake.checkpoint()
    expect(harness.segments()).toHaveLength(1)
    await harness.close()
  })

  test('not acknowledged before the flush has returned', async () => {
    const faulty = faultyFileSystem()
    const harness = new Harness(faulty.fs)
    const intake = await harness.open()
    faulty.inject({ operation: 'file.dataSync', path: /log/, errno: 'EIO', afterEffect: true })
    expect(await send(intake, 'a')).toBe('unknown')
    expect(await intake.turnStatus('a')).toEqual({ state: 'unknown' })
    await harness.close()
  })

  test.each([
    { when: 'before the write', operation: 'file.write' as const, outcome: 'not_written' },
    { when: 'between flush and acknowledgement', operation: 'file.dataSync' as const, outcome: 'unknown' },
  ])('a lease lost $when: nothing is acknowledged, nothing more is written', async ({ operation, outcome }) => {
    const { interceptFileSystem } = await import('../../../test/support/intercepted-file-system.js')
    const { nodeFileSystem } = await import('@mono-agent/memory-store')
    let isArmed = false
    const steal = (root: string): void => {
      writeFileSync(join(root, 'theirs'), '99\n')
      renameSync(join(root, 'theirs'), join(root, '.writer-epoch'))
    }
    const stealing = interceptFileSystem(nodeFileSystem, {
      around(call, proceed) {
        if (isArmed && call.operation === operation && call.path.includes('/log/')) steal(harness.root)
        return proceed()
      },
    })
    const harness = new Harness(stealing)
    const intake = await harness.open()
    await intake.admit(turn('a'))
    if (operation === 'file.write') steal(harness.root)
    else isArmed = true
    const before = operation === 'file.write' ? readFileSync(harness.lastSegment()) : undefined
    expect(await rejection(intake.admit(turn('b')))).toMatchObject({ code: 'lease_lost', outcome })
    if (before !== undefined) expect(readFileSync(harness.lastSegment())).toEqual(before)
    isArmed = false
    const files = harness.bytes()
    for (const late of [
      () => intake.admit(turn('c')),
      () => intake.settle([{ id: idOf('a'), memoryIds: [] }]),
      () => intake.fail(idOf('a'), 'provider'),
      () => intake.resolve(idOf('a'), 'gave-up'),
    ]) {
      expect(await rejection(late())).toMatchObject({ code: 'lease_lost', outcome: 'not_written' })
    }
    expect(await rejection(intake.checkpoint())).toMatchObject({ code: 'lease_lost' })
    await intake.close()
    expect(harness.bytes()).toEqual(files)
    await harness.crash()
  })

  test('names found at opening are flushed before anything is built on them', async () => {
    const faulty = faultyFileSystem()
    const harness = new Harness(faulty.fs)
    await harness.open()
    await harness.crash()
    const from = faulty.calls.length
    await harness.open()
    const calls = faulty.calls.slice(from)
    const firstList = calls.findIndex(({ operation, path }) => operation === 'list' && path.includes('.capture-intake'))
    const flushed = calls
      .slice(0, firstList)
      .filter(({ operation }) => operation === 'syncDirectory')
      .map(({ path }) => path.slice(harness.root.length))
    for (const directory of ['', '/.capture-intake', '/.capture-intake/log', '/.capture-intake/ledger']) {
      expect(flushed).toContain(directory)
    }
    for (const place of ['pending', 'dead', 'resolved']) expect(flushed).toContain(`/.capture-intake/${place}`)
    await harness.close()
  })

  test('a checkpoint keeps its order: records, moves, shards and their names, catalog, segments', async () => {
    const faulty = faultyFileSystem()
    const harness = new Harness(faulty.fs)
    let intake = await harness.open()
    await intake.admit(turn('a'))
    intake = await harness.reopen()
    await intake.settle([{ id: idOf('a'), memoryIds: [] }])
    await intake.admit(turn('b'))
    const old = harness.lastSegment()
    const from = faulty.calls.length
    await intake.checkpoint()
    const calls = faulty.calls
      .slice(from)
      .map(({ operation, path }) => `${operation} ${path.slice(harness.root.length + 1)}`)
    const at = (call: string): number => {
      const index = calls.indexOf(call)
      expect(index, call).toBeGreaterThanOrEqual(0)
      return index
    }
    const intakePath = '.capture-intake'
    const steps = [
      at(`file.sync ${harness.lastSegment().slice(harness.root.length + 1)}`), // no catalog may name a headless one
      at(`syncDirectory ${intakePath}/log`),
      at(`rename ${intakePath}/resolved/${idOf('a')}.json`),
      at(`syncDirectory ${intakePath}/resolved`),
      at(`remove ${intakePath}/pending/${idOf('a')}.json`),
      calls.lastIndexOf(`syncDirectory ${intakePath}/pending`),
      at(`file.dataSync ${intakePath}/ledger/${idOf('b').slice(0, 2)}`),
      at(`syncDirectory ${intakePath}/ledger`),
      at(`rename ${intakePath}/catalog`),
      calls.lastIndexOf(`syncDirectory ${intakePath}`),
      at(`remove ${old.slice(harness.root.length + 1)}`),
    ]
    expect(steps).toEqual([...steps].sort((a, b) => a - b))
    await harness.close()
  })

  test('a record whose first publication is in doubt is found and moved by the next checkpoint', async () => {
    const faulty = faultyFileSystem()
    const harness = new Harness(faulty.fs)
    let intake = await harness.open({ limits: { maxReceipts: 0 } })
    await intake.admit(turn('a'))
    faulty.inject({ operation: 'rename', path: /pending/, errno: 'EIO', afterEffect: true })
    expect(await rejection(intake.checkpoint())).toMatchObject({ code: 'storage_failed' })
    await intake.settle([{ id: idOf('a'), memoryIds: [] }])
    await intake.checkpoint()
    intake = await harness.reopen()
    expect(intake.snapshot()).toMatchObject({ pending: 0, resolved: 0, pruned: 1 }) // else the settled turn came back
    await harness.close()
  })

  test('a root whose directory may not be written to', async () => {
    const faulty = faultyFileSystem()
    const harness = new Harness(faulty.fs)
    faulty.inject({ operation: 'makeDirectory', errno: 'EROFS' })
    expect(await rejection(harness.open())).toMatchObject({ code: 'storage_failed' })
    await harness.open()
    rmSync(harness.path('pending'), { recursive: true }) // an empty directory that somebody tidied away
    await harness.reopen()
    expect(harness.names('pending')).toEqual([])
    await harness.close()
  })
})
