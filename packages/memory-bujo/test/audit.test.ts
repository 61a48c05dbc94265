import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { faultyFileSystem } from '../../../test/support/faulty-file-system.js'
import { makeTemporaryRoot } from '../../../test/support/temporary-root.js'
import { extraction, keepAll, memory, openBujo, ownerTurn, scriptedModel } from './support/bujo.js'
import { DAY, NOON } from './support/open-store.js'

const auditFile = (root: string, day = DAY): string => readFileSync(join(root, 'audit', `${day}.md`), 'utf8')
const lines = (root: string, day = DAY): string[] => auditFile(root, day).split('\n').slice(2).filter(Boolean)

/** A model that nobody answers: every call fails. */
const away = () => scriptedModel('test:away')

describe('audit lines (CAP-3, FMT-9)', () => {
  test('are there although the model is away, once a turn, outside recall', async () => {
    const root = makeTemporaryRoot()
    const store = await openBujo(root, away())
    for (const n of [1, 2, 3])
      await store.persistCompletedTurn(ownerTurn(`run-${n}`, `The ferry of day ${n} was late.`))
    await store.flush()
    expect(lines(root)).toHaveLength(3)
    expect(await store.turnStatus('run-1')).toEqual({ state: 'projected' })
    expect((await store.recallWithOutcome('ferry')).hits).toEqual([])
    expect(existsSync(join(root, 'daily', `${DAY}.md`))).toBe(false)
    await store.close()
    const again = await openBujo(root, away())
    await again.persistCompletedTurn(ownerTurn('run-4', 'The ferry of day 4 was late.'))
    await again.flush()
    expect(lines(root)).toHaveLength(4)
  })

  test('carry no credential, and lie in the file of the day the turn happened', async () => {
    const root = makeTemporaryRoot()
    const store = await openBujo(root, away())
    const secret = `ghp_${'a1B2'.repeat(9)}`
    await store.persistCompletedTurn(
      ownerTurn('run-1', `My token is ${secret}, keep it.`, { occurredAt: '2026-04-03T23:30:00-02:00' }),
    )
    await store.flush()
    expect(auditFile(root, '2026-04-04')).toContain('[credential redacted]')
    expect(auditFile(root, '2026-04-04')).not.toContain(secret)
    expect(store.snapshot().discards).toEqual({ credentials: 1 })
  })

  test('with append-host-summary nothing is curated: a turn is settled with its line', async () => {
    const root = makeTemporaryRoot()
    const llm = away()
    const store = await openBujo(root, llm, { writeMode: 'append-host-summary' })
    await store.persistCompletedTurn(ownerTurn('run-1', 'The ferry was late.'))
    expect(await store.flush()).toMatchObject({ pending: 0 })
    expect(await store.turnStatus('run-1')).toEqual({ state: 'indexed', memoryIds: [] })
    expect(lines(root)).toHaveLength(1)
    expect(llm.requests).toEqual([])
    expect(store.snapshot().projection).toMatchObject({ turns: 1 })
  })

  test('another mode takes nothing away that a model has said: such a turn waits for capture', async () => {
    const root = makeTemporaryRoot()
    const llm = scriptedModel()
    llm.script({ extract: extraction(memory('The ferry was late.')) }) // and no review: it fails, and is retained
    const store = await openBujo(root, llm)
    await store.persistCompletedTurn(ownerTurn('run-1', 'The ferry was late.'))
    await store.flush()
    await store.close()
    for (const writeMode of ['append-host-summary', 'disabled'] as const) {
      const other = await openBujo(root, away(), { writeMode })
      expect(await other.flush()).toMatchObject({ pending: 1 })
      await other.close()
    }
    expect(lines(root)).toHaveLength(1)
    llm.script({ review: keepAll(1) })
    const again = await openBujo(root, llm, { now: () => NOON + 120_000 })
    await again.flush()
    expect(await again.turnStatus('run-1')).toMatchObject({ state: 'curated', memoryIds: [expect.any(String)] })
    expect(llm.stages()).toEqual(['extract', 'review', 'review'])
  })

  test('disabled writes nothing, and what was admitted before waits', async () => {
    const root = makeTemporaryRoot()
    const disk = faultyFileSystem()
    disk.inject({ operation: 'file.write', errno: 'ENOSPC', path: /audit/, times: 100 })
    const store = await openBujo(root, away(), { fs: disk.fs })
    await store.persistCompletedTurn(ownerTurn('run-1', 'The ferry was late.'))
    await store.flush()
    await store.close()
    const closed = await openBujo(root, away(), { writeMode: 'disabled' })
    expect(await closed.flush()).toMatchObject({ pending: 1, dead: 0 })
    expect(await closed.persistCompletedTurn(ownerTurn('run-2', 'More.'))).toMatchObject({ reason: 'write_disabled' })
    expect(existsSync(join(root, 'audit', `${DAY}.md`))).toBe(false)
  })

  test('a full disk counts no attempt; the line comes once there is room', async () => {
    const root = makeTemporaryRoot()
    const disk = faultyFileSystem()
    const store = await openBujo(root, away(), { fs: disk.fs })
    disk.inject({ operation: 'file.write', errno: 'ENOSPC', path: /audit/, times: 100 })
    await store.persistCompletedTurn(ownerTurn('run-1', 'The ferry was late.'))
    await store.flush()
    expect(store.snapshot().intake).toMatchObject({ pending: 1, due: 1 })
    disk.clear()
    await store.flush()
    expect(lines(root)).toHaveLength(1)
  })
})
