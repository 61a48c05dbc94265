import { contentHash, type Bullet, type HitExplanation, type MemoryHit } from '@mono-agent/memory-store'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Calibration } from '../../src/calibration/calibration.js'
import type { SearchIndex } from '../../src/index.js'
import { anchorShare, queryAnchors } from '../../src/query/anchors.js'
import { cosine } from '../../src/ranking/cosine.js'
import { bullet, type TestRoot } from '../support/roots.js'
import { DAY, idsOf, indexOf, newRoot } from '../support/scenario.js'
import {
  build,
  coarseVector,
  DIMENSION,
  drain,
  hashProvider,
  hashVector,
  JOURNAL,
  STRONG,
  unit,
  WEAK,
} from '../support/vectors.js'

interface Given {
  readonly calibration?: Calibration
  readonly vectorOf?: (text: string) => Float32Array
  readonly dimension?: number
}

/** Opens a journal index of these bullets, closed after `use`. */
async function withJournal<T>(
  bullets: readonly Bullet[],
  { calibration = STRONG, vectorOf = hashVector, dimension = DIMENSION }: Given,
  use: (index: SearchIndex, root: TestRoot) => T,
): Promise<Awaited<T>> {
  const root = await newRoot()
  root.write(DAY, bullets)
  const identity = { ...JOURNAL, dimension }
  await build(root, { calibration, embed: hashProvider(vectorOf), identity })
  const index = await root.open(identity)
  try {
    return await use(index, root)
  } finally {
    index.close()
  }
}

const ask = (
  index: SearchIndex,
  query: string,
  more: { conversationId?: string; limit?: number } = {},
  vector = hashVector(query),
) => index.search({ query, limit: 10, vector, explain: true, ...more })
const partsOf = (hit: MemoryHit | undefined): Partial<HitExplanation> => hit?.explanation ?? {}

describe('exact anchors beside vectors that say nothing', () => {
  const crowd = Array.from({ length: 10_000 }, (_, at) =>
    bullet({
      id: `m-${at}`,
      sentence:
        at === 7_777
          ? 'Zoë Müller paid INV-2024-00917 late.'
          : `Zoë Müller paid INV-2024-${String(at + 1_000).padStart(5, '0')} late.`,
    }),
  )
  test('the invoice asked for is hit 1 of 10,000, beside any model', async () => {
    // As many dimensions as the default model's: even the nearest of 10,000 is then far.
    const vectorOf = (text: string): Float32Array => hashVector(text, 768)
    await withJournal(crowd, { vectorOf, dimension: 768 }, async (index) => {
      for (const lexicalWeight of [0, 0.3, 1]) {
        await index.setCalibration({ ...STRONG, lexicalWeight })
        for (const query of [
          'INV-2024-00917',
          'Was INV-2024-00917 paid?',
          'ｉｎｖ-2024-00917’s payment',
          'who paid invoice inv-2024-00917, zoe muller?',
        ]) {
          const [first, second] = ask(index, query, {}, vectorOf(query))
          expect({ lexicalWeight, query, id: first?.id }).toEqual({ lexicalWeight, query, id: 'm-7777' })
          expect(partsOf(first).anchors).toBe(0.15)
          expect(second?.score ?? 0).toBeLessThan(first?.score ?? 0)
        }
      }
    })
  }, 120_000)

  test('a date is no other date', async () => {
    const days = ['1988-11-02', '1988-12-02', '1988-11-20', '1987-11-02']
    await withJournal(
      days.map((day) => bullet({ id: day, sentence: `Ana was born on ${day}.` })),
      { vectorOf: () => unit([1, ...Array.from({ length: DIMENSION - 1 }, () => 0)]) },
      (index) => {
        for (const day of days) {
          const hits = ask(index, `Who was born on ${day}?`)
          expect(hits[0]?.id).toBe(day)
          expect(hits.map((hit) => partsOf(hit).anchors)).toEqual([0.15, 0, 0, 0])
        }
      },
    )
  })
})

test.each([
  ['an accent', 'What does Zoe drink?'],
  ['case', 'what does ZOË drink'],
  ['a decomposed accent', 'What does Zoe\u0308 drink?'],
])('an author is found by name whatever %s', async (_, query) => {
  const said = (id: string, speaker: string) =>
    bullet({ id, sentence: `I drink tea ${id}.`, speaker, conversationId: 'c' })
  await withJournal([said('a', 'Bob'), said('b', 'Zoë van Dijk'), said('c', 'Bob')], {}, (index) => {
    const [first] = ask(index, query)
    expect(first?.id).toBe('b')
    expect(partsOf(first).actor).toBeGreaterThan(0)
  })
})

describe('a candidate of one list is judged by the other signal too, though that list is full of others', () => {
  const target = hashVector('tea')
  const vectorOf = (text: string): Float32Array => (text.startsWith('x') ? hashVector(text) : target)
  const model = { ...STRONG, noiseFloor: 0, lexicalWeight: 0.4 }

  test('the nearest by its words', async () => {
    // Two hundred hold the word in less text, so they are the best by words; none of them is near.
    const crowd = Array.from({ length: 200 }, (_, at) => bullet({ id: `m-${at}`, sentence: `x${at} tea` }))
    const near = bullet({
      id: 'near',
      sentence: 'a long story about a cup of tea that grew cold on the table by the window',
    })
    await withJournal([...crowd, near], { vectorOf, calibration: model }, (index) => {
      const [first] = ask(index, 'tea', {}, target)
      expect(first?.id).toBe('near')
      expect(partsOf(first).semantic).toBeCloseTo(1, 5)
      expect(partsOf(first).lexical).toBeGreaterThan(0)
    })
  })

  test('the best by words by its vector', async () => {
    // Two hundred are nearer; none of them holds the word.
    const crowd = Array.from({ length: 200 }, (_, at) => bullet({ id: `m-${at}`, sentence: `story ${at}` }))
    const worded = bullet({ id: 'worded', sentence: 'x tea' })
    const asked = unit(Array.from(target, (value, at) => value + (hashVector('x tea')[at] ?? 0) / 2))
    await withJournal([...crowd, worded], { vectorOf, calibration: WEAK }, (index) => {
      const hit = ask(index, 'x tea', {}, asked)[0]
      expect(hit?.id).toBe('worded')
      expect(partsOf(hit).semantic).toBeCloseTo(cosine(hashVector('x tea'), asked), 6)
      expect(partsOf(hit).semantic).toBeGreaterThan(0)
    })
  })
})

describe('filters act before the best are chosen', () => {
  const mine = Array.from({ length: 12 }, (_, at) =>
    bullet({ id: `mine-${at}`, sentence: `far ${at}`, conversationId: 'mine' }),
  )
  const others = Array.from({ length: 2_000 }, (_, at) =>
    bullet({ id: `other-${at}`, sentence: `near ${at} tea`, conversationId: at % 2 === 0 ? 'other' : 'third' }),
  )
  const target = hashVector('tea')
  const vectorOf = (text: string): Float32Array =>
    text.startsWith('near')
      ? target
      : unit(target.map((value, at) => (at === 0 ? value + 3 + Number(text.slice(4)) : value)) as unknown as number[])

  test('the nearest of a conversation, though thousands of others are nearer', async () => {
    await withJournal([...others, ...mine], { vectorOf, calibration: { ...STRONG, noiseFloor: 0 } }, (index) => {
      const hits = ask(index, 'tea', { conversationId: 'mine', limit: 50 }, target)
      const nearest = mine.toSorted(
        (a, b) => cosine(vectorOf(b.sentence), target) - cosine(vectorOf(a.sentence), target),
      )
      expect(idsOf(hits)).toEqual(nearest.map(({ id }) => id))
      expect(ask(index, 'tea', { conversationId: 'nobody' }, target)).toEqual([])
    })
  })

  test('dropped and invalidated never come, even if nothing else is near', async () => {
    const all = (['dropped', 'invalidated', 'done', 'open'] as const).map((status) =>
      bullet({ id: status, sentence: `near ${status}`, type: 'task', status }),
    )
    await withJournal([...all, ...mine], { vectorOf }, (index, root) => {
      const found = (): string[] =>
        idsOf(ask(index, 'near', { limit: 50 }, target)).filter((id) => !id.startsWith('mine'))
      expect(found().toSorted()).toEqual(['done', 'open'])
      root.write(DAY, [bullet({ ...all[2], id: 'done', sentence: 'near done', status: 'dropped' }), ...mine])
      return index.catchUp().then(() => expect(found()).toEqual([]))
    })
  })
})

test.each([
  { name: 'another dimension', vector: hashVector('tea', DIMENSION + 1) },
  { name: 'no length', vector: new Float32Array(DIMENSION) },
  { name: 'a NaN', vector: Float32Array.from({ length: DIMENSION }, () => NaN) },
])('a vector of $name is refused, asked or written', async ({ vector }) => {
  await withJournal([bullet({ id: 'a', sentence: 'tea' })], {}, (index) => {
    expect(() => ask(index, 'tea', {}, vector)).toThrow(RangeError)
    expect(() => index.writeVectors([{ contentHash: contentHash('tea'), vector }])).toThrow(RangeError)
    expect(idsOf(ask(index, 'tea'))).toEqual(['a'])
  })
})

test('lite has no vectors to compare with', async () => {
  const index = await indexOf(['tea'])
  expect(() => ask(index, 'tea')).toThrow(RangeError)
  expect(index.stats()).toMatchObject({ vectors: 0, missingVectors: 0 })
})

test('a weak model is asked without the names of authors, a strong one with them', async () => {
  const bullets = [bullet({ id: 'a', sentence: 'tea', speaker: 'Zoë', conversationId: 'c' })]
  await withJournal(bullets, { calibration: WEAK }, async (index) => {
    expect(index.embeddable("What is zoe's tea? Ana knows")).toBe('What is tea? Ana knows')
    await index.setCalibration(STRONG)
    expect(index.embeddable("What is zoe's tea?")).toBe("What is zoe's tea?")
    expect(index.calibration()).toEqual(STRONG)
  })
})

const WORDS = ['tea', 'green', 'pottery', 'marathon', 'INV-7', '42', 'Zoë', '猫', 'painting', 'was']
const sentence = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 6 }).map((words) => words.join(' '))
const memory = fc.record({
  sentence,
  speaker: fc.constantFrom(undefined, 'Ana', 'Bob Marsh'),
  conversationId: fc.constantFrom(undefined, 'a', 'b'),
  salience: fc.constantFrom(0, 0.5, 1),
  status: fc.constantFrom('open' as const, 'open' as const, 'dropped' as const),
  hasVector: fc.constantFrom(true, true, true, false),
})
type Memory = typeof memory extends fc.Arbitrary<infer T> ? T : never

const bulletsOf = (memories: readonly Memory[]): Bullet[] =>
  memories.map(({ speaker, conversationId, hasVector: _, ...rest }, at) =>
    bullet({
      ...rest,
      id: `m-${String(at).padStart(2, '0')}`,
      type: 'task',
      createdAt: `2026-05-01T09:00:${String(at).padStart(2, '0')}.000Z`,
      ...(speaker === undefined ? {} : { speaker }),
      ...(conversationId === undefined ? {} : { conversationId }),
    }),
  )

test('every record that a naive scan would score is scored alike: smaller stores lose nothing to candidate limits', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(memory, { minLength: 1, maxLength: 45 }),
      sentence,
      fc.constantFrom(undefined, 'a'),
      fc.constantFrom(STRONG, WEAK, { ...STRONG, noiseFloor: 0, lexicalWeight: 0.4 }),
      async (memories, query, conversationId, calibration) => {
        const bullets = bulletsOf(memories)
        const waiting = new Set(memories.filter(({ hasVector }) => !hasVector).map((one) => one.sentence))
        const root = await newRoot()
        root.write(DAY, [])
        await build(root, { calibration })
        const index = await root.open(JOURNAL)
        try {
          root.write(DAY, bullets)
          await index.catchUp()
          index.writeVectors(
            [...new Set(memories.map((one) => one.sentence))]
              .filter((text) => !waiting.has(text))
              .map((text) => ({ contentHash: contentHash(text), vector: coarseVector(text) })),
          )
          const vector = coarseVector(query)
          const scope = conversationId === undefined ? {} : { conversationId }
          const hits = index.search({ query, limit: 50, vector, explain: true, ...scope })
          // What of each signal is naive: all live records in scope, each judged by its own.
          const live = bullets.filter(
            (one) =>
              one.status !== 'dropped' && (conversationId === undefined || one.conversationId === conversationId),
          )
          const withVector = live.filter((one) => !waiting.has(one.sentence))
          expect(idsOf(hits)).toEqual(expect.arrayContaining(withVector.map(({ id }) => id)))
          expect(idsOf(hits).filter((id) => !live.some((one) => one.id === id))).toEqual([])
          const lexical = new Map(
            index.search({ query, limit: 50, explain: true, ...scope }).map((hit) => [hit.id, hit]),
          )
          const before = (of: Bullet): Bullet | undefined =>
            of.conversationId === undefined
              ? undefined
              : bullets
                  .slice(0, bullets.indexOf(of))
                  .findLast((one) => one.status !== 'dropped' && one.conversationId === of.conversationId)
          for (const hit of hits) {
            const own = live.find(({ id }) => id === hit.id)
            if (own === undefined) throw new Error('checked above')
            const parts = partsOf(hit)
            const words = lexical.get(hit.id)
            if (waiting.has(own.sentence)) {
              expect(parts).not.toHaveProperty('semantic')
              continue
            }
            const floor = calibration.noiseFloor * (1 - calibration.lexicalWeight)
            const evidence = (text: string | undefined): number => {
              const value = text === undefined || waiting.has(text) ? -1 : cosine(coarseVector(text), vector)
              return value < floor ? 0 : Math.max(0, value)
            }
            expect(parts.semantic).toBeCloseTo(evidence(own.sentence), 6)
            expect(parts.anchors).toBeCloseTo(0.15 * anchorShare(queryAnchors(query), own.sentence), 8)
            expect(parts.context).toBeCloseTo(0.2 * calibration.lexicalWeight * evidence(before(own)?.sentence), 6)
            // In lite an echo may be put a millionth lower.
            const share = calibration.lexicalWeight / 0.7
            expect(parts.lexical).toBeCloseTo(share * (partsOf(words).lexical ?? 0), 2)
            expect(hit.score).toBeCloseTo(
              Object.values(parts).reduce((sum, part) => sum + part, 0),
              8,
            )
          }
          const ordered = hits.toSorted((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
          expect(idsOf(hits)).toEqual(idsOf(ordered))
        } finally {
          index.close()
        }
      },
    ),
    { numRuns: 40 },
  )
}, 120_000)

test('the same store gives the same hits in the same order, however it came to be', async () => {
  const bullets = Array.from({ length: 400 }, (_, at) =>
    bullet({
      id: `m-${String(at).padStart(3, '0')}`,
      // Many equal ones, more than any candidate limit.
      sentence: at < 250 ? 'tea was green' : `tea ${WORDS[at % WORDS.length]} ${at}`,
      conversationId: `c-${at % 3}`,
      createdAt: `2026-05-01T09:00:00.${String(at).padStart(3, '0')}Z`,
    }),
  )
  const queries = ['tea was green', 'green tea', 'tea 42', 'INV-7', 'pottery']
  const answers = async (order: readonly Bullet[], step: number): Promise<unknown> => {
    const root = await newRoot()
    const file = (at: number): string => `daily/2026-05-0${(at % 2) + 1}.md`
    for (const at of [0, 1]) root.write(file(at), [])
    await build(root, { calibration: { ...STRONG, noiseFloor: 0 } })
    const index = await root.open(JOURNAL)
    for (let end = step; end < order.length + step; end += step) {
      const known = new Set(order.slice(0, end))
      for (const at of [0, 1])
        root.write(
          file(at),
          bullets.filter((one, place) => place % 2 === at && known.has(one)),
        )
      await index.catchUp()
      drain(index)
    }
    const found = queries.flatMap((query) => [1, 10, 50].map((limit) => ask(index, query, { limit })))
    index.close()
    return found
  }
  const reference = await answers(bullets, 400)
  expect(await answers(bullets.toReversed(), 100)).toEqual(reference)
  expect(
    await answers(
      bullets.toSorted((a, b) => (contentHash(a.id) < contentHash(b.id) ? -1 : 1)),
      57,
    ),
  ).toEqual(reference)
}, 60_000)
