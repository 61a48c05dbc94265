import type { Bullet } from '@mono-agent/memory-store'
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { faultyFileSystem, type Fault } from '../../../../test/support/faulty-file-system.js'
import { rollbackIndex, type IndexReader, type SearchIndex } from '../../src/index.js'
import { IndexQueries } from '../../src/index-queries.js'
import { lastChange } from '../../src/sqlite/change-log.js'
import type { Connection } from '../../src/sqlite/connection.js'
import { drain } from '../support/vectors.js'
import { expectSame, requestOf, type Question } from './support/questions.js'
import { isFast, Store } from './support/stores.js'
import { FILES, Story, type Step } from './support/stories.js'
import { TIER_NAMES, TIERS, type Tier } from './support/tiers.js'

// Whatever is wrong with the sealed copy, or whenever it cannot be written: it is told, the answers are those of the reference
// path, and recall is fast again as soon as a copy is made.

const PLAIN = {
  sentence: undefined,
  limit: 50,
  conversationId: undefined,
  apartFrom: undefined,
  kind: undefined,
  aboutEntities: undefined,
  asOf: undefined,
  isByWords: false,
} satisfies Partial<Question>
const QUESTIONS: readonly Question[] = [
  { ...PLAIN, query: 'green tea' },
  { ...PLAIN, query: 'What did Ana say about pottery in May 2026?', apartFrom: 'c-1', kind: 'preference' },
  { ...PLAIN, query: 'x3 Zoë', conversationId: 'c-2', isByWords: true },
]

function expectTrue(store: Store, ...fast: readonly IndexReader[]): void {
  const reference = store.reference()
  try {
    for (const asked of QUESTIONS) {
      const request = requestOf(asked, reference, store.story.bullets, store.tier.vectorOf)
      for (const index of fast) expectSame(index.rank(request), reference.rank(request))
    }
  } finally {
    reference.close()
  }
}

const STEP: Step = {
  kind: 'add',
  file: 1,
  other: 0,
  at: 1,
  count: 1,
  words: ['green', 'tea'],
  speaker: 'Ana',
  conversation: undefined,
  day: 2,
  label: 'lesson',
  status: 'open',
  entity: 'org:tea',
}

async function happen(store: Store, index: SearchIndex, step: Partial<Step>): Promise<void> {
  const appended = store.story.apply({ ...STEP, ...step }, store.isBujo)
  store.write()
  await store.follow(index, appended)
  if (store.tier.vectorOf !== undefined) drain(index, store.tier.vectorOf)
}

async function ended(index: SearchIndex): Promise<void> {
  await index.stopAside()
  index.close()
}

/** A writer comes, does this, has the copy sealed if it is due, and goes. */
async function written(store: Store, act: (index: SearchIndex) => Promise<void> = async () => {}): Promise<void> {
  const index = await store.writer()
  await index.catchUp()
  await act(index)
  await index.warmRankings()
  await ended(index)
}

async function sealedStore(tier: Tier = TIERS.journal, records = 120): Promise<Store> {
  const store = await Store.of(new Story(records), tier)
  await written(store)
  expect(existsSync(store.sidecarPath)).toBe(true)
  return store
}

/** Opened, asked, warmed and asked again; then once more, to see that all is mended. */
async function expectTold(
  store: Store,
  told: readonly { code: string; detail?: string | undefined }[],
  wasFast: boolean,
): Promise<void> {
  const reader = store.reader()
  expect(isFast(reader)).toBe(wasFast)
  expectTrue(store, reader)
  reader.close()
  expect(store.faults.splice(0)).toEqual(told.map(({ code, detail }) => ({ code, detail })))

  const index = await store.writer()
  expectTrue(store, index)
  await index.warmRankings()
  expect(isFast(index)).toBe(true)
  expectTrue(store, index)
  await ended(index)
  expect(store.faults.splice(0)).toEqual(told.map(({ code, detail }) => ({ code, detail })))
}

async function expectMended(store: Store): Promise<void> {
  const reader = store.reader()
  expect(isFast(reader)).toBe(true)
  expectTrue(store, reader)
  reader.close()
  expect(store.faults).toEqual([])
}

describe.each(TIER_NAMES)('%s', (name) => {
  test('what comes and goes while the sidecar is built is in its copy as well', async () => {
    const store = await Store.of(new Story(180), TIERS[name])
    // Of no conversation: nothing else changes with it.
    const alone = (file: string): number =>
      (store.story.files.get(file) as Bullet[]).findIndex(({ conversationId }) => conversationId === undefined)
    const changes: Partial<Step>[] = [
      { kind: 'remove', file: 0, at: alone(FILES[0]) * 3 },
      { kind: 'add', file: 3 },
      { kind: 'reword', file: 2, at: 20, words: ['marathon'] },
    ]
    for (const change of changes) {
      rmSync(store.sidecarPath, { force: true })
      let turns = 0
      const index: SearchIndex = await store.writer({
        yieldTurn: async () => {
          if (++turns !== 3) return
          await happen(store, index, change)
          expect(isFast(index)).toBe(false) // it is being built
        },
      })
      await index.warmRankings()
      expect(turns).toBeGreaterThan(3)
      expectTrue(store, index)
      await ended(index)
      await expectMended(store)
    }
  })

  test('a copy from earlier is taken, and what changed since is read again', async () => {
    const store = await sealedStore(TIERS[name])
    await written(store, async (index) => {
      await happen(store, index, { count: 2 })
      await happen(store, index, { kind: 'reword', at: 5, words: ['pottery'] })
      await happen(store, index, { kind: 'status', at: 9, status: 'dropped' })
    })
    await expectTold(store, [], true)
    await expectMended(store)
  })

  test('a copy that is far behind is taken; until it has followed, the reference path answers', async () => {
    const store = await sealedStore(TIERS[name], 200)
    const behind = readFileSync(store.sidecarPath)
    await written(store, async (index) => {
      for (const file of [0, 1, 2, 3]) await happen(store, index, { kind: 'reword-file', file, words: ['tea', 'Zoë'] })
    })
    writeFileSync(store.sidecarPath, behind)
    await expectTold(store, [], false)
    await expectMended(store)
  })
})

describe('a copy of other changes than those of the database', () => {
  const foreign = [{ code: 'sidecar_invalid', detail: 'foreign' }]

  test.each(TIER_NAMES)('of the generation before, %s', async (name) => {
    const store = await sealedStore(TIERS[name])
    const former = readFileSync(store.sidecarPath)
    await store.build()
    writeFileSync(store.sidecarPath, former, { mode: 0o600 })
    await expectTold(store, foreign, false)
    await expectMended(store)
  })

  test('of the index that a rollback went back to', async () => {
    const store = await sealedStore(TIERS.lite)
    const [former, generation] = [readFileSync(store.sidecarPath), store.generation]
    await store.build()
    await written(store)
    const { root } = store
    await rollbackIndex({
      root: root.path,
      fs: root.fs,
      lease: root.lease,
      identity: TIERS.lite.identity,
      now: Date.now,
    })
    expect(existsSync(store.sidecarPath)).toBe(false)
    await expectTold(store, [], false)
    writeFileSync(store.sidecarPath, former, { mode: 0o600 })
    // The copy of the database holds the same changes, and may have got the same name.
    const isSame = store.generation === generation
    await expectTold(store, isSame ? [] : foreign, isSame)
    await expectMended(store)
  })

  test.each(TIER_NAMES)('newer than a database that was put back, %s', async (name) => {
    const store = await sealedStore(TIERS[name])
    const before = readFileSync(store.databasePath)
    await written(store, async (index) => {
      for (const file of [0, 1, 2, 3]) await happen(store, index, { kind: 'reword-file', file, words: ['pottery'] })
    })
    expect(store.faults).toEqual([])
    writeFileSync(store.databasePath, before)
    await expectTold(store, foreign, false)
    await expectMended(store)
  })

  // A loss of power may take back the last transactions, `synchronous` being NORMAL; the copy was flushed.
  test.each(TIER_NAMES)('whose numbers were given again, %s', async (name) => {
    const store = await sealedStore(TIERS[name])
    await written(store, (index) => happen(store, index, { count: 2 }))
    const [before, files] = [readFileSync(store.databasePath), structuredClone([...store.story.files])]
    const rewording = (word: 'pottery' | 'marathon') => async (index: SearchIndex) => {
      for (const file of [0, 1, 2, 3]) await happen(store, index, { kind: 'reword-file', file, words: [word] })
    }
    await written(store, rewording('pottery'))
    const lost = readFileSync(store.sidecarPath)
    const { change } = JSON.parse(/\{"identity".*?\}/.exec(lost.toString('latin1'))?.[0] ?? '') as { change: number }

    writeFileSync(store.databasePath, before)
    for (const [file, bullets] of files) store.story.files.set(file, bullets)
    store.write()
    rmSync(store.sidecarPath)
    await written(store, rewording('marathon'))
    await written(store, (index) => happen(store, index, { kind: 'reword', words: ['42'] }))
    const index = await store.writer()
    expect(lastChange(dbOf(index))).toBeGreaterThanOrEqual(change)
    await ended(index)
    expect(store.faults).toEqual([])
    writeFileSync(store.sidecarPath, lost)
    await expectTold(store, foreign, false)
    await expectMended(store)
  })
})

describe('a copy that is damaged', () => {
  const damages: readonly { name: string; detail?: string; damage: (path: string) => void }[] = [
    ...[0, 9, 14, 30, 400].map((at) => ({
      name: `with byte ${at} changed`,
      detail: at === 9 ? 'other_format' : 'damaged',
      damage: (path: string) => flip(path, at),
    })),
    ...[0.2, 0.5, 0.8, 1].map((share) => ({
      name: `with a byte changed at ${share} of it`,
      detail: 'damaged',
      damage: (path: string) => flip(path, Math.floor((statSync(path).size - 1) * share)),
    })),
    { name: 'of no bytes', detail: 'damaged', damage: (path) => truncateSync(path, 0) },
    { name: 'cut in half', detail: 'damaged', damage: (path) => truncateSync(path, statSync(path).size >> 1) },
    { name: 'without its last byte', detail: 'damaged', damage: (path) => truncateSync(path, statSync(path).size - 1) },
    { name: 'with a byte more', detail: 'damaged', damage: (path) => writeFileSync(path, 'x', { flag: 'a' }) },
    { name: 'that is a text', detail: 'damaged', damage: (path) => writeFileSync(path, 'none of it') },
  ]

  test.each(damages)('$name is told and replaced', async ({ detail, damage }) => {
    const store = await sealedStore()
    damage(store.sidecarPath)
    const reader = store.reader()
    expect(isFast(reader)).toBe(false)
    expectTrue(store, reader)
    reader.close()
    expect(store.faults.splice(0)).toEqual([{ code: 'sidecar_invalid', detail }])
    const index = await store.writer()
    await index.warmRankings()
    expect(isFast(index)).toBe(true)
    expectTrue(store, index)
    await ended(index)
    expect(store.faults.splice(0)).toEqual([{ code: 'sidecar_invalid', detail }])
    await expectMended(store)
  })

  test.each<{ name: string; put: (path: string) => void }>([
    { name: 'a directory', put: (path) => (rmSync(path), mkdirSync(path)) },
    { name: 'a link', put: (path) => (renameSync(path, `${path}-2`), symlinkSync(`${path}-2`, path)) },
    { name: 'a file that has another name too', put: (path) => linkSync(path, `${path}-2`) },
  ])('$name in its place is left where it is, and told', async ({ put }) => {
    const store = await sealedStore()
    put(store.sidecarPath)
    const { ino } = lstatSync(store.sidecarPath)
    const index = await store.writer()
    expect(isFast(index)).toBe(false)
    expectTrue(store, index)
    await index.warmRankings()
    expect(isFast(index)).toBe(true)
    expectTrue(store, index)
    await ended(index)
    expect(store.faults.splice(0).map(({ code }) => code)).toEqual(['sidecar_invalid', 'sidecar_unwritten'])
    expect(lstatSync(store.sidecarPath).ino).toBe(ino)
    rmSync(store.sidecarPath, { recursive: true })
    await written(store)
    await expectMended(store)
  })
})

const flip = (path: string, at: number): void => {
  const bytes = readFileSync(path)
  bytes.writeUInt8(bytes.readUInt8(at) ^ 0x21, at)
  writeFileSync(path, bytes)
}

describe('a copy that cannot be written', () => {
  const faults: readonly { name: string; fault: Fault }[] = [
    { name: 'in a directory that is read only', fault: { operation: 'open', path: /\.memory\.sidecar\.tmp/, errno: 'EACCES', times: 99 } },
    { name: 'on a full disk, from the first byte on', fault: { operation: 'file.write', path: /memory\.sidecar/, errno: 'ENOSPC', times: 99 } },
    { name: 'on a disk that fills up', fault: { operation: 'file.write', path: /memory\.sidecar/, nth: 3, takes: 7, errno: 'ENOSPC', times: 99 } },
    { name: 'on a disk that cannot flush', fault: { operation: 'file.sync', path: /memory\.sidecar/, errno: 'EIO', times: 99 } },
    { name: 'that cannot get its name', fault: { operation: 'rename', path: /memory\.sidecar/, errno: 'EIO', times: 99 } },
  ] // prettier-ignore

  test.each(faults)('$name: it is told, and the one before stays', async ({ fault }) => {
    const store = await sealedStore(TIERS.journal, 200)
    const before = readFileSync(store.sidecarPath)
    const disk = faultyFileSystem()
    store.fs = disk.fs
    const index = await store.writer()
    expectTrue(store, index)
    disk.inject(fault)
    for (const file of [0, 1, 2, 3]) await happen(store, index, { kind: 'reword-file', file, words: ['tea', '42'] })
    await index.warmRankings()
    expect(store.faults.splice(0)).toEqual([{ code: 'sidecar_unwritten', detail: undefined }])
    expect(disk.played()).toBeGreaterThan(0)
    expect(isFast(index)).toBe(true)
    expectTrue(store, index)
    expect(readFileSync(store.sidecarPath)).toEqual(before)
    expect(readdirSync(dirname(store.sidecarPath)).filter((file) => file.includes('.tmp-'))).toEqual([])

    disk.clear()
    for (const file of [0, 1, 2, 3]) await happen(store, index, { kind: 'reword-file', file, words: ['green', '42'] })
    await index.warmRankings()
    expectTrue(store, index)
    await ended(index)
    expect(readFileSync(store.sidecarPath)).not.toEqual(before)
    await expectMended(store)
  })

  test('a reader never writes one', async () => {
    const store = await Store.of(new Story(120), TIERS.journal)
    const reader = store.reader()
    await reader.warmRankings()
    expect(isFast(reader)).toBe(true)
    expectTrue(store, reader)
    reader.close()
    expect(readdirSync(join(dirname(store.sidecarPath)))).toEqual(['memory.db'])
    expect(store.faults).toEqual([])
  })
})

const dbOf = (index: SearchIndex): Connection => (index as unknown as { db: Connection }).db

describe.each(TIER_NAMES)('a transaction that is undone, %s', (name) => {
  /** The reference path on the writer's own connection, which sees what is not yet committed. */
  const expectOwn = (store: Store, index: SearchIndex): void => {
    const own = new IndexQueries(dbOf(index), store.tier.identity.tier, () => store.tier.calibration)
    const reference = store.reference()
    for (const asked of QUESTIONS) {
      const request = requestOf(asked, reference, store.story.bullets, store.tier.vectorOf)
      expectSame(index.rank(request), own.rank(request))
    }
    reference.close()
  }

  test('leaves nothing behind in the sidecar, and its numbers may be given again', async () => {
    const store = await sealedStore(TIERS[name])
    const index = await store.writer()
    const db = dbOf(index)
    expectTrue(store, index)
    const last = lastChange(db)
    const files = structuredClone([...store.story.files])

    db.exec('begin immediate')
    await happen(store, index, { count: 12, words: ['marathon'] })
    await happen(store, index, { kind: 'reword', words: ['marathon'] })
    expect(lastChange(db)).toBeGreaterThan(last)
    expectOwn(store, index)
    db.exec('rollback')

    for (const [file, bullets] of files) store.story.files.set(file, bullets)
    store.write()
    expect(lastChange(db)).toBe(last)
    expect(isFast(index)).toBe(true)
    expectTrue(store, index)
    await happen(store, index, { count: 12, words: ['Zoë'] })
    expect(isFast(index)).toBe(true)
    expectTrue(store, index)
    await index.warmRankings()
    await ended(index)
    await expectMended(store)
  })
})
