import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readIntake } from '@mono-agent/memory-intake'
import { nodeFileSystem } from '@mono-agent/memory-store'
import { interceptFileSystem } from '../../../test/support/intercepted-file-system.js'
import { Harness, idOf, rejection, turn } from './support/harness.js'

const A = idOf('a')

describe('operator (INT-11, INT-12)', () => {
  test('inspect tells states without content', async () => {
    const harness = new Harness()
    const intake = await harness.open()
    for (const runId of ['a', 'b', 'c', 'd']) await intake.admit(turn(runId, { captureText: 'secret words' }))
    await intake.fail(A, 'provider')
    for (let attempt = 0; attempt < 16; attempt++) await intake.fail(idOf('b'), 'model_output')
    await intake.settle([{ id: idOf('c'), memoryIds: ['m1'] }])
    const { counts, items } = await intake.inspect()
    expect(counts).toEqual({ pending: 2, dead: 1, resolved: 1, due: 1 })
    const instant = '2026-05-01T09:00:00.000Z'
    const common = { admittedAt: instant, changedAt: instant }
    const next = '2026-05-01T09:01:00.000Z'
    expect(items).toEqual([
      {
        id: A,
        state: 'pending',
        ...common,
        nextAttemptAt: next,
        attempts: 1,
        revision: 2,
        due: false,
        failure: 'provider',
      },
      { id: idOf('b'), state: 'dead', ...common, attempts: 16, revision: 17, due: false, failure: 'model_output' },
      { id: idOf('c'), state: 'resolved', ...common, attempts: 0, revision: 2, due: false },
      { id: idOf('d'), state: 'pending', ...common, attempts: 0, revision: 1, due: true },
    ])
    await intake.checkpoint()
    expect((await intake.inspect()).items).toEqual(items)
    expect((await intake.inspect(idOf('c'))).items).toEqual([items[2]])
    expect(await rejection(intake.inspect(idOf('nobody')))).toMatchObject({ code: 'item_unknown' })
    expect(await rejection(intake.inspect('../../etc'))).toMatchObject({ code: 'item_unknown' })
    expect(JSON.stringify(await intake.inspect())).not.toMatch(/secret|Summary|web:1|"a"|payload/)
    await harness.close()
  })

  test('retry makes dead and delayed turns due at once, with all attempts again', async () => {
    const harness = new Harness()
    let intake = await harness.open()
    for (const runId of ['a', 'b', 'c', 'd']) await intake.admit(turn(runId))
    for (let attempt = 0; attempt < 16; attempt++) await intake.fail(A, 'provider')
    await intake.fail(idOf('b'), 'provider')
    await intake.settle([{ id: idOf('d'), memoryIds: [] }])
    intake = await harness.reopen()
    expect(await intake.retry(idOf('c'))).toEqual({ changed: false, ids: [] })
    expect(await intake.retry(idOf('d'))).toEqual({ changed: false, ids: [] })
    expect(await rejection(intake.retry(idOf('x')))).toMatchObject({ code: 'item_unknown' })
    expect(await rejection(intake.retry('nonsense'))).toMatchObject({ code: 'item_unknown' })
    expect(await intake.retry(A)).toEqual({ changed: true, ids: [A] })
    expect(await intake.retry()).toEqual({ changed: true, ids: [idOf('b')] })
    expect(await intake.retry()).toEqual({ changed: false, ids: [] })
    intake = await harness.crashAndOpen()
    expect((await intake.due(9)).map((item) => [item.turn.runId, item.attempts])).toEqual([
      ['a', 0],
      ['b', 0],
      ['c', 0],
    ])
    expect(harness.names('dead')).toEqual([])
    await harness.close()
  })

  test('resolve ends a turn without claiming success and keeps it a duplicate', async () => {
    const harness = new Harness()
    let intake = await harness.open()
    await intake.admit(turn('a'))
    expect(await intake.resolve(A, 'gave-up')).toEqual({ changed: true })
    expect(await intake.resolve(A, 'gave-up')).toEqual({ changed: false })
    expect(await intake.turnStatus('a')).toEqual({ state: 'resolved', reason: 'gave-up' })
    intake = await harness.reopen()
    expect(await intake.resolve(A, 'again')).toEqual({ changed: false })
    expect(await intake.turnStatus('a')).toEqual({ state: 'resolved', reason: 'gave-up' })
    expect((await intake.inspect(A)).items[0]).toMatchObject({ state: 'resolved', reason: 'gave-up' })
    expect((await intake.admit(turn('a'))).status).toBe('duplicate')
    expect(await rejection(intake.resolve(idOf('x'), 'gone'))).toMatchObject({ code: 'item_unknown' })
    await harness.close()
  })

  test.each([
    { reason: 'a', ok: true },
    { reason: '0_-z', ok: true },
    { reason: 'a'.repeat(64), ok: true },
    { reason: 'a'.repeat(65), ok: false },
    { reason: '', ok: false },
    { reason: '-a', ok: false },
    { reason: 'Upper', ok: false },
    { reason: 'two words', ok: false },
    { reason: 'line\n', ok: false },
  ])('reason "$reason": accepted $ok', async ({ reason, ok }) => {
    const harness = new Harness()
    const intake = await harness.open()
    await intake.admit(turn('a'))
    if (ok) expect(await intake.resolve(A, reason)).toEqual({ changed: true })
    else expect(await rejection(intake.resolve(A, reason))).toMatchObject({ code: 'reason_invalid' })
    await harness.close()
  })

  test('an item with a retained plan is not resolved', async () => {
    const harness = new Harness()
    const intake = await harness.open()
    await intake.admit(turn('a'))
    const plan = join(harness.root, '.capture-outbox', `${A}.json`)
    mkdirSync(join(plan, '..'), { mode: 0o700 })
    writeFileSync(plan, '{}')
    expect(await rejection(intake.resolve(A, 'gave-up'))).toMatchObject({ code: 'plan_retained' })
    expect(await intake.turnStatus('a')).toEqual({ state: 'admitted' })
    rmSync(plan)
    expect(await intake.resolve(A, 'gave-up')).toEqual({ changed: true })
    await harness.close()
  })
})

describe('reading without a lease (durability §11)', () => {
  test('sees what the writer sees, at every stage', async () => {
    const harness = new Harness()
    const read = (id?: string) => readIntake({ root: harness.root, fs: nodeFileSystem, now: () => harness.now }, id)
    expect(await read()).toEqual({ counts: { pending: 0, dead: 0, resolved: 0, due: 0 }, items: [] })
    const intake = await harness.open()
    const same = async () => expect(await read()).toEqual(await intake.inspect())
    await same()
    for (const runId of ['a', 'b', 'c']) await intake.admit(turn(runId))
    await same()
    await intake.fail(A, 'provider')
    await same()
    await intake.checkpoint()
    await same()
    await intake.settle([{ id: idOf('b'), memoryIds: [] }])
    for (let attempt = 0; attempt < 15; attempt++) await intake.fail(A, 'provider')
    await same()
    await intake.checkpoint()
    await intake.retry(A)
    await same()
    writeFileSync(harness.lastSegment(), 'half a frame', { flag: 'a' })
    await same()
    expect((await read(A)).items).toHaveLength(1)
    expect(await rejection(read(idOf('x')))).toMatchObject({ code: 'item_unknown' })
    const before = harness.bytes()
    await read()
    expect(harness.bytes()).toEqual(before)
    rmSync(harness.path('catalog'))
    expect(await rejection(read())).toMatchObject({ code: 'intake_invalid' })
    await harness.crash()
  })

  test('beside a checkpoint, at every one of its calls: the same turns in the same states', async () => {
    const seen: ReturnType<typeof readIntake>[] = []
    let isWatching = false
    const watched = interceptFileSystem(nodeFileSystem, {
      around(_call, proceed) {
        if (isWatching) seen.push(readIntake({ root: harness.root, fs: nodeFileSystem, now: () => harness.now }))
        return proceed()
      },
    })
    const harness = new Harness(watched)
    const intake = await harness.open({ limits: { maxReceipts: 2 } })
    for (const runId of ['a', 'b', 'c', 'd', 'e']) await intake.admit(turn(runId))
    await intake.settle([{ id: A, memoryIds: [] }])
    for (let attempt = 0; attempt < 16; attempt++) await intake.fail(idOf('b'), 'provider')
    await intake.checkpoint()
    await intake.retry(idOf('b')) // from dead/ to pending/
    for (let attempt = 0; attempt < 16; attempt++) await intake.fail(idOf('c'), 'provider') // from pending/ to dead/
    await intake.fail(idOf('d'), 'provider')
    await intake.resolve(idOf('e'), 'gave-up')
    await intake.admit(turn('f'))
    const expected = await intake.inspect()
    isWatching = true
    await intake.checkpoint()
    isWatching = false
    expect(seen.length).toBeGreaterThan(50)
    for (const read of seen) expect(await read).toEqual(expected)
    await harness.close()
  })

  test('a checkpoint in each of three reads: busy', async () => {
    const harness = new Harness()
    const intake = await harness.open()
    await intake.admit(turn('a'))
    await intake.checkpoint()
    const catalog = readFileSync(harness.path('catalog'))
    const { formatCatalog, parseCatalog } = await import('../src/format/catalog.js')
    let through = 100
    const moving = interceptFileSystem(nodeFileSystem, {
      around(call, proceed) {
        const result = proceed()
        const parsed = parseCatalog(catalog)
        if (call.operation === 'list' && call.path.endsWith('resolved') && parsed !== undefined) {
          writeFileSync(harness.path('catalog'), formatCatalog({ ...parsed, through: through++ }))
        }
        return result
      },
    })
    expect(await rejection(readIntake({ root: harness.root, fs: moving }))).toMatchObject({ code: 'intake_busy' })
    await harness.crash()
  })

  test.each(['', 'log', 'ledger', 'pending', 'dead', 'resolved'])(
    'a reader follows no link in place of the directory "%s" (OPS-15)',
    async (name) => {
      const harness = new Harness()
      await (await harness.open()).admit(turn('a'))
      await harness.close()
      renameSync(harness.path(name), join(harness.root, 'elsewhere'))
      symlinkSync(join(harness.root, 'elsewhere'), harness.path(name))
      const read = readIntake({ root: harness.root, fs: nodeFileSystem })
      expect(await rejection(read)).toMatchObject({ code: 'path_unsafe' })
    },
  )
})
