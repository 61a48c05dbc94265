import fc from 'fast-check'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { buildChildProgram, startChild, type ChildProgram } from '../../../../test/support/child-program.js'
import { append } from '../support/authority.js'
import { drain } from '../support/vectors.js'
import { compare, NO_TALLY, type Tally } from './support/compare.js'
import type { WriterCommand } from './support/programs/write-store.js'
import { question } from './support/questions.js'
import { Store } from './support/stores.js'
import { step, Story } from './support/stories.js'
import { TIER_NAMES, TIERS, type TierName } from './support/tiers.js'

// A connection that only reads follows what another one writes: after each step it answers what the reference path does.

const event = fc.record({
  step,
  isEmbedded: fc.boolean(),
  /** The writer has its copy sealed, or is opened anew: readers that come later take that copy. */
  then: fc.constantFrom<'go-on' | 'warm' | 'reopen'>('go-on', 'go-on', 'go-on', 'warm', 'reopen'),
  /** A reader that comes now, and stays. */
  isJoined: fc.constantFrom(false, false, false, true),
})

let program: string
beforeAll(async () => {
  program = await buildChildProgram(new URL('./support/programs/write-store.ts', import.meta.url))
}, 60_000)

class RemoteWriter {
  readonly #child: ChildProgram
  constructor(store: Store, tier: TierName) {
    store.root.lease.release()
    this.#child = startChild(program, [store.root.path, tier])
    onTestFinished(() => this.#child.kill())
  }

  async ready(): Promise<void> {
    expect(await this.#child.line()).toBe('ready')
  }

  async do(command: WriterCommand): Promise<void> {
    this.#child.say(JSON.stringify(command))
    expect(JSON.parse(await this.#child.line())).toEqual({ faults: [] })
  }

  async end(): Promise<void> {
    this.#child.process.stdin?.end()
    expect(await this.#child.ended()).toBe(0)
  }
}

describe.each(TIER_NAMES)('%s', (name) => {
  const tally: Tally = { ...NO_TALLY }

  test('readers follow a writer in another process', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(event, { minLength: 4, maxLength: 12 }),
        fc.array(question, { minLength: 2, maxLength: 3 }),
        async (events, questions) => {
          const store = await Store.of(new Story(110), TIERS[name])
          const writer = new RemoteWriter(store, name)
          const [reference, ...readers] = [store.reference(), store.reader(), store.reader()]
          try {
            await writer.ready()
            await readers[0]?.warmRankings()
            for (const { step, isEmbedded, then, isJoined } of events) {
              const { graph, replay } = store.story.apply(step, store.isBujo)
              store.write()
              append(store.root, graph, replay) // as if it had been killed before it recorded them
              await writer.do({ do: 'catch-up' })
              compare(store, { fast: readers, reference }, questions, tally)
              if (isEmbedded) await writer.do({ do: 'embed' })
              if (then !== 'go-on') await writer.do({ do: then })
              if (isJoined) readers.push(store.reader())
              compare(store, { fast: readers, reference }, questions, tally)
              await Promise.all(readers.map((reader) => reader.warmRankings()))
              compare(store, { fast: readers, reference }, questions, tally)
            }
          } finally {
            for (const reader of [reference, ...readers]) reader.close()
            await writer.end()
          }
          expect(store.faults).toEqual([])
        },
      ),
      { numRuns: 2 },
    )
    expect(tally.fast).toBeGreaterThan(tally.all / 2)
  }, 300_000) // processes, and roots on the real disk: the machine may be busy
})

test('two that write in turn leave a reader nothing to doubt', async () => {
  const store = await Store.of(new Story(150), TIERS.bujo)
  const [reference, reader] = [store.reference(), store.reader()]
  const tally: Tally = { ...NO_TALLY }
  const questions = fc.sample(question, { numRuns: 4, seed: 7 })
  const steps = fc.sample(step, { numRuns: 12, seed: 11 })
  await reader.warmRankings()
  for (const one of steps) {
    const writer = await store.writer() // each begins an epoch of its own
    const appended = store.story.apply(one, true)
    store.write()
    await store.follow(writer, appended)
    if (TIERS.bujo.vectorOf !== undefined) drain(writer, TIERS.bujo.vectorOf)
    await writer.warmRankings()
    compare(store, { fast: [writer, reader], reference }, questions, tally)
    await writer.stopAside()
    writer.close()
    compare(store, { fast: [reader], reference }, questions, tally)
  }
  for (const index of [reader, reference]) index.close()
  expect(store.faults).toEqual([])
  expect(tally.fast).toBeGreaterThan(tally.all / 2)
})
