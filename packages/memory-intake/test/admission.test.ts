import { statSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { countingFileSystem } from '../../../test/support/counting-file-system.js'
import { Harness, idOf, rejection, turn } from './support/harness.js'

describe('admission (INT-1, INT-2)', () => {
  test('a new turn is admitted under the hash of its run id, in one flush', async () => {
    const counting = countingFileSystem()
    const harness = new Harness(counting.fs)
    const intake = await harness.open()
    counting.reset()
    expect(await intake.admit(turn('r1'))).toEqual({ status: 'admitted', id: idOf('r1') })
    expect(counting.flushes()).toBe(1)
    expect(counting.count('file.write')).toBe(1)
    await harness.close()
  })

  test('64 at once share one flush', async () => {
    const counting = countingFileSystem()
    const harness = new Harness(counting.fs)
    const intake = await harness.open()
    counting.reset()
    const admissions = await Promise.all(Array.from({ length: 64 }, (_, n) => intake.admit(turn(`r${n}`))))
    expect(admissions.every(({ status }) => status === 'admitted')).toBe(true)
    expect(counting.flushes()).toBe(1)
    await harness.close()
  })

  test('a group holds 8 MiB at most: 20 large turns at once take two', async () => {
    const counting = countingFileSystem()
    const harness = new Harness(counting.fs)
    const intake = await harness.open()
    counting.reset()
    const send = (n: number) => intake.admit(turn(`r${n}`, { summary: 'x'.repeat(640_000) }))
    await Promise.all(Array.from({ length: 20 }, (_, n) => send(n)))
    expect(counting.count('file.dataSync', /log/)).toBe(2)
    await harness.close()
  })

  test('100 concurrent sends of one run id: one admitted, 99 duplicates', async () => {
    const harness = new Harness()
    const intake = await harness.open()
    const admissions = await Promise.all(Array.from({ length: 100 }, () => intake.admit(turn('r1'))))
    expect(admissions.filter(({ status }) => status === 'admitted')).toHaveLength(1)
    expect(admissions.filter(({ status }) => status === 'duplicate')).toHaveLength(99)
    expect((await intake.due(10)).length).toBe(1)
    await harness.close()
  })

  test.each(['in flight', 'in the log', 'in a record', 'in a receipt', 'pruned', 'after reopening', 'after a crash'])(
    'the same turn %s is a duplicate, another payload a conflict that changes nothing',
    async (where) => {
      const harness = new Harness()
      let intake = await harness.open({ limits: { maxReceipts: 0 } })
      const first = intake.admit(turn('r1'))
      if (where !== 'in flight') await first
      if (where === 'in a record') await intake.checkpoint()
      if (where === 'in a receipt' || where === 'pruned') await intake.settle([{ id: idOf('r1'), memoryIds: ['m1'] }])
      if (where === 'pruned') await intake.checkpoint()
      if (where === 'after reopening') intake = await harness.reopen()
      if (where === 'after a crash') intake = await harness.crashAndOpen()
      const results = await Promise.allSettled([
        intake.admit(turn('r1')),
        intake.admit(turn('r1', { finalAnswer: 'no part of the payload' })),
        intake.admit({ ...turn('r1'), captureText: undefined } as never),
        intake.admit(turn('r1', { summary: 'Another.' })),
      ])
      expect(
        results.map((result) => (result.status === 'fulfilled' ? result.value.status : result.reason.code)),
      ).toEqual(['duplicate', 'duplicate', 'duplicate', 'run_conflict'])
      const { pending, resolved, pruned } = intake.snapshot()
      expect(pending + resolved + pruned).toBe(1)
      await harness.close()
    },
  )

  test('a twin of a failed admission makes an attempt of its own', async () => {
    const { faultyFileSystem } = await import('../../../test/support/faulty-file-system.js')
    const faulty = faultyFileSystem()
    const harness = new Harness(faulty.fs)
    const intake = await harness.open()
    faulty.inject({ operation: 'file.dataSync', path: /log/, errno: 'EIO' })
    const results = await Promise.allSettled([
      intake.admit(turn('r1')),
      intake.admit(turn('r1')),
      intake.admit(turn('r1')),
    ])
    const told = results.map((result) => (result.status === 'fulfilled' ? result.value.status : result.reason.outcome))
    expect(told).toEqual(['unknown', 'admitted', 'duplicate'])
    await harness.close()
  })

  test('order is a number: it survives a crash and a clock that jumps', async () => {
    const harness = new Harness()
    let intake = await harness.open()
    for (const [runId, jump] of [
      ['a', 0],
      ['b', -1],
      ['c', 1],
    ] as const) {
      harness.now += jump * 366 * 86_400_000
      await intake.admit(turn(runId))
    }
    intake = await harness.crashAndOpen()
    const due = await intake.due(10)
    expect(due.map((item) => item.turn.runId)).toEqual(['a', 'b', 'c'])
    expect(due.map(({ order }) => order)).toEqual([1, 2, 3])
    expect(due[1]?.admittedAt).toBe('2025-04-30T09:00:00.000Z')
    await harness.close()
  })

  test('payload comes back whole, before and after the record took it over', async () => {
    const full = turn('r1', {
      captureText: 'Zoë 🍵',
      captureSpeakerKind: 'human-turn',
      captureEvidence: { ownerTurn: true, toolOutcomes: [{ category: 'mail', outcome: 'failed' }] },
      source: { kind: 'cron', label: 'nightly' },
      occurredAt: '2026-04-30T23:59:59+02:00',
      timeZone: 'Europe/Berlin',
      speaker: 'Zoë',
    })
    const harness = new Harness()
    let intake = await harness.open()
    await intake.admit({ ...full, finalAnswer: 'gone' })
    expect((await intake.due(1))[0]?.turn).toEqual(full)
    await intake.checkpoint()
    expect((await intake.due(1))[0]?.turn).toEqual(full)
    intake = await harness.reopen()
    expect((await intake.due(1))[0]?.turn).toEqual(full)
    await harness.close()
  })

  test('a payload leaves memory once a record holds it', async () => {
    const counting = countingFileSystem()
    const harness = new Harness(counting.fs)
    const intake = await harness.open()
    await intake.admit(turn('r1'))
    const readsOfDue = async () => {
      counting.reset()
      await intake.due(1)
      return counting.count('open', /pending/)
    }
    expect(await readsOfDue()).toBe(0)
    await intake.checkpoint()
    expect(await readsOfDue()).toBe(1)
    await harness.close()
  })

  test('files are owner-only and carry no text in their names', async () => {
    const harness = new Harness()
    const intake = await harness.open()
    await intake.admit(turn('r1'))
    await intake.checkpoint()
    for (const directory of ['', 'log', 'ledger', 'pending', 'dead', 'resolved']) {
      expect(statSync(harness.path(directory)).mode & 0o777).toBe(0o700)
    }
    const files = [
      'catalog',
      `pending/${idOf('r1')}.json`,
      `ledger/${idOf('r1').slice(0, 2)}`,
      `log/${harness.segments().at(-1)}`,
    ]
    for (const file of files) expect(statSync(harness.path(file)).mode & 0o777).toBe(0o600)
    await harness.close()
  })
})

describe('bounds (INT-3)', () => {
  const ENVELOPE = JSON.stringify({ conversationId: 'web:1', runId: 'r1', summary: '' }).length
  const LIMIT = 640 * 1024 - 1024

  test.each([
    { bytes: LIMIT - 1, code: undefined },
    { bytes: LIMIT, code: undefined },
    { bytes: LIMIT + 1, code: 'turn_too_large' },
    { bytes: 10 * 1024 * 1024, code: 'turn_too_large' },
  ])('a payload of $bytes bytes: $code', async ({ bytes, code }) => {
    const harness = new Harness()
    const intake = await harness.open()
    const sent = intake.admit(turn('r1', { summary: 'x'.repeat(bytes - ENVELOPE) }))
    if (code === undefined) {
      expect((await sent).status).toBe('admitted')
      await intake.checkpoint()
      expect(statSync(harness.path('pending', `${idOf('r1')}.json`)).size).toBeLessThanOrEqual(640 * 1024)
    } else {
      expect(await rejection(sent)).toMatchObject({ code, outcome: 'not_written' })
      expect(intake.snapshot().pending).toBe(0)
    }
    await harness.close()
  })

  test('the 4,096th unfinished turn is admitted, the 4,097th is refused, twins still are duplicates', async () => {
    const harness = new Harness()
    const intake = await harness.open()
    const admissions = await Promise.all(Array.from({ length: 4_096 }, (_, n) => intake.admit(turn(`r${n}`))))
    expect(admissions.every(({ status }) => status === 'admitted')).toBe(true)
    expect(intake.snapshot().fill).toBe(1)
    expect(await rejection(intake.admit(turn('one more')))).toMatchObject({
      code: 'intake_full',
      outcome: 'not_written',
    })
    expect((await intake.admit(turn('r7'))).status).toBe('duplicate')
    await intake.settle([{ id: idOf('r7'), memoryIds: [] }])
    expect((await intake.admit(turn('one more'))).status).toBe('admitted')
    await harness.close()
  })

  test('what is in flight counts, and dead turns do', async () => {
    const harness = new Harness()
    const intake = await harness.open({ limits: { maxUnfinished: 2 } })
    const results = await Promise.allSettled(['a', 'b', 'c'].map((runId) => intake.admit(turn(runId))))
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected'])
    for (let attempt = 0; attempt < 16; attempt++) await intake.fail(idOf('a'), 'processing')
    expect(await rejection(intake.admit(turn('c')))).toMatchObject({ code: 'intake_full' })
    await harness.close()
  })

  test('receipts over the bound: the oldest by order go, and are counted', async () => {
    const harness = new Harness()
    let intake = await harness.open({ limits: { maxReceipts: 3 } })
    for (const runId of ['a', 'b', 'c']) await intake.admit(turn(runId))
    await intake.settle(['c', 'b', 'a'].map((runId) => ({ id: idOf(runId), memoryIds: [runId] })))
    await intake.checkpoint()
    expect(intake.snapshot()).toMatchObject({ resolved: 3, pruned: 0 })
    intake = await harness.reopen({ limits: { maxReceipts: 3 } })
    await intake.admit(turn('d'))
    await intake.settle([{ id: idOf('d'), memoryIds: [] }])
    await intake.checkpoint()
    expect(intake.snapshot()).toMatchObject({ resolved: 3, pruned: 1, unaccounted: 0 })
    expect(harness.names('resolved')).toEqual(['b', 'c', 'd'].map((runId) => `${idOf(runId)}.json`).sort())
    expect(await intake.turnStatus('a')).toEqual({ state: 'settled' })
    expect(await intake.turnStatus('b')).toEqual({ state: 'indexed', memoryIds: ['b'] })
    intake = await harness.reopen()
    expect(intake.snapshot()).toMatchObject({ resolved: 3, pruned: 1, unaccounted: 0 })
    await harness.close()
  })

  test('64 MiB of log that no checkpoint could fold in stop admission until one can', async () => {
    const { faultyFileSystem } = await import('../../../test/support/faulty-file-system.js')
    const faulty = faultyFileSystem()
    const harness = new Harness(faulty.fs)
    const intake = await harness.open()
    faulty.inject({ operation: 'open', path: /pending/, errno: 'EACCES', times: 1_000_000 })
    let refused: Awaited<ReturnType<typeof rejection>> | undefined
    let admitted = 0
    for (let n = 0; n < 120 && refused === undefined; n++) {
      await intake.admit(turn(`r${n}`, { summary: 'x'.repeat(640_000) })).then(
        () => admitted++,
        (error) => (refused = error),
      )
    }
    expect(refused).toMatchObject({ code: 'storage_failed', outcome: 'not_written' })
    expect(admitted).toBe(Math.floor((64 * 1024 * 1024) / 640_300))
    faulty.clear()
    await intake.checkpoint()
    expect((await intake.admit(turn('again'))).status).toBe('admitted')
    await harness.close()
  })
})
