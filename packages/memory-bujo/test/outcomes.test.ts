import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { MemoryError, nodeFileSystem, StoreError, type DayFileBatch, type DayFileState } from '@mono-agent/memory-store'
import { SearchError } from '@mono-agent/memory-search'
import { CanonicalWriter, type CanonicalWriterParts } from '../src/canonical-writer.js'
import { createEvents } from '../src/events.js'
import type { RememberParts } from '../src/remember/parts.js'
import { remember } from '../src/remember/remember.js'
import { faultyFileSystem } from '../../../test/support/faulty-file-system.js'
import { interceptFileSystem, type Operation } from '../../../test/support/intercepted-file-system.js'
import { makeTemporaryRoot } from '../../../test/support/temporary-root.js'
import { DAY, NOON, openStore, turn } from './support/open-store.js'

const TEXT = 'Ana lives in Malmö.'

async function failureOf(promise: Promise<unknown>): Promise<MemoryError> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error, 'It was not rejected.').toBeInstanceOf(MemoryError)
  return error as MemoryError
}

const isOnDisk = (root: string): boolean => {
  const path = join(root, 'daily', `${DAY}.md`)
  return existsSync(path) && readFileSync(path, 'utf8').includes(TEXT)
}

interface Faults {
  readonly catchUp?: Error
  readonly publish?: Error
  readonly record?: Error
  /** The lease is lost from this look on, counted from 1. */
  readonly lostAt?: number
}

/** Remember over a writer that fails where it is told to. */
function makeParts({ catchUp, publish, record, lostAt = Infinity }: Faults): RememberParts {
  let looks = 0
  const index = {
    retirePrevious: () => Promise.resolve(),
    prepare: () => Promise.resolve(),
    findByContentHash: () => [],
    catchUp: () => (catchUp === undefined ? Promise.resolve({ filesRead: 0 }) : Promise.reject(catchUp)),
    record() {
      if (record !== undefined) throw record
    },
  }
  const dayFiles = {
    apply: (batches: readonly DayFileBatch[]) =>
      publish === undefined
        ? Promise.resolve(batches.map(({ file }) => ({ file, drifted: false }) as DayFileState))
        : Promise.reject(publish),
  }
  const parts = {
    dayFiles,
    index,
    queue: { run: <T>(job: () => Promise<T>) => job() },
    events: createEvents({}),
    onIndexed: () => undefined,
  }
  const writer = new CanonicalWriter(parts as unknown as CanonicalWriterParts)
  const lease = {
    assertHeld() {
      if ((looks += 1) >= lostAt) throw new StoreError('lease_lost', 'Lost.', { outcome: 'unknown' })
    },
  }
  const vantage = { timeZone: 'UTC', intentExpiry: false }
  const rows = index as unknown as RememberParts['index']
  return { tier: 'lite', writer, index: rows, lease, now: () => NOON, newId: () => 'x', vantage }
}

const indexFailed = new SearchError('index_failed', 'x')
const refused = (outcome?: 'not_written' | 'unknown') =>
  new StoreError('storage_failed', 'x', outcome === undefined ? {} : { outcome })

describe('a failed Remember says what became of it (INT-15)', () => {
  test.each([
    { name: 'the index fails before the lookup', faults: { catchUp: indexFailed }, outcome: 'not_written' },
    { name: 'the disk fails before the lookup', faults: { catchUp: refused() }, outcome: 'not_written' },
    { name: 'the lease was lost before', faults: { lostAt: 1 }, outcome: 'not_written' },
    { name: 'the day file was not replaced', faults: { publish: refused('not_written') }, outcome: 'not_written' },
    { name: 'the flush of its name failed', faults: { publish: refused('unknown') }, outcome: 'unknown' },
    { name: 'the publication does not say', faults: { publish: refused() }, outcome: 'unknown' },
    {
      name: 'the store failed closed meanwhile',
      faults: { publish: refused('not_written'), lostAt: 2 },
      outcome: 'unknown',
    },
    { name: 'the index fails after the publication', faults: { record: indexFailed }, outcome: 'unknown' },
    { name: 'the disk fails after it', faults: { record: refused('not_written') }, outcome: 'unknown' },
  ] as const)('$name: $outcome', async ({ faults, outcome }) => {
    const given = Object.values(faults).find((fault) => fault instanceof MemoryError)
    const error = await failureOf(remember(makeParts(faults), { text: TEXT }))
    expect(error).toMatchObject({ code: given?.code ?? 'lease_lost', outcome })
    if (given !== undefined) expect(error).toBeInstanceOf(given.constructor)
  })

  test.each([
    ['an empty text', ' ', 'sentence_invalid'],
    ['a credential', ['ghp', 'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'].join('_'), 'credential_rejected'],
  ])('%s: not_written', async (_name, text, code) => {
    const store = await openStore(makeTemporaryRoot())
    expect(await failureOf(store.remember({ text }))).toMatchObject({ code, outcome: 'not_written' })
  })

  test('writeMode disabled: not_written', async () => {
    const store = await openStore(makeTemporaryRoot(), {}, { writeMode: 'disabled' })
    expect(await failureOf(store.remember({ text: TEXT }))).toMatchObject({
      code: 'write_disabled',
      outcome: 'not_written',
    })
  })
})

test('with a fault at each call of the file system in turn the outcome is there, and true', async () => {
  const counting = faultyFileSystem()
  const counted = await openStore(makeTemporaryRoot(), { fs: counting.fs })
  const opened = counting.calls.length
  await counted.remember({ text: TEXT })
  const total = counting.calls.length - opened
  const outcomes = new Set<string>()
  for (let nth = 1; nth <= total; nth += 1) {
    for (const afterEffect of [false, true]) {
      const root = makeTemporaryRoot()
      const faulty = faultyFileSystem()
      const store = await openStore(root, { fs: faulty.fs })
      faulty.inject({ nth, errno: 'EIO', afterEffect })
      const error = await store.remember({ text: TEXT }).then(
        () => undefined,
        (reason: unknown) => reason as MemoryError,
      )
      faulty.clear()
      if (error === undefined) expect(isOnDisk(root)).toBe(true)
      else {
        expect(error).toBeInstanceOf(MemoryError)
        expect(['not_written', 'unknown'], `call ${nth}: ${error.message}`).toContain(error.outcome)
        if (error.outcome === 'not_written') expect(isOnDisk(root), `call ${nth}: ${error.message}`).toBe(false)
        outcomes.add(error.outcome ?? '')
      }
      await store.close().catch(() => undefined) // failed closed: said by the call above
      const again = await openStore(root)
      const { status } = await again.remember({ text: TEXT })
      if (error?.outcome === 'not_written') expect(status).toBe('stored')
      expect(readFileSync(join(root, 'daily', `${DAY}.md`), 'utf8').split(TEXT)).toHaveLength(2)
      await again.close()
    }
  }
  expect([...outcomes].sort()).toEqual(['not_written', 'unknown'])
}, 120_000)

describe('a lease that was lost', () => {
  const steal = (root: string): void => {
    writeFileSync(join(root, 'theirs'), '99\n')
    renameSync(join(root, 'theirs'), join(root, '.writer-epoch'))
  }

  test('calls begun after it wrote nothing, and say so', async () => {
    const root = makeTemporaryRoot()
    const store = await openStore(root)
    steal(root)
    for (let round = 0; round < 2; round += 1) {
      for (const call of [store.remember({ text: TEXT }), store.persistCompletedTurn(turn(`r${round}`, 'A turn.'))]) {
        expect(await failureOf(call)).toMatchObject({ code: 'lease_lost', outcome: 'not_written' })
      }
    }
    expect(isOnDisk(root)).toBe(false)
  })

  test.each([
    ['a turn that was being flushed', 'file.dataSync', /log/],
    ['a memory that was being staged', 'file.sync', /daily/],
  ] as const)('%s is in doubt', async (_name, operation: Operation, path) => {
    const root = makeTemporaryRoot()
    let isArmed = false
    const fs = interceptFileSystem(nodeFileSystem, {
      around(call, proceed) {
        if (isArmed && call.operation === operation && path.test(call.path)) {
          isArmed = false
          steal(root)
        }
        return proceed()
      },
    })
    const store = await openStore(root, { fs })
    await store.remember({ text: 'Before.' })
    isArmed = true
    const call =
      operation === 'file.sync' ? store.remember({ text: TEXT }) : store.persistCompletedTurn(turn('r', 'A turn.'))
    expect(await failureOf(call)).toMatchObject({ code: 'lease_lost', outcome: 'unknown' })
  })
})

test('every write after close says that nothing was written', async () => {
  const store = await openStore(makeTemporaryRoot())
  await store.close()
  for (const call of [store.remember({ text: TEXT }), store.persistCompletedTurn(turn('r', 'x'))]) {
    expect(await failureOf(call)).toMatchObject({ code: 'store_closed', outcome: 'not_written' })
  }
})
