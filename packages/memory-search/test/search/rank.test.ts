import { layout, type Bullet, type GraphLine, type MemoryLabel, type ReplayEntry } from '@mono-agent/memory-store'
import { describe, expect, test } from 'vitest'
import type { Ranking, RankRequest, SearchIndex } from '../../src/index.js'
import { about, BUJO, deltaBytes, entity, graphBytes, put, supersede } from '../support/authority.js'
import { bullet } from '../support/roots.js'
import { DAY, newRoot } from '../support/scenario.js'
import { build, DIMENSION, hashProvider, hashVector, STRONG, unit } from '../support/vectors.js'

/** The more often `near` stands in a text, the nearer it is to `NEAR`. */
const NEAR = unit([1, ...Array.from({ length: DIMENSION - 1 }, () => 0)])
const nearness = (text: string): Float32Array =>
  unit([text.split('near').length - 1, ...Array.from({ length: DIMENSION - 1 }, (_, at) => (at === 0 ? 4 : 0))])

interface Given {
  readonly bullets: readonly Bullet[]
  readonly graph?: readonly GraphLine[]
  readonly replay?: readonly ReplayEntry[]
  readonly vectorOf?: (text: string) => Float32Array
}

async function withIndex<T>(given: Given, use: (index: SearchIndex) => T): Promise<T> {
  const { bullets, graph = [], replay = [], vectorOf = nearness } = given
  const root = await newRoot()
  root.write(DAY, bullets)
  put(root, layout.graph, graphBytes(graph))
  put(root, layout.replayDelta, deltaBytes(replay))
  await build(root, { identity: BUJO, embed: hashProvider(vectorOf), calibration: { ...STRONG, noiseFloor: 0 } })
  const index = await root.open(BUJO)
  try {
    return use(index)
  } finally {
    index.close()
  }
}

const idsOf = (list: Ranking['ranked'] | undefined): string[] | undefined => list?.map(({ memory }) => memory.id)
const times = (word: string, count: number): string => Array.from({ length: count }, () => word).join(' ')
const BOTH = [
  { by: 'words and meaning', more: { vector: NEAR } },
  { by: 'words alone', more: {} },
] as const
const PREFERENCE: MemoryLabel = { kind: 'preference', scope: 'agent', attribution: 'user-stated' }
const LESSON: MemoryLabel = { kind: 'lesson', scope: 'agent', verified: true }
const COARSE_FACT: MemoryLabel = { kind: 'fact', entityId: 'person:ana', attribution: 'user-stated' }

describe('one ranking, two shapes', () => {
  const bullets = Array.from({ length: 60 }, (_, at) =>
    bullet({
      id: `m-${String(at).padStart(2, '0')}`,
      sentence: `tea${times(' near', at % 9)} ${at % 5} ${at % 2 === 0 ? 'green' : 'black'}${at % 7 === 0 ? '?' : ''}`,
      speaker: at % 3 === 0 ? 'Ana' : 'Bob',
      conversationId: `c-${at % 4}`,
      salience: (at % 10) / 10,
    }),
  )
  test.each(BOTH)('hits of a search are what is ranked, by $by', async ({ more }) =>
    withIndex({ bullets }, (index) => {
      for (const query of ['near tea', 'What did Ana say of green tea on 1 May 2026?', 'tea 3', 'nothing', '']) {
        for (const limit of [1, 10, 50]) {
          const request = { query, limit, ...more }
          const { ranked } = index.rank(request)
          const hits = index.search({ ...request, explain: true })
          expect(hits.map(({ id, score, explanation }) => ({ id, score, explanation }))).toEqual(
            ranked.map(({ memory, score, parts }) => ({ id: memory.id, score, explanation: parts })),
          )
          expect(ranked.map(({ memory }) => index.get(memory.id))).toEqual(ranked.map(({ memory }) => memory))
        }
      }
    }),
  )

  test.each(BOTH)('the median is that of all candidates, beyond the limit too, by $by', async ({ more }) => {
    for (const count of [1, 2, 7, 8]) {
      await withIndex({ bullets: bullets.slice(0, count) }, (index) => {
        const scores = index.rank({ query: 'tea', limit: 50, ...more }).ranked.map(({ score }) => score)
        const [below, above] = [scores[Math.floor((count - 1) / 2)] ?? NaN, scores[Math.floor(count / 2)] ?? NaN]
        expect(scores).toHaveLength(count)
        expect(index.rank({ query: 'tea', limit: 1, ...more }).median).toBeCloseTo((below + above) / 2, 8)
      })
    }
  })
  test('without candidates there is no median', async () =>
    withIndex({ bullets }, (index) => {
      expect(index.rank({ query: 'nothing', limit: 5 })).toEqual({ ranked: [] })
      expect(index.rank({ query: '', limit: 5, apartFrom: 'c-1' })).toEqual({ ranked: [], others: [] })
    }))

  test.each<{ name: string; request: Partial<RankRequest>; error: unknown }>([
    { name: 'no result', request: { limit: 0 }, error: RangeError },
    { name: 'more than 50 results', request: { limit: 51 }, error: RangeError },
    { name: 'a vector of another length', request: { vector: new Float32Array([1]) }, error: RangeError },
    {
      name: 'such a vector of what ended',
      request: { endedVectors: new Map([['hash', new Float32Array([1])]]) },
      error: RangeError,
    },
    { name: 'an instant that is no number', request: { asOf: NaN }, error: RangeError },
  ])('$name is refused', async ({ request, error }) =>
    withIndex({ bullets: [] }, (index) => {
      expect(() => index.rank({ query: 'tea', limit: 5, ...request })).toThrow(error)
    }),
  )
})

describe('all anchors (REC-3)', () => {
  const bullets = [
    bullet({ id: 'both', sentence: 'Invoice INV-7 was paid on 2026-05-08.' }),
    bullet({ id: 'one', sentence: 'Invoice INV-7 was lost.' }),
    bullet({ id: 'part', sentence: 'Invoice INV-77 was paid on 2026-05-08.' }),
    bullet({ id: 'ana', sentence: 'She paid the invoice.' }),
    bullet({ id: 'both-people', sentence: 'They paid the invoice INV-7.' }),
  ]
  const graph = [
    entity('person:ana', 'Ana Meyer'),
    entity('person:bob', 'Bob'),
    about('ana', 'person:ana'),
    about('both-people', 'person:ana'),
    about('both-people', 'person:bob'),
  ]
  const cases = [
    { query: 'invoice INV-7 of 2026-05-08', holding: ['both'] },
    { query: 'invoice INV-7', holding: ['both', 'both-people', 'one'] },
    { query: 'invoice 7', holding: [] },
    { query: 'invoice', holding: [] },
    { query: 'invoice of Ana', holding: ['ana', 'both-people'] },
    { query: 'invoice of Ana Meyer and Bob', holding: ['both-people'] },
    { query: 'invoice INV-7 of Bob', holding: ['both-people'] },
    { query: 'invoice of Carla', holding: [] },
  ]
  test.each(BOTH.flatMap(({ by, more }) => cases.map((one) => ({ ...one, by, more }))))(
    '"$query", by $by: held by $holding',
    async ({ query, holding, more }) =>
      withIndex({ bullets, graph }, (index) => {
        const { ranked } = index.rank({ query, limit: 50, ...more })
        expect(ranked).toHaveLength(bullets.length)
        expect(idsOf(ranked.filter(({ holdsAllAnchors }) => holdsAllAnchors))?.toSorted()).toEqual(holding)
      }),
  )
})

describe('filters act before the best are chosen (SEA-7)', () => {
  // More than any list of candidates has, all of them better than those that are asked for.
  const crowd = Array.from({ length: 150 }, (_, at) =>
    bullet({ id: `crowd-${at}`, sentence: times('near', 5), conversationId: 'c-1' }),
  )
  const far = (id: string, labels: readonly MemoryLabel[] = [], more: Partial<Bullet> = {}): Bullet =>
    bullet({ id, sentence: 'near but long and about something else', labels, conversationId: 'c-1', ...more })
  const bullets = [
    ...crowd,
    far('likes', [PREFERENCE]),
    far('learned', [LESSON]),
    far('learned-and-likes', [LESSON, PREFERENCE]),
    far('fact', [COARSE_FACT]),
    far('elsewhere', [PREFERENCE], { conversationId: 'c-2' }),
    far('dropped', [PREFERENCE], { status: 'dropped' }),
    far('about-bob'),
  ]
  const graph = [
    ...['ana', 'bob', 'eve'].map((name) => entity(`person:${name}`, name)),
    about('likes', 'person:ana'),
    about('likes', 'person:ana', 'document'),
    about('fact', 'person:ana'),
    about('about-bob', 'person:bob'),
    about('dropped', 'person:bob'),
  ]
  const cases: { name: string; request: Partial<RankRequest>; found: string[] }[] = [
    { name: 'preferences', request: { filter: { kind: 'preference' } }, found: ['elsewhere', 'learned-and-likes', 'likes'] }, // prettier-ignore
    { name: 'lessons', request: { filter: { kind: 'lesson' } }, found: ['learned', 'learned-and-likes'] },
    { name: 'about one', request: { filter: { aboutEntities: ['person:ana'] } }, found: ['fact', 'likes'] },
    {
      name: 'about any of two',
      request: { filter: { aboutEntities: ['person:bob', 'person:ana'] } },
      found: ['about-bob', 'fact', 'likes'],
    },
    { name: 'about none', request: { filter: { aboutEntities: [] } }, found: [] },
    {
      name: 'about someone of whom nothing is known',
      request: { filter: { aboutEntities: ['person:eve'] } },
      found: [],
    },
    { name: 'about nobody there is', request: { filter: { aboutEntities: ["person:x' or 1"] } }, found: [] },
    {
      name: 'a preference about one',
      request: { filter: { kind: 'preference', aboutEntities: ['person:ana'] } },
      found: ['likes'],
    },
    {
      name: 'preferences of a conversation',
      request: { filter: { kind: 'preference' }, conversationId: 'c-2' },
      found: ['elsewhere'],
    },
  ]
  test.each(BOTH.flatMap(({ by, more }) => cases.map((one) => ({ ...one, by, more }))))(
    '$name, by $by',
    async ({ request, found, more }) =>
      withIndex({ bullets, graph }, (index) => {
        const { ranked } = index.rank({ query: 'near', limit: 5, ...request, ...more })
        expect(idsOf(ranked)?.toSorted()).toEqual(found)
      }),
  )
  test('the very sentence does not pass a filter either', async () =>
    withIndex({ bullets, graph }, (index) => {
      const query = times('near', 5)
      const { ranked } = index.rank({ query, limit: 5, filter: { kind: 'lesson' } })
      expect(idsOf(ranked)).toEqual(['learned', 'learned-and-likes'])
    }))
  test('no filter lets everything in', async () =>
    withIndex({ bullets, graph }, (index) => {
      const request = { query: 'near', limit: 50, vector: NEAR }
      expect(index.rank({ ...request, filter: {} })).toEqual(index.rank(request))
    }))
})

describe('others than those of a conversation (REC-16)', () => {
  const own = ['c-1', 'c-1#2026-05-01', 'c-1#2026-05-02']
  const foreign = ['c-2', 'c-10', 'c-1#2026-05-01#2026-05-02', 'c-1#late', undefined]
  const of = (id: string, conversationId: string | undefined, sentence = times('near', 5)): Bullet =>
    bullet({ id, sentence, ...(conversationId === undefined ? {} : { conversationId }) })

  test.each(BOTH)('the best of all others, by $by', async ({ more }) => {
    const bullets = [...own, ...foreign].map((id, at) => of(`m-${at}`, id))
    await withIndex({ bullets }, (index) => {
      for (const apartFrom of ['c-1', 'c-1#2026-05-09']) {
        const { ranked, others } = index.rank({ query: 'near', limit: 50, apartFrom, ...more })
        expect(idsOf(ranked)).toHaveLength(bullets.length)
        expect(idsOf(others)?.toSorted()).toEqual(['m-3', 'm-4', 'm-5', 'm-6', 'm-7'])
      }
      const plain = index.rank({ query: 'near', limit: 2, ...more })
      const apart = index.rank({ query: 'near', limit: 2, apartFrom: 'c-1', ...more })
      expect(plain.others).toBeUndefined()
      expect({ ranked: apart.ranked, median: apart.median }).toEqual(plain)
      expect(apart.others).toHaveLength(2)
      expect(index.rank({ query: 'near', limit: 5, apartFrom: 'nowhere', ...more }).others).toHaveLength(5)
    })
  })

  test.each(
    BOTH.flatMap(({ by, more }) =>
      [
        { name: 'by the hundred', crowd: 250, query: 'near' },
        { name: 'the very sentence', crowd: 250, query: times('near', 5) },
        { name: 'said by whom the query names', crowd: 250, query: 'near said Ana' },
      ].map((one) => ({ ...one, by, more })),
    ),
  )('others are found where all the best are of the conversation: $name, by $by', async ({ crowd, query, more }) => {
    const bullets = [
      ...Array.from({ length: crowd }, (_, at) => ({ ...of(`crowd-${at}`, own[at % 3]), speaker: 'Ana' })),
      // Each in a conversation of its own, or in none that is known, and the longer the less it weighs.
      ...Array.from({ length: 12 }, (_, at) =>
        of(`far-${at}`, at % 3 === 0 ? undefined : `c-1${at}`, `${times('near', 4)} x${times(' so', at)}`),
      ),
    ]
    await withIndex({ bullets }, (index) => {
      const { ranked, others } = index.rank({ query, limit: 10, apartFrom: 'c-1', ...more })
      expect(idsOf(ranked)?.every((id) => id.startsWith('crowd'))).toBe(true)
      expect(idsOf(others)).toEqual(Array.from({ length: 10 }, (_, at) => `far-${at}`))
    })
  })

  test('others are those of the filter and of the asked conversation', async () => {
    const bullets = [
      ...Array.from({ length: 120 }, (_, at) => bullet({ ...of(`crowd-${at}`, 'c-1'), labels: [PREFERENCE] })),
      bullet({ ...of('likes', 'c-2'), labels: [PREFERENCE] }),
      of('other', 'c-2'),
    ]
    await withIndex({ bullets }, (index) => {
      const request = { query: 'near', limit: 5, apartFrom: 'c-1', vector: NEAR }
      expect(idsOf(index.rank({ ...request, filter: { kind: 'preference' } }).others)).toEqual(['likes'])
      expect(index.rank({ ...request, conversationId: 'c-1' }).others).toEqual([])
    })
  })
})

test('a memory says what took its place and when, and whether it may be replaced', async () => {
  const bullets = [
    bullet({ id: 'old', sentence: 'Ana drinks black tea.', replaceable: true }),
    bullet({ id: 'new', sentence: 'Ana drinks green tea.', replaceable: false }),
    bullet({ id: 'plain', sentence: 'Ana drinks tea.' }),
  ]
  const at = '2026-05-03T09:00:00.000Z'
  await withIndex({ bullets, replay: [supersede('old', 'new', at)], vectorOf: hashVector }, (index) => {
    const found = new Map(index.rank({ query: 'tea', limit: 5 }).ranked.map(({ memory }) => [memory.id, memory]))
    expect(found.get('old')).toMatchObject({ supersededBy: 'new', supersededAt: at, replaceable: true })
    expect(found.get('new')).toMatchObject({ replaceable: false })
    expect(found.get('new')).not.toHaveProperty('supersededAt')
    expect(found.get('plain')).not.toHaveProperty('replaceable')
  })
})
