import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RankedMemory, RankRequest, SearchIndex } from '../../src/index.js'
import { bullet } from '../support/roots.js'
import { coarseVector, STRONG } from '../support/vectors.js'
import { actions, builtFrom, followed, instantOf, statesOf, vectorsOf, WORDS, type Model } from './as-of-history.js'

const MODEL: Model = { calibration: { ...STRONG, noiseFloor: 0 }, vectorOf: coarseVector }

/** Closes what `use` was given. */
async function withBoth(
  final: Promise<SearchIndex>,
  then: Promise<SearchIndex>,
  use: (final: SearchIndex, then: SearchIndex) => void,
): Promise<void> {
  const [one, other] = await Promise.all([final, then])
  try {
    use(one, other)
  } finally {
    one.close()
    other.close()
  }
}

/** The same memories in the same state; and the same order wherever the scores of then are further apart than `tolerance`. */
function expectSame(asked: readonly RankedMemory[], then: readonly RankedMemory[], tolerance: number): void {
  const byId = (list: readonly RankedMemory[]) =>
    list.map(({ memory }) => memory).toSorted((a, b) => (a.id < b.id ? -1 : 1))
  expect(byId(asked)).toEqual(byId(then))
  const place = new Map(asked.map(({ memory }, at) => [memory.id, at]))
  for (const better of then) {
    for (const worse of then) {
      if (better.score - worse.score <= tolerance) continue
      expect(place.get(better.memory.id)).toBeLessThan(place.get(worse.memory.id) ?? -1)
    }
  }
}

const queries = fc.subarray(WORDS, { minLength: 1, maxLength: 3 }).map((words) => words.join(' '))
const filters = fc.constantFrom<NonNullable<RankRequest['filter']>[]>(
  {},
  { kind: 'preference' },
  { aboutEntities: ['person:ana'] },
  { kind: 'lesson', aboutEntities: ['person:bob', 'person:ana'] },
)
/** When the asked instant lies before, at, or after that of an action. */
const shifts = fc.constantFrom(-1, 0, 1)

/** Two places in lists of other lengths, at most: all else of a strong model's score is the same, then and now. */
const PLACES = (0.1 * 2) / 61

test('by words and meaning, what was live at an instant is found as it was found then', async () => {
  const conversations = [undefined, 'c-1', 'c-1#2026-05-01', 'c-2']
  await fc.assert(
    fc.asyncProperty(
      actions(conversations),
      fc.nat(),
      shifts,
      fc.array(fc.record({ query: queries, filter: filters, conversationId: fc.constantFrom(...conversations) }), {
        minLength: 1,
        maxLength: 5,
      }),
      async (history, chosen, shift, asked) => {
        const states = statesOf(history)
        const at = chosen % states.length
        const asOf = Date.parse(instantOf(at)) + shift
        const then = states[shift < 0 ? Math.max(0, at - 1) : at]
        if (then === undefined) throw new Error('there is a state of each step')
        await withBoth(followed(states, MODEL), builtFrom(then, MODEL), (final, built) => {
          const endedVectors = vectorsOf(final.endedSince(asOf, 100), MODEL)
          for (const { query, filter, conversationId } of asked) {
            const request = {
              ...{ query, filter, limit: 50, apartFrom: 'c-1', vector: coarseVector(query) },
              ...(conversationId === undefined ? {} : { conversationId }),
            }
            const now = final.rank({ ...request, asOf, endedVectors })
            const reference = built.rank(request)
            expectSame(now.ranked, reference.ranked, PLACES)
            expectSame(now.others ?? [], reference.others ?? [], PLACES)
            expect(now.ranked.map(({ memory, holdsAllAnchors }) => [memory.id, holdsAllAnchors]).toSorted()).toEqual(
              reference.ranked.map(({ memory, holdsAllAnchors }) => [memory.id, holdsAllAnchors]).toSorted(),
            )
          }
        })
      },
    ),
    { numRuns: 40 },
  )
}, 300_000) // dozens of roots on the real disk: the machine may be busy

/**
 * Rarity counts all records of now, not those of then, and so does the average length: with a store that grew by a tenth
 * scores differ by a few hundredths.
 */
const RARITY = 0.06

test('by words alone, what was live at an instant is found as it was found then', async () => {
  const before = Array.from({ length: 120 }, (_, at) =>
    bullet({
      id: `old-${String(at).padStart(3, '0')}`,
      sentence: `y${at % 7} ${WORDS[at % WORDS.length]} ${WORDS[(at * 3 + 1) % WORDS.length]}`,
      createdAt: instantOf(0),
    }),
  )
  await fc.assert(
    fc.asyncProperty(
      actions([undefined]),
      fc.nat(),
      fc.array(queries, { minLength: 1, maxLength: 5 }),
      async (history, chosen, asked) => {
        // What was there before has no label: only what happened can be found, beside the rarity of a grown store.
        const states = statesOf(
          history.map((action) => ({ ...action, label: 'preference' })),
          before,
        )
        const at = chosen % states.length
        const then = states[at]
        if (then === undefined) throw new Error('there is a state of each step')
        await withBoth(followed(states, MODEL), builtFrom(then, MODEL), (final, built) => {
          for (const query of asked) {
            const request = { query, limit: 50, filter: { kind: 'preference' as const } }
            const now = final.rank({ ...request, asOf: Date.parse(instantOf(at)) })
            expectSame(now.ranked, built.rank(request).ranked, RARITY)
          }
        })
      },
    ),
    { numRuns: 40 },
  )
}, 300_000)
