import fc from 'fast-check'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { rollbackIndex } from '../../src/index.js'
import { manifestOf } from '../support/dump.js'
import { drain } from '../support/vectors.js'
import { ended } from './support/asked.js'
import { compare, NO_TALLY, type Tally } from './support/compare.js'
import { question } from './support/questions.js'
import { Store } from './support/stores.js'
import { step, Story } from './support/stories.js'
import { TIER_NAMES, TIERS, type Tier } from './support/tiers.js'

// Whichever copy is found beside whichever state of the database, newer, older, of a past that was taken back or of another
// generation: the answers are those of the database as it is.

const event = fc.record({
  step,
  /** While nothing is open. */
  files: fc.constantFrom(
    ...(['leave', 'keep-copy', 'put-copy', 'put-copy', 'remove-copy', 'remove-copy'] as const),
    ...(['keep-database', 'put-database', 'put-database', 'rebuild', 'rebuild-and-back'] as const),
  ),
  which: fc.nat(),
  isEmbedded: fc.boolean(),
  isSealed: fc.constantFrom(true, true, false),
})
type Event = typeof event extends fc.Arbitrary<infer T> ? T : never

/** What was put aside of a store, to be put back. */
class Kept {
  readonly #copies: Buffer[] = []
  readonly #databases: { readonly generation: string; readonly bytes: Buffer }[] = []

  async change(store: Store, { files, which }: Event): Promise<void> {
    const { sidecarPath, databasePath, generation, root, tier } = store
    const copy = this.#copies[which % this.#copies.length]
    const databases = this.#databases.filter((one) => one.generation === generation)
    const database = databases[which % databases.length]
    switch (files) {
      case 'leave':
        return
      case 'keep-copy':
        if (existsSync(sidecarPath)) this.#copies.push(readFileSync(sidecarPath))
        return
      case 'put-copy':
        if (copy !== undefined) writeFileSync(sidecarPath, copy, { mode: 0o600 })
        return
      case 'remove-copy':
        // Kept as well: the next one may be of other changes with the same numbers.
        if (existsSync(sidecarPath)) this.#copies.push(readFileSync(sidecarPath))
        return rmSync(sidecarPath, { force: true })
      case 'keep-database':
        return void this.#databases.push({ generation, bytes: readFileSync(databasePath) })
      case 'put-database':
        if (database !== undefined) writeFileSync(databasePath, database.bytes)
        return
      case 'rebuild':
      case 'rebuild-and-back':
        await store.build()
        if (files === 'rebuild' || manifestOf(root.path).previous?.isOffered !== true) return
        await rollbackIndex({ root: root.path, fs: root.fs, lease: root.lease, identity: tier.identity, now: Date.now })
    }
  }
}

async function live(store: Store, { step, isEmbedded, isSealed }: Event, ask: (...fast: Asked) => void): Promise<void> {
  const reader = store.reader()
  ask(reader)
  const writer = await store.writer()
  await writer.catchUp()
  ask(writer, reader)
  const appended = store.story.apply(step, store.isBujo)
  store.write()
  await store.follow(writer, appended)
  ask(writer, reader)
  const { vectorOf }: Tier = store.tier
  if (isEmbedded && vectorOf !== undefined) drain(writer, vectorOf)
  if (isSealed) await writer.warmRankings()
  ask(writer, reader)
  reader.close()
  await ended(writer)
}
type Asked = Parameters<typeof compare>[1]['fast']

describe.each(TIER_NAMES)('%s', (name) => {
  test('no copy is believed that is not of the past of its database', async () => {
    const tally: Tally = { ...NO_TALLY }
    await fc.assert(
      fc.asyncProperty(
        fc.array(event, { minLength: 4, maxLength: 16 }),
        fc.array(question, { minLength: 2, maxLength: 3 }),
        async (events, questions) => {
          const store = await Store.of(new Story(60), TIERS[name])
          const kept = new Kept()
          const ask = (...fast: Asked): void => {
            const reference = store.reference()
            compare(store, { fast, reference }, questions, tally)
            reference.close()
          }
          for (const one of events) {
            await kept.change(store, one)
            await live(store, one, ask)
          }
          for (const fault of store.faults) expect(fault).toEqual({ code: 'sidecar_invalid', detail: 'foreign' })
          store.root.remove('.index')
        },
      ),
      { numRuns: 4 },
    )
    expect(tally.fast).toBeGreaterThan(tally.all / 3)
  }, 300_000) // dozens of roots on the real disk: the machine may be busy
})
