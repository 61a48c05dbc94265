import fc from 'fast-check'
import { statSync } from 'node:fs'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { buildChildProgram, startChild } from '../../../../test/support/child-program.js'
import type { IndexReader, Ranking, RankRequest } from '../../src/index.js'
import { CodeStore } from '../../src/sidecar/vectors/code-store.js'
import { ended, happen } from './support/asked.js'
import { question, requestOf } from './support/questions.js'
import { isFast, Store } from './support/stores.js'
import { Story } from './support/stories.js'
import { TIER_NAMES, TIERS } from './support/tiers.js'

// The same store, query and clock give the same hits in the same order (SEA-16), to the last bit of every score: in whatever order
// the sidecar came to know its records, whoever counted, and in whichever process.

afterEach(() => void vi.unstubAllGlobals())

let program: string
beforeAll(async () => {
  program = await buildChildProgram(new URL('./support/programs/rank-once.ts', import.meta.url))
}, 60_000)

/** What JSON can carry: vectors are made anew from the query. */
const plain = ({ vector: _made, endedVectors: _ended, ...request }: RankRequest): RankRequest => request

function withoutSimd(): void {
  vi.stubGlobal('WebAssembly', undefined)
  expect(() => CodeStore.create({ dimension: 8, mean: new Float32Array(8), kernel: 'simd' })).toThrow(RangeError)
}

describe.each(TIER_NAMES)('%s', (name) => {
  test('the same hits with the same scores whatever the sidecar went through', async () => {
    const { vectorOf } = TIERS[name]
    const store = await Store.of(new Story(400), TIERS[name])
    const questions = fc
      .sample(question, { numRuns: 40, seed: 20_260_501 })
      .filter(({ asOf, isByWords }) => asOf === undefined && (!isByWords || vectorOf === undefined))
    const reference = store.reference()
    const requests = (): RankRequest[] => {
      const made = questions.map((asked) => plain(requestOf(asked, reference, store.story.bullets, vectorOf)))
      return made
    }
    const answers = (index: IndexReader): Ranking[] =>
      requests().map((request) =>
        index.rank(vectorOf === undefined ? request : { ...request, vector: vectorOf(request.query) }),
      )
    const fresh = async (): Promise<IndexReader> => {
      const reader = store.reader()
      await reader.warmRankings()
      expect(isFast(reader)).toBe(true)
      return reader
    }

    const writer = await store.writer()
    await writer.catchUp()
    await writer.warmRankings()
    for (const file of [0, 1, 2]) {
      await happen(store, writer, { kind: 'swap', file, at: 30, count: 12 })
      await happen(store, writer, { kind: 'reword', file, at: 17, words: ['tea', 'Ana'] })
      await happen(store, writer, { kind: 'remove', file, at: 3 })
      await happen(store, writer, { kind: 'move', file, other: 3, at: 11 })
      writer.rank({ query: 'tea', limit: 1 }) // not so much at once that it would not be followed
    }
    expect(isFast(writer)).toBe(true)
    const followed = answers(writer) // dead slots, fresh words, slots in the order of changes
    expect(followed.some(({ ranked }) => ranked.length > 10)).toBe(true)

    const behind = await fresh() // from the copy, and what changed since
    expect(answers(behind)).toEqual(followed)
    behind.close()
    const copy = statSync(store.sidecarPath).ino
    await writer.warmRankings()
    expect(statSync(store.sidecarPath).ino).not.toBe(copy) // it was compacted and sealed
    const before = answers(writer)
    expect(before).toEqual(followed)
    await ended(writer)
    const reopened = await store.writer()
    expect(isFast(reopened)).toBe(true)
    expect(answers(reopened)).toEqual(before)
    await ended(reopened)

    store.root.fs.remove(store.sidecarPath)
    const built = await fresh() // from nothing but the database
    expect(answers(built)).toEqual(before)
    built.close()

    withoutSimd()
    const counted = await fresh()
    expect(answers(counted)).toEqual(before)
    counted.close()
    vi.unstubAllGlobals()

    const child = startChild(program, [store.root.path, name, JSON.stringify(requests())])
    expect(JSON.parse(await child.line())).toEqual({
      answers: JSON.parse(JSON.stringify(before)) as unknown,
      faults: [],
    })
    expect(await child.ended()).toBe(0)

    reference.close()
    expect(store.faults).toEqual([])
  }, 120_000)
})
