import { readFileSync, rmSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { MAX_ATTEMPTS, type IntakeSnapshot } from '@mono-agent/memory-intake'
import { faultyFileSystem } from '../../../test/support/faulty-file-system.js'
import { Harness, idOf, rejection, START, turn } from './support/harness.js'

const A = idOf('a')
const MINUTE = 60_000
const YEAR = 365 * 24 * 60 * MINUTE

describe('states and backoff (INT-8, INT-13)', () => {
  test('one minute doubling to six hours, dead after the 16th, durable at each step', async () => {
    const harness = new Harness()
    let intake = await harness.open()
    await intake.admit(turn('a'))
    const waits = [1, 2, 4, 8, 16, 32, 64, 128, 256, 360, 360, 360, 360, 360, 360]
    for (const [index, minutes] of waits.entries()) {
      expect(await intake.fail(A, 'provider')).toBe('pending')
      if (index % 4 === 0) intake = await harness.crashAndOpen()
      expect(await intake.due(1)).toEqual([])
      expect(intake.nextDueAt()).toBe(harness.now + minutes * MINUTE)
      harness.now += minutes * MINUTE - 1
      expect(await intake.due(1)).toEqual([])
      expect(intake.snapshot().due).toBe(0)
      harness.now += 1
      expect((await intake.due(1)).map(({ attempts }) => attempts)).toEqual([index + 1])
      expect(intake.snapshot().due).toBe(1)
    }
    expect(harness.now - START).toBeGreaterThan(24 * 60 * MINUTE)
    expect(await intake.fail(A, 'model_output')).toBe('dead')
    expect(await intake.fail(A, 'model_output')).toBe('dead')
    intake = await harness.reopen()
    expect(intake.snapshot()).toMatchObject({ pending: 0, dead: 1, due: 0 })
    expect(intake.nextDueAt()).toBeUndefined()
    expect(await intake.turnStatus('a')).toEqual({ state: 'dead', failure: 'model_output' })
    expect(harness.names('dead')).toEqual([`${A}.json`])
    expect(harness.names('pending')).toEqual([])
    await harness.close()
  })

  test.each([
    { name: 'back a year', jump: -YEAR, dueAfterMs: MINUTE },
    { name: 'forward a year', jump: YEAR, dueAfterMs: 0 },
  ])('a clock that jumps $name: due after its own backoff at the latest', async ({ jump, dueAfterMs }) => {
    for (const reopened of [false, true]) {
      const harness = new Harness()
      let intake = await harness.open()
      await intake.admit(turn('a'))
      await intake.fail(A, 'provider')
      harness.now += jump
      if (reopened) intake = await harness.reopen()
      expect(intake.nextDueAt()).toBe(harness.now + dueAfterMs)
      harness.now += dueAfterMs / 2
      expect(intake.nextDueAt()).toBe(harness.now + dueAfterMs / 2) // looking does not start the wait again
      harness.now += dueAfterMs / 2
      expect(await intake.due(1)).toHaveLength(1)
      await intake.fail(A, 'provider')
      expect(intake.nextDueAt()).toBe(harness.now + 2 * MINUTE)
      await harness.close()
    }
  })

  test('failing or settling what is unknown or settled', async () => {
    const harness = new Harness()
    const intake = await harness.open()
    expect(await rejection(intake.fail(A, 'provider'))).toMatchObject({ code: 'item_unknown' })
    expect(await rejection(intake.settle([{ id: A, memoryIds: [] }]))).toMatchObject({ code: 'item_unknown' })
    await intake.admit(turn('a'))
    await intake.settle([{ id: A, memoryIds: ['m1'] }])
    await intake.settle([{ id: A, memoryIds: ['other'] }])
    expect(await intake.turnStatus('a')).toEqual({ state: 'indexed', memoryIds: ['m1'] })
    expect(await rejection(intake.fail(A, 'provider'))).toMatchObject({ code: 'item_unknown' })
    await intake.checkpoint()
    await intake.settle([{ id: A, memoryIds: ['other'] }])
    expect(await intake.turnStatus('a')).toEqual({ state: 'indexed', memoryIds: ['m1'] })
    await harness.close()
  })

  test('one frame settles a whole batch', async () => {
    const harness = new Harness()
    const intake = await harness.open()
    const runs = Array.from({ length: 50 }, (_, n) => `r${n}`)
    await Promise.all(runs.map((runId) => intake.admit(turn(runId))))
    const frames = () => readFileSync(harness.lastSegment(), 'utf8').split('\n').length
    const before = frames()
    await intake.settle(runs.map((runId) => ({ id: idOf(runId), memoryIds: [runId] })))
    expect(frames()).toBe(before + 1)
    expect(intake.snapshot()).toMatchObject({ pending: 0, resolved: 50 })
    await harness.close()
  })

  test('due turns come by admission order, as many as asked for', async () => {
    const harness = new Harness()
    const intake = await harness.open()
    for (const runId of ['a', 'b', 'c']) await intake.admit(turn(runId))
    await intake.fail(A, 'provider')
    expect((await intake.due(1)).map((item) => item.turn.runId)).toEqual(['b'])
    harness.now += MINUTE
    expect((await intake.due(9)).map((item) => item.turn.runId)).toEqual(['a', 'b', 'c'])
    await harness.close()
  })
})

describe('pending turns above an admission number (CAP-3)', () => {
  const runs = (turns: readonly { readonly turn: { readonly runId: string } }[]) => turns.map(({ turn }) => turn.runId)

  test('come in order, due or not, those that ended not among them', async () => {
    const harness = new Harness()
    let intake = await harness.open()
    for (const runId of ['a', 'b', 'c', 'd', 'e']) await intake.admit(turn(runId))
    await intake.fail(A, 'provider')
    await intake.settle([{ id: idOf('b'), memoryIds: [] }])
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) await intake.fail(idOf('d'), 'provider')
    for (const reopened of [false, true]) {
      if (reopened) intake = await harness.crashAndOpen()
      const all = await intake.pendingAfter(0, 9)
      expect(runs(all)).toEqual(['a', 'c', 'e'])
      expect(all.map(({ order, attempts }) => [order, attempts])).toEqual([
        [1, 1],
        [3, 0],
        [5, 0],
      ])
      expect(runs(await intake.pendingAfter(0, 2))).toEqual(['a', 'c'])
      expect(runs(await intake.pendingAfter(1, 1))).toEqual(['c'])
      expect(runs(await intake.pendingAfter(3, 9))).toEqual(['e'])
      expect(await intake.pendingAfter(intake.lastOrder(), 9)).toEqual([])
      expect(await intake.pendingAfter(0, 0)).toEqual([])
    }
    await intake.retry(idOf('d'))
    expect(runs(await intake.pendingAfter(3, 9))).toEqual(['d', 'e'])
    await harness.close()
  })

  test('walked in pages they are all met once, in admission order, whatever happens to them', async () => {
    const harness = new Harness()
    const intake = await harness.open()
    await Promise.all(Array.from({ length: 40 }, (_, n) => intake.admit(turn(`r${n}`))))
    await intake.checkpoint()
    for (let n = 0; n < 40; n += 3) await intake.fail(idOf(`r${n}`), 'provider')
    const met: { order: number; runId: string }[] = []
    for (let page = await intake.pendingAfter(0, 7); page.length > 0;) {
      met.push(...page.map(({ order, turn: { runId } }) => ({ order, runId })))
      page = await intake.pendingAfter(met.at(-1)?.order ?? 0, 7)
    }
    expect(new Set(met.map(({ runId }) => runId)).size).toBe(40)
    expect(met.map(({ order }) => order)).toEqual(Array.from({ length: 40 }, (_, n) => n + 1))
    await harness.close()
  })

  test('records that went are passed over, and those behind them are found', async () => {
    const harness = new Harness()
    const intake = await harness.open()
    for (const runId of ['a', 'b', 'c']) await intake.admit(turn(runId))
    await intake.checkpoint()
    for (const runId of ['a', 'b']) rmSync(harness.path('pending', `${idOf(runId)}.json`))
    expect(runs(await intake.pendingAfter(0, 2))).toEqual(['c'])
    expect(harness.errors).toHaveLength(2)
    await harness.close()
  })
})

describe('a record that is removed while the store is open', () => {
  test('keeps neither the other turns nor the checkpoint, and is counted', async () => {
    const harness = new Harness()
    let intake = await harness.open()
    for (const runId of ['a', 'b', 'c']) await intake.admit(turn(runId))
    for (let attempt = 0; attempt < 16; attempt++) await intake.fail(idOf('b'), 'provider')
    await intake.checkpoint()
    rmSync(harness.path('pending', `${A}.json`))
    rmSync(harness.path('dead', `${idOf('b')}.json`))
    expect((await intake.due(9)).map((item) => item.turn.runId)).toEqual(['c'])
    expect(intake.snapshot()).toMatchObject({ pending: 1, dead: 1, unaccounted: 1 })
    await intake.retry(idOf('b'))
    await intake.checkpoint()
    expect(intake.snapshot()).toMatchObject({ pending: 1, dead: 0, unaccounted: 2, checkpointFailures: 0 })
    expect(harness.errors).toHaveLength(2)
    expect((await intake.admit(turn('a'))).status).toBe('duplicate')
    intake = await harness.reopen()
    expect(intake.snapshot()).toMatchObject({ pending: 1, unaccounted: 2 })
    await harness.close()
  })
})

describe('following a turn (INT-18)', () => {
  test('unknown, admitted, projected, indexed, settled', async () => {
    const harness = new Harness()
    let intake = await harness.open({ limits: { maxReceipts: 0 } })
    expect(await intake.turnStatus('a')).toEqual({ state: 'unknown' })
    await intake.admit(turn('a'))
    expect(await intake.turnStatus('a')).toEqual({ state: 'admitted' })
    intake.markProjected([A, idOf('nobody')])
    expect(await intake.turnStatus('a')).toEqual({ state: 'projected' })
    await intake.settle([{ id: A, memoryIds: ['m1', 'm2'], outcome: 'curated' }])
    expect(await intake.turnStatus('a')).toEqual({ state: 'curated', memoryIds: ['m1', 'm2'] })
    await intake.checkpoint()
    expect(await intake.turnStatus('a')).toEqual({ state: 'settled' })
    intake = await harness.reopen()
    expect(await intake.turnStatus('a')).toEqual({ state: 'settled' })
    await harness.close()
  })

  test('whenSettled waits for the end, whichever it is', async () => {
    const harness = new Harness()
    const intake = await harness.open()
    expect(await intake.whenSettled('nobody')).toEqual({ state: 'unknown' })
    const admission = intake.admit(turn('a'))
    const waiting = intake.whenSettled('a') // in flight: not yet admitted
    await admission
    for (let attempt = 0; attempt < 16; attempt++) await intake.fail(A, 'processing')
    expect(await waiting).toEqual({ state: 'dead', failure: 'processing' })
    await intake.retry(A)
    const again = intake.whenSettled('a')
    await intake.settle([{ id: A, memoryIds: [] }])
    expect(await again).toEqual({ state: 'indexed', memoryIds: [] })
    expect(await intake.whenSettled('a')).toEqual({ state: 'indexed', memoryIds: [] })
    await harness.close()
  })

  test('a wait ends with its signal, and with the store', async () => {
    const harness = new Harness()
    const intake = await harness.open()
    await intake.admit(turn('a'))
    const abort = new AbortController()
    const aborted = rejection(intake.whenSettled('a', { signal: abort.signal }))
    const closed = rejection(intake.whenSettled('a'))
    abort.abort(new Error('enough'))
    expect((await aborted).message).toBe('enough')
    expect((await rejection(intake.whenSettled('a', { signal: abort.signal }))).message).toBe('enough')
    await harness.close()
    expect(await closed).toMatchObject({ code: 'store_closed' })
  })
})

describe('snapshot and listeners (INT-10)', () => {
  test('published at once after every change', async () => {
    const harness = new Harness()
    const seen: IntakeSnapshot[] = []
    const intake = await harness.open({ onChange: (snapshot) => void seen.push(snapshot) })
    await intake.admit(turn('a'))
    expect(seen.at(-1)).toMatchObject({ pending: 1, due: 1, dead: 0, resolved: 0, inTransition: 0 })
    await intake.fail(A, 'provider')
    expect(seen.at(-1)).toMatchObject({ pending: 1, due: 0 })
    await intake.settle([{ id: A, memoryIds: [] }])
    expect(seen.at(-1)).toMatchObject({ pending: 0, resolved: 1 })
    const admission = intake.admit(turn('b'))
    expect(intake.snapshot().inTransition).toBe(1)
    await admission
    await harness.close()
  })

  test('a listener that throws or rejects changes nothing and is counted', async () => {
    const harness = new Harness()
    let isAsync = false
    const intake = await harness.open({
      onChange: () => {
        if (isAsync) return Promise.reject(new Error('late')) as never
        throw new Error('now')
      },
    })
    expect((await intake.admit(turn('a'))).status).toBe('admitted')
    isAsync = true
    expect((await intake.admit(turn('b'))).status).toBe('admitted')
    await new Promise((resolve) => setImmediate(resolve))
    expect(intake.snapshot()).toMatchObject({ pending: 2, listenerFailures: 2 })
    await harness.close()
  })
})

describe('checkpoints and close', () => {
  test('five idle seconds fold the log in; without news nothing is written', async () => {
    const harness = new Harness()
    const intake = await harness.open()
    const [first] = harness.segments()
    await intake.admit(turn('a'))
    expect(harness.timers.size).toBe(1)
    harness.elapse()
    await intake.checkpoint()
    expect(harness.segments()).toEqual([(first ?? 0) + 1])
    expect(harness.names('pending')).toEqual([`${A}.json`])
    await intake.checkpoint()
    await intake.checkpoint()
    expect(harness.segments()).toEqual([(first ?? 0) + 1])
    await harness.close()
  })

  test.each([
    { name: '1,024 turns', count: 1_024, bytes: 1 },
    { name: '4 MiB', count: 8, bytes: 600_000 },
  ])('$name fold the log in, and not fewer', async ({ count, bytes }) => {
    const harness = new Harness()
    const intake = await harness.open()
    const [first] = harness.segments()
    const send = (n: number) => intake.admit(turn(`r${n}`, { summary: 'x'.repeat(bytes) }))
    await Promise.all(Array.from({ length: count / 2 }, (_, n) => send(n)))
    await intake.inspect()
    expect(harness.segments()).toEqual([first])
    await Promise.all(Array.from({ length: count / 2 }, (_, n) => send(count + n)))
    while (harness.segments().at(-1) === first) await new Promise((resolve) => setImmediate(resolve))
    await intake.checkpoint()
    expect(harness.names('pending')).toHaveLength(count)
    await harness.close()
  })

  test('a checkpoint that fails is counted and repeated after five seconds; admission goes on', async () => {
    const faulty = faultyFileSystem()
    const harness = new Harness(faulty.fs)
    const intake = await harness.open()
    await intake.admit(turn('a'))
    faulty.inject({ operation: 'rename', path: /catalog/, errno: 'ENOSPC', times: 1 })
    expect(await rejection(intake.checkpoint())).toMatchObject({ code: 'storage_failed' })
    expect(intake.snapshot().checkpointFailures).toBe(1)
    expect((await intake.admit(turn('b'))).status).toBe('admitted')
    harness.elapse()
    await intake.checkpoint()
    expect(harness.segments()).toHaveLength(1)
    await harness.crash()
    const reopened = await harness.open()
    expect((await reopened.due(9)).map((item) => item.turn.runId)).toEqual(['a', 'b'])
    await harness.close()
  })

  test('closing waits for a twin that has to make an attempt of its own', async () => {
    const faulty = faultyFileSystem()
    const harness = new Harness(faulty.fs)
    const intake = await harness.open()
    faulty.inject({ operation: 'file.dataSync', path: /log/, errno: 'EIO' })
    const ended: string[] = []
    const first = rejection(intake.admit(turn('a')))
    const twin = intake.admit(turn('a')).then(({ status }) => ended.push(status))
    const closed = intake.close().then(() => ended.push('closed'))
    expect(await first).toMatchObject({ outcome: 'unknown' })
    await Promise.all([twin, closed])
    expect(ended).toEqual(['admitted', 'closed'])
    expect((await harness.reopen()).snapshot().pending).toBe(1)
    await harness.close()
  })

  test('admissions begun before close finish, later calls are refused, all callers get one promise', async () => {
    const harness = new Harness()
    const intake = await harness.open()
    const admissions = ['a', 'b', 'b'].map((runId) => intake.admit(turn(runId)))
    const closing = intake.close()
    expect(intake.close()).toBe(closing)
    for (const late of [
      intake.admit(turn('c')),
      intake.turnStatus('a'),
      intake.whenSettled('a'),
      intake.due(1),
      intake.pendingAfter(0, 1),
      intake.settle([]),
      intake.fail(A, 'provider'),
      intake.inspect(),
      intake.retry(),
      intake.resolve(A, 'late'),
      intake.checkpoint(),
    ]) {
      expect(await rejection(late)).toMatchObject({ code: 'store_closed' })
    }
    expect((await Promise.all(admissions)).map(({ status }) => status)).toEqual(['admitted', 'admitted', 'duplicate'])
    await closing
    expect(harness.names('pending')).toHaveLength(2) // closing folds the log in
    const reopened = await harness.reopen()
    expect(reopened.snapshot().pending).toBe(2)
    await harness.close()
  })
})
