import { createHash } from 'node:crypto'
import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { MemoryError, nodeFileSystem } from '@mono-agent/memory-store'
import { createMemoryStore, type BuiltInMemoryStore, type HostParts } from '../src/index.js'
import { faultyFileSystem, type FaultyFileSystem } from '../../../test/support/faulty-file-system.js'
import { makeTemporaryRoot } from '../../../test/support/temporary-root.js'

const NOON = Date.parse('2026-05-01T12:00:00.000Z')
const ERRNOS = ['ENOSPC', 'EIO', 'EMFILE', 'EROFS'] as const

function openStore(path: string, host: HostParts = {}): Promise<BuiltInMemoryStore> {
  return createMemoryStore({ mode: 'lite', path }, { now: () => NOON, ...host })
}

const turn = (n: number) => ({
  runId: `run-${n}`,
  conversationId: 'web:1',
  summary: `Fact number ${n} was told.`,
  occurredAt: `2026-04-0${1 + (n % 3)}T10:00:00Z`,
})

/** How often each sentence stands in the day files. */
function linesOf(root: string): Map<string, number> {
  const counts = new Map<string, number>()
  const daily = join(root, 'daily')
  for (const name of existsSync(daily) ? readdirSync(daily) : []) {
    for (const line of readFileSync(join(daily, name), 'utf8').split('\n')) {
      if (line.startsWith('- ')) counts.set(line.slice(4), (counts.get(line.slice(4)) ?? 0) + 1)
    }
  }
  return counts
}

const turnIds = (root: string, runId: string): number => {
  const id = createHash('sha256').update(runId).digest('hex').slice(0, 32)
  const daily = join(root, 'daily')
  return readdirSync(daily).reduce(
    (sum, name) => sum + readFileSync(join(daily, name), 'utf8').split(`id=r-${id}-`).length - 1,
    0,
  )
}

interface Told {
  readonly acknowledged: string[]
  readonly refused: unknown[]
}

/** Five turns, two of them at once, and a Remember; what was acknowledged and what was refused. */
async function work(store: BuiltInMemoryStore): Promise<Told> {
  const acknowledged: string[] = []
  const refused: unknown[] = []
  const attempt = async (text: string, call: () => Promise<unknown>): Promise<void> => {
    try {
      await call()
      acknowledged.push(text)
    } catch (error) {
      refused.push(error)
    }
  }
  const admit = (n: number) => attempt(turn(n).summary, () => store.persistCompletedTurn(turn(n)))
  await admit(1)
  await Promise.all([admit(2), admit(3)])
  await attempt('Remembered.', () => store.remember({ text: 'Remembered.' }))
  await attempt('', () => store.flush())
  await admit(4)
  return { acknowledged: acknowledged.filter((text) => text !== ''), refused }
}

function expectTyped(refused: readonly unknown[]): void {
  for (const error of refused) {
    expect(error, (error as Error).stack).toBeInstanceOf(MemoryError)
    expect((error as MemoryError).code).toMatch(/^[a-z_]+$/)
    expect((error as MemoryError).message).not.toContain('Fact number')
  }
}

/** After the cause is gone everything acknowledged is there exactly once, nothing is there twice, and the store works. */
async function expectWhole(root: string, acknowledged: readonly string[]): Promise<void> {
  const store = await openStore(root)
  try {
    for (const n of [1, 2, 3, 4]) await store.persistCompletedTurn(turn(n))
    await store.remember({ text: 'Remembered.' })
    expect(await store.flush()).toEqual({ pending: 0, dead: 0 })
    const counts = linesOf(root)
    for (const text of acknowledged) expect(counts.get(text), text).toBe(1)
    for (const [text, count] of counts) expect(count, text).toBe(1)
    for (const n of [1, 2, 3, 4]) expect(turnIds(root, `run-${n}`)).toBe(1)
    expect((await store.recallWithOutcome('fact number told')).hits).toHaveLength(4)
  } finally {
    await store.close()
  }
}

/** `expectWhole` for one of many roots. */
async function expectWholeOnce(root: string, acknowledged: readonly string[]): Promise<void> {
  await expectWhole(root, acknowledged)
  rmSync(root, { recursive: true })
}

async function callsOf(run: (faulty: FaultyFileSystem) => Promise<void>): Promise<number> {
  const faulty = faultyFileSystem(nodeFileSystem)
  await run(faulty)
  return faulty.calls.length
}

describe('a fault at every call of the file system in turn', () => {
  test(
    'while it runs: typed errors, nothing lost, nothing twice, usable afterwards',
    { timeout: 300_000 },
    async () => {
      let opened = 0
      const total = await callsOf(async (faulty) => {
        const store = await openStore(makeTemporaryRoot(), { fs: faulty.fs })
        opened = faulty.calls.length
        await work(store)
        await store.close()
      })
      for (let nth = 1; nth <= total - opened; nth += 1) {
        const root = makeTemporaryRoot()
        const faulty = faultyFileSystem(nodeFileSystem)
        const store = await openStore(root, { fs: faulty.fs })
        faulty.inject({ nth, errno: ERRNOS[nth % ERRNOS.length] ?? 'EIO' })
        const { acknowledged, refused } = await work(store)
        faulty.clear()
        expectTyped(refused)
        await store.close().catch((error: unknown) => expectTyped([error]))
        await expectWhole(root, acknowledged)
      }
    },
  )

  test('while it opens: a typed error or an open store, and the next opening works', { timeout: 300_000 }, async () => {
    const total = await callsOf(async ({ fs }) => (await openStore(makeTemporaryRoot(), { fs })).close())
    for (let nth = 1; nth <= total; nth += 1) {
      const root = makeTemporaryRoot()
      const faulty = faultyFileSystem(nodeFileSystem)
      faulty.inject({ nth, errno: ERRNOS[nth % ERRNOS.length] ?? 'EIO' })
      try {
        await (await openStore(root, { fs: faulty.fs })).close()
      } catch (error) {
        expectTyped([error])
      }
      await expectWholeOnce(root, [])
    }
  })
})

/** What a kill leaves of a root with four acknowledged turns in the log and none in Markdown. */
async function makeCrashedRoot(): Promise<string> {
  const root = makeTemporaryRoot()
  const faulty = faultyFileSystem(nodeFileSystem)
  const store = await openStore(root, { fs: faulty.fs })
  faulty.inject({ path: /daily/, operation: 'open', times: Number.POSITIVE_INFINITY, errno: 'EACCES' })
  for (const n of [1, 2, 3, 4]) await store.persistCompletedTurn(turn(n))
  const left = makeTemporaryRoot()
  cpSync(root, left, { recursive: true })
  faulty.clear()
  await store.close()
  return left
}

describe('a fault at every call of a recovery in turn', () => {
  test('the recovery after it finds everything', { timeout: 300_000 }, async () => {
    const crashed = await makeCrashedRoot()
    const copy = (): string => {
      const root = makeTemporaryRoot()
      cpSync(crashed, root, { recursive: true })
      return root
    }
    const recover = async (root: string, { fs }: FaultyFileSystem): Promise<void> => {
      const store = await openStore(root, { fs })
      await store.flush()
      await store.close()
    }
    const total = await callsOf((faulty) => recover(copy(), faulty))
    for (let nth = 1; nth <= total; nth += 1) {
      const root = copy()
      const faulty = faultyFileSystem(nodeFileSystem)
      faulty.inject({ nth, errno: ERRNOS[nth % ERRNOS.length] ?? 'EIO' })
      await recover(root, faulty).catch((error: unknown) => expectTyped([error]))
      await expectWholeOnce(
        root,
        [1, 2, 3, 4].map((n) => turn(n).summary),
      )
    }
  })
})

describe('faults that last', () => {
  test.each(ERRNOS)('%s on every write until it is mended: refused, then everything goes in', async (errno) => {
    const root = makeTemporaryRoot()
    const faulty = faultyFileSystem(nodeFileSystem)
    const store = await openStore(root, { fs: faulty.fs })
    faulty.inject({ operation: 'file.write', times: Number.POSITIVE_INFINITY, errno })
    const { acknowledged, refused } = await work(store)
    expect(acknowledged).toEqual([])
    expectTyped(refused)
    faulty.clear()
    for (const n of [1, 2, 3, 4])
      expect(await store.persistCompletedTurn(turn(n))).toMatchObject({ status: 'admitted' })
    expect(await store.flush()).toEqual({ pending: 0, dead: 0 })
    await store.close()
    await expectWhole(
      root,
      [1, 2, 3, 4].map((n) => turn(n).summary),
    )
  })

  test('a flush that fails leaves the outcome unknown; sending again settles it', async () => {
    const root = makeTemporaryRoot()
    const faulty = faultyFileSystem(nodeFileSystem)
    const store = await openStore(root, { fs: faulty.fs })
    faulty.inject({ operation: 'file.dataSync', errno: 'EIO' })
    await expect(store.persistCompletedTurn(turn(1))).rejects.toMatchObject({
      code: 'storage_failed',
      outcome: 'unknown',
    })
    expect((await store.persistCompletedTurn(turn(1))) as object).toHaveProperty('id')
    await store.close()
    await expectWhole(root, [turn(1).summary])
  })

  test('a directory that may not be written to is a typed error', async () => {
    const root = makeTemporaryRoot()
    await (await openStore(root)).close()
    const faulty = faultyFileSystem(nodeFileSystem)
    faulty.inject({ path: /capture-intake/, operation: 'open', times: Number.POSITIVE_INFINITY, errno: 'EACCES' })
    await expect(openStore(root, { fs: faulty.fs })).rejects.toMatchObject({ code: 'storage_failed' })
    await expectWhole(root, [])
  })

  test('a day file directory that cannot be written to delays projection and loses nothing', async () => {
    const root = makeTemporaryRoot()
    const faulty = faultyFileSystem(nodeFileSystem)
    const store = await openStore(root, { fs: faulty.fs })
    faulty.inject({ path: /daily/, operation: 'open', times: Number.POSITIVE_INFINITY, errno: 'EACCES' })
    expect(await store.persistCompletedTurn(turn(1))).toMatchObject({ status: 'admitted' })
    expect(await store.flush()).toEqual({ pending: 1, dead: 0 })
    faulty.clear()
    expect(await store.flush()).toEqual({ pending: 0, dead: 0 })
    await store.close()
    await expectWhole(root, [turn(1).summary])
  })
})

describe('hostile sizes and characters', () => {
  test('a 10 MB turn is too large; nothing was written', async () => {
    const root = makeTemporaryRoot()
    const store = await openStore(root)
    await expect(store.persistCompletedTurn({ ...turn(1), summary: 'x '.repeat(5_000_000) })).rejects.toMatchObject({
      code: 'turn_too_large',
    })
    expect(await store.persistCompletedTurn(turn(1))).toMatchObject({ status: 'admitted' })
    await store.close()
    await expectWhole(root, [turn(1).summary])
  })

  test('lone surrogates in a summary are taken out of the sentence; in an id they are refused', async () => {
    const root = makeTemporaryRoot()
    const store = await openStore(root)
    await store.persistCompletedTurn({ ...turn(1), summary: 'Left \ud800 right.' })
    await expect(store.persistCompletedTurn({ ...turn(2), runId: 'r\udc00' })).rejects.toMatchObject({
      code: 'turn_invalid',
    })
    await store.flush()
    expect([...linesOf(root).keys()]).toHaveLength(1)
    expect([...linesOf(root).keys()][0]).toMatch(/^Left (?:\ufffd )?right\.$/)
    await store.close()
  })

  test('one more than the unfinished turns that fit is refused; the rest go in', async () => {
    const root = makeTemporaryRoot()
    const faulty = faultyFileSystem(nodeFileSystem)
    const store = await openStore(root, { fs: faulty.fs, intakeLimits: { maxUnfinished: 8 } })
    faulty.inject({ path: /daily/, operation: 'open', times: Number.POSITIVE_INFINITY, errno: 'EACCES' })
    for (let n = 10; n < 18; n += 1) await store.persistCompletedTurn(turn(n))
    await expect(store.persistCompletedTurn(turn(18))).rejects.toMatchObject({ code: 'intake_full' })
    expect(store.snapshot().intake).toMatchObject({ fill: 1, isFilling: true })
    faulty.clear()
    await store.flush()
    expect(await store.persistCompletedTurn(turn(18))).toMatchObject({ status: 'admitted' })
    await store.close()
    expect(linesOf(root).size).toBe(9)
  })
})
