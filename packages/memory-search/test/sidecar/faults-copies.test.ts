import type { Bullet } from '@mono-agent/memory-store'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { rollbackIndex, type SearchIndex } from '../../src/index.js'
import { lastChange } from '../../src/sqlite/change-log.js'
import { dbOf, ended, expectMended, expectTold, expectTrue, happen, sealedStore, written } from './support/asked.js'
import { isFast, Store } from './support/stores.js'
import { FILES, Story, type Step } from './support/stories.js'
import { TIER_NAMES, TIERS } from './support/tiers.js'

// A sealed copy is taken if it is of this database, however far behind; of other changes than those it is never believed.

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

  // A copy is flushed, the transactions that it was made of may not be: what it holds must be no later than it says.
  test('what a loss of power takes back from under a build is in no copy that is believed', async () => {
    const store = await Store.of(new Story(180), TIERS[name])
    const files = structuredClone([...store.story.files])
    // While it reads records: in lite, which takes no mean before, a turn earlier.
    let turns = store.tier.vectorOf === undefined ? 1 : 0
    let before: readonly [database: Buffer, log: Buffer] | undefined
    const index: SearchIndex = await store.writer({
      yieldTurn: async () => {
        if (++turns !== 3) return
        before = [readFileSync(store.databasePath), readFileSync(`${store.databasePath}-wal`)]
        for (const file of [0, 1, 2, 3]) {
          await happen(store, index, { kind: 'reword', file, at: 44, words: ['marathon'] })
        }
      },
    })
    await index.warmRankings()
    await ended(index)
    if (before === undefined) throw new Error('it is built in turns')

    writeFileSync(store.databasePath, before[0])
    writeFileSync(`${store.databasePath}-wal`, before[1])
    for (const [file, bullets] of files) store.story.files.set(file, bullets)
    store.write()
    const reader = store.reader()
    expectTrue(store, reader)
    await reader.warmRankings()
    expectTrue(store, reader)
    reader.close()
    for (const fault of store.faults) expect(fault).toEqual({ code: 'sidecar_invalid', detail: 'foreign' })
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
