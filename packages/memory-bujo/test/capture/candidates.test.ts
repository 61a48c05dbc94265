import { describe, expect, test } from 'vitest'
import { contentHash } from '@mono-agent/memory-store'
import type { IndexedMemory, NearMemory } from '@mono-agent/memory-search'
import {
  ABOUT_OFFERED,
  gatherCandidates,
  NEAREST_OFFERED,
  UNMEASURED_FLOOR,
} from '../../src/capture/reconcile/gather-candidates.js'
import type { AdmittedMemory } from '../../src/capture/types.js'
import { wordEmbeddings } from '../support/bujo.js'

const admitted = (index: number, text: string, more: Partial<AdmittedMemory> = {}): AdmittedMemory => ({
  index,
  type: 'note',
  status: 'open',
  text,
  salience: 0.7,
  source: 'user',
  quote: `I say: ${text}`,
  attribution: 'user-stated',
  entities: [],
  labels: [],
  ...more,
})

const stored = (id: string, text: string, more: Partial<IndexedMemory> = {}): IndexedMemory => ({
  id,
  file: 'daily/2026-05-01.md',
  position: 0,
  text,
  type: 'note',
  status: 'open',
  salience: 0.7,
  isInsight: false,
  createdAt: '2026-05-01T09:00:00.000Z',
  contentHash: contentHash(text),
  ...more,
})

interface Asked {
  nearest: { limit: number; floor: number }[]
  about: { entities: readonly string[]; factKeys: readonly string[]; limit: number }[]
}

/** An index that holds these lines, finds `near` by any vector and `about` by any entity. */
function indexOf(
  lines: readonly IndexedMemory[],
  near: readonly NearMemory[] = [],
  about: readonly IndexedMemory[] = [],
) {
  const asked: Asked = { nearest: [], about: [] }
  return {
    asked,
    findByContentHash: (hash: string) => lines.filter((line) => line.contentHash === hash),
    calibration: (): undefined => undefined,
    warmNearest: () => Promise.resolve(),
    nearest(_: Float32Array, options: { limit: number; floor: number }) {
      asked.nearest.push(options)
      return near.slice(0, options.limit)
    },
    aboutEntities(entities: readonly string[], options: { factKeys: readonly string[]; limit: number }) {
      asked.about.push({ entities, ...options })
      return entities.length === 0 ? [] : about.slice(0, options.limit)
    },
  }
}

function gather(index: ReturnType<typeof indexOf>, ...memories: AdmittedMemory[]) {
  const embed = wordEmbeddings()
  const parts = { index, embed, ensureCalibrated: () => Promise.resolve() }
  return gatherCandidates(parts, memories, new AbortController().signal).then((gathered) => ({ ...gathered, embed }))
}

describe('exact repeats (CAP-13)', () => {
  const tea = stored('r-1', 'Morgan prefers green tea.')
  test.each([
    { name: 'a live line', line: tea, repeats: 1 },
    { name: 'a line that is done', line: { ...tea, status: 'done' as const }, repeats: 1 },
    { name: 'a dropped line', line: { ...tea, status: 'dropped' as const }, repeats: 0 },
    { name: 'an invalidated line', line: { ...tea, status: 'invalidated' as const }, repeats: 0 },
    { name: 'a superseded line', line: { ...tea, supersededBy: 'r-2' }, repeats: 0 },
  ])('$name: $repeats', async ({ line, repeats }) => {
    const gathered = await gather(indexOf([line]), admitted(0, 'Morgan  prefers green tea.'))
    expect(gathered.repeats).toHaveLength(repeats)
    expect(gathered.entries).toHaveLength(1 - repeats)
  })

  test('within one turn the first counts; neither a vector nor a search for the others', async () => {
    const index = indexOf([])
    const gathered = await gather(index, admitted(0, 'Ana skis.'), admitted(1, 'Ana skis.'), admitted(2, 'Ana  skis.'))
    expect(gathered.repeats.map(({ memory, target }) => [memory.index, target])).toEqual([
      [1, undefined],
      [2, undefined],
    ])
    expect(gathered.embed.texts).toEqual(['Ana skis.'])
    expect(index.asked.nearest).toHaveLength(1)
  })

  test('nothing new costs no request at all', async () => {
    const gathered = await gather(indexOf([tea]), admitted(0, tea.text))
    expect(gathered.embed.texts).toEqual([])
    expect(gathered.vectors).toEqual([])
  })
})

test('a quote that is a live line is an echo, whatever is made of it (CAP-28)', async () => {
  const line = stored('r-1', 'Morgan prefers green tea.')
  const gathered = await gather(
    indexOf([line]),
    admitted(0, 'Morgan loves tea.', { quote: '“Morgan prefers green tea”' }),
  )
  expect(gathered.echoes.map(({ index }) => index)).toEqual([0])
  expect(gathered.entries).toEqual([])
})

describe('what is offered (CAP-14)', () => {
  const lines = Array.from({ length: 12 }, (_, at) => stored(`r-${at}`, `Line ${at}.`))
  const near = lines.map((memory, at) => ({ memory, similarity: 0.9 - at / 100 }))

  test('the nearest by vector, then lines about the same entities that are not among them', async () => {
    const index = indexOf([], near, lines)
    const labels = [
      { kind: 'fact', entityId: 'person:ana', key: 'home_location', attribution: 'user-stated' },
      { kind: 'fact', entityId: 'person:owner', attribution: 'user-stated' },
    ] as const
    const { entries } = await gather(
      index,
      admitted(0, 'Ana moved.', { entities: ['person:ana'], labels: [...labels] }),
    )
    const candidates = entries[0]?.candidates ?? []
    expect(candidates.map(({ memory }) => memory.id)).toEqual(
      lines.slice(0, NEAREST_OFFERED + ABOUT_OFFERED).map(({ id }) => id),
    )
    expect(candidates.filter(({ similarity }) => similarity === undefined)).toHaveLength(ABOUT_OFFERED)
    expect(index.asked.nearest).toEqual([{ limit: NEAREST_OFFERED, floor: UNMEASURED_FLOOR }])
    expect(index.asked.about).toMatchObject([{ entities: ['person:ana'], factKeys: ['person:ana home_location'] }])
  })

  test('one name a line, whichever memory it is offered for', async () => {
    const { entries } = await gather(indexOf([], near.slice(0, 2)), admitted(0, 'One.'), admitted(1, 'Two.'))
    expect(entries.map(({ candidates }) => candidates.map(({ alias }) => alias))).toEqual([
      ['m1', 'm2'],
      ['m1', 'm2'],
    ])
  })

  test('nothing near and nothing about it: no candidate', async () => {
    const { entries, vectors } = await gather(indexOf([]), admitted(0, 'Quite new.'))
    expect(entries[0]?.candidates).toEqual([])
    expect(vectors.map(({ contentHash: hash }) => hash)).toEqual([contentHash('Quite new.')])
  })
})
