import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { faultyFileSystem } from '../../../test/support/faulty-file-system.js'
import { makeTemporaryRoot } from '../../../test/support/temporary-root.js'
import { openBujo, ownerTurn, scriptedModel } from './support/bujo.js'
import { DAY } from './support/open-store.js'

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

  test.each(['append-host-summary', 'disabled'] as const)(
    'with writeMode %s nothing is curated, and what was admitted before is settled',
    async (writeMode) => {
      const root = makeTemporaryRoot()
      const store = await openBujo(root, away())
      await store.persistCompletedTurn(ownerTurn('run-1', 'The ferry was late.'))
      await store.flush()
      await store.close()
      const llm = away()
      const again = await openBujo(root, llm, { writeMode, now: () => Date.parse(`${DAY}T18:00:00Z`) })
      await again.flush()
      expect(await again.turnStatus('run-1')).toEqual({ state: 'indexed', memoryIds: [] })
      expect(lines(root)).toHaveLength(1)
      expect(llm.requests).toEqual([])
    },
  )

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
