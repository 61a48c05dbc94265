import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { SearchIndex } from '../../src/index.js'
import { drain } from '../support/vectors.js'
import { compare, NO_TALLY, type Tally } from './support/compare.js'
import { question } from './support/questions.js'
import { Store } from './support/stores.js'
import { step, Story } from './support/stories.js'
import { TIER_NAMES, TIERS } from './support/tiers.js'

// Whatever happens to a store, and whenever it is asked, the sidecar answers what the reference path answers. The stores are so
// small that no estimate leaves a record out: every ranking has to be the same to the last place.

/** What happens, and to the sidecar then. */
const event = fc.record({
  step,
  /** Vectors come late, some or all. */
  vectors: fc.constantFrom('none', 'none', 'some', 'all'),
  isCaughtUp: fc.constantFrom(true, true, true, false),
  /** Sealing and building are due, or go on meanwhile. */
  isWarmed: fc.constantFrom('no', 'no', 'writer', 'both'),
  then: fc.constantFrom('go-on', 'go-on', 'go-on', 'go-on', 'reopen', 'rebuild'),
})

describe.each(TIER_NAMES)('%s', (name) => {
  test('through any history the fast path answers as the reference path', async () => {
    const tally: Tally = { ...NO_TALLY }
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(3, 90, 180),
        fc.array(event, { minLength: 3, maxLength: 14 }),
        fc.array(step, { maxLength: 8 }),
        fc.array(question, { minLength: 2, maxLength: 4 }),
        async (records, events, meanwhile, questions) => {
          const store = await Store.of(new Story(records), TIERS[name])
          /** Between two slices of a building or sealing, as others do what they do. */
          let isBusy = true
          const yieldTurn = async (): Promise<void> => {
            const next = isBusy ? undefined : meanwhile.pop()
            if (next === undefined) return
            isBusy = true
            const appended = store.story.apply(next, store.isBujo)
            store.write()
            await store.follow(writer, appended)
            isBusy = false
          }
          const warm = async (): Promise<void> => {
            isBusy = false
            await writer.warmRankings()
            isBusy = true
          }
          let writer: SearchIndex = await store.writer({ yieldTurn })
          const [reader, reference] = [store.reader(), store.reference()]
          const ask = (): void => compare(store, { fast: [writer, reader], reference }, questions, tally)
          try {
            await warm()
            ask()
            for (const { step, vectors, isCaughtUp, isWarmed, then } of events) {
              const appended = store.story.apply(step, store.isBujo)
              store.write()
              if (isCaughtUp || appended.graph.length + appended.replay.length > 0) await store.follow(writer, appended)
              ask()
              if (vectors === 'all' && TIERS[name].vectorOf) drain(writer, TIERS[name].vectorOf)
              if (vectors === 'some') serveSome(writer, TIERS[name].vectorOf)
              if (isWarmed !== 'no') await warm()
              if (isWarmed === 'both') await reader.warmRankings()
              if (then !== 'go-on') {
                await writer.stopAside()
                writer.close()
                if (then === 'rebuild') await store.build()
                writer = await store.writer({ yieldTurn })
              }
              ask()
            }
          } finally {
            await writer.stopAside()
            for (const index of [writer, reader, reference]) index.close()
            store.root.remove('.index')
          }
          expect(store.faults).toEqual([])
        },
      ),
      { numRuns: 8 },
    )
    expect(tally.fast).toBeGreaterThan(tally.all / 2)
  }, 300_000) // dozens of roots on the real disk: the machine may be busy
})

function serveSome(index: SearchIndex, vectorOf: ((text: string) => Float32Array) | undefined): void {
  if (vectorOf === undefined) return
  const waiting = index.missingVectors(0, 4)
  index.writeVectors(waiting.map(({ contentHash, text }) => ({ contentHash, vector: vectorOf(text) })))
}
