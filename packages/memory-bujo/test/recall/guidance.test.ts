import type { LabelScope, MemoryLabel } from '@mono-agent/memory-store'
import type { IndexedMemory, RankedMemory } from '@mono-agent/memory-search'
import { describe, expect, test } from 'vitest'
import { background } from '../../src/recall/background.js'
import { guidance, type GuidanceRequest } from '../../src/recall/guidance.js'
import { fact, lesson, MAY, memory, NOMIC, preference, ranked, rankedByWords } from './support/block-rows.js'

const MEDIAN = 0.5
const asked = (hits: readonly RankedMemory[], rest: Partial<GuidanceRequest> = {}): GuidanceRequest => ({
  ranked: hits,
  median: MEDIAN,
  calibration: NOMIC,
  vantage: MAY,
  scopes: ['agent'],
  ...rest,
})
const prefers = (text: string, ...labels: readonly MemoryLabel[]): IndexedMemory =>
  memory({ text, labels: labels.length === 0 ? [preference()] : labels })

const sectionLines = (request: GuidanceRequest) => guidance(request)?.text.split('\n').slice(1) ?? []
const shownIds = (hits: readonly RankedMemory[], rest: Partial<GuidanceRequest> = {}) =>
  (background(asked(hits, rest))?.lines ?? []).flatMap(({ memoryIds }) => memoryIds)

test('the section of deliberate recall', () => {
  const hits = [
    ranked(0.7, prefers('Ana likes short answers.', preference('user:ana'))),
    ranked(0.69, prefers('Run the linter first.', lesson())),
  ]
  expect(guidance(asked(hits, { scopes: ['agent', 'user:ana'] }))).toEqual({
    kind: 'guidance',
    text:
      'Preferences & lessons:\n' +
      '- preference (this user): Ana likes short answers. (recorded 2026-05-01; you said)\n' +
      '- lesson (agent): Run the linter first. (recorded 2026-05-01)',
  })
})

test('the background of a turn has the same lines', () => {
  const request = asked([ranked(0.7, prefers('Short answers.'))])
  expect(background(request)).toEqual({
    kind: 'background',
    heading: 'Preferences & lessons that may apply; may contradict each other, verify:',
    lines: [
      { text: '- preference (agent): Short answers. (recorded 2026-05-01; you said)', memoryIds: ['Short answers.'] },
    ],
  })
  expect(sectionLines(request)).toEqual(background(request)?.lines.map(({ text }) => text))
})

describe('the guidance floor', () => {
  const isShown = (score: number, rest: Partial<GuidanceRequest> = {}) =>
    shownIds([ranked(score, prefers('x'))], rest).length === 1

  test.each([
    { score: 0.559999999, median: 0.5, shown: false },
    { score: 0.56, median: 0.5, shown: true },
    { score: 0.560000001, median: 0.5, shown: true },
    { score: 0.639999999, median: 0.58, shown: false },
    { score: 0.64, median: 0.58, shown: true }, // 0.64 - 0.58 is 0.06000000000000005, 0.62 - 0.5 is 0.12
    { score: 0.7, median: 0.7, shown: false },
  ])('is 0.06 above the median: $score over $median', ({ score, median, shown }) => {
    expect(isShown(score, { median })).toBe(shown)
  })

  test.each([
    { score: 0.499999999, shown: false },
    { score: 0.5, shown: true },
    { score: 0.500000001, shown: true },
  ])('is at least the noise floor, 0.5: $score', ({ score, shown }) => {
    expect(isShown(score, { median: 0.1 })).toBe(shown)
  })

  test('is on the scale of evidence beside a model whose words weigh', () => {
    const calibration = { ...NOMIC, lexicalWeight: 1 }
    expect(isShown(1.119, { median: 1, calibration })).toBe(false)
    expect(isShown(1.12, { median: 1, calibration })).toBe(true)
  })

  test('is cleared by nothing where nobody knows the median, or that was found by words alone', () => {
    expect(isShown(0.9, { median: undefined })).toBe(false)
    expect(shownIds([rankedByWords(0.9, prefers('x'))])).toEqual([])
  })

  test('is not asked where a kind is asked for', () => {
    const low = [ranked(0.4, prefers('p')), rankedByWords(0.2, prefers('l', lesson()))]
    expect(sectionLines(asked(low))).toEqual([])
    expect(sectionLines(asked(low, { kind: 'preference' }))).toEqual([
      '- preference (agent): p (recorded 2026-05-01; you said)',
    ])
    expect(sectionLines(asked(low, { kind: 'lesson', median: undefined }))).toEqual([
      '- lesson (agent): l (recorded 2026-05-01)',
    ])
  })
})

test.each([7, 8, 9])('at rank %s of hits', (rank) => {
  const before = Array.from({ length: rank - 1 }, (_, at) => ranked(0.8, memory({ text: `m${at}` })))
  const hits = [...before, ranked(0.7, prefers('x'))]
  expect(shownIds(hits)).toEqual(rank <= 8 ? ['x'] : [])
  expect(sectionLines(asked(hits, { kind: 'preference' }))).toHaveLength(rank <= 8 ? 1 : 0)
})

test.each([5, 6, 7])('of %s eligible ones at most six are shown', (count) => {
  const hits = Array.from({ length: count }, (_, at) => ranked(0.8 - at / 100, prefers(`m${at}`)))
  expect(shownIds(hits)).toEqual(hits.slice(0, 6).map(({ memory: { id } }) => id))
})

describe('scopes', () => {
  const SCOPES: readonly LabelScope[] = ['agent', 'project:x', 'conversation:c', 'user:u']
  const hits = SCOPES.flatMap((scope, at) =>
    [1, 2].map((which) => ranked(0.9 - at / 50 - which / 100, prefers(`${scope} ${which}`, preference(scope)))),
  )

  test('stand in their order, and hits in theirs', () => {
    expect(shownIds(hits, { scopes: SCOPES })).toEqual([
      'user:u 1',
      'user:u 2',
      'conversation:c 1',
      'conversation:c 2',
      'project:x 1',
      'project:x 2',
    ])
    expect(shownIds(hits, { scopes: ['agent', 'user:u'] })).toEqual(['user:u 1', 'user:u 2', 'agent 1', 'agent 2'])
  })

  test.each<LabelScope>(['user:other', 'conversation:other', 'project:other', 'user:uu', 'agent'])(
    'what is of %s is not shown to those of another scope',
    (scope) => {
      expect(
        shownIds([ranked(0.8, prefers('x', preference(scope)))], { scopes: ['user:u', 'conversation:c'] }),
      ).toEqual([])
    },
  )

  test.each([
    { label: 'conversation:web:1#2026-04-30', given: 'conversation:web:1', shown: true },
    { label: 'conversation:web:1', given: 'conversation:web:1#2026-05-02', shown: true },
    { label: 'conversation:web:1', given: 'conversation:web:12', shown: false },
    { label: 'user:ana#2026-04-30', given: 'user:ana', shown: false },
  ] as const)('$label among those of $given: $shown', ({ label, given, shown }) => {
    const hits = [ranked(0.7, prefers('x', preference(label)))]
    expect(shownIds(hits, { scopes: [given] })).toEqual(shown ? ['x'] : [])
  })

  test('are told in words, never by their ids', () => {
    const lines = sectionLines(asked(hits, { scopes: SCOPES })).map((line) => line.replace(/: .*/, ''))
    expect(new Set(lines)).toEqual(
      new Set(['- preference (this user)', '- preference (this conversation)', '- preference (this project)']),
    )
  })

  test.each([
    { labels: [preference('agent'), preference('user:u')], says: 'preference (this user)' },
    { labels: [lesson('agent'), preference('agent')], says: 'preference (agent)' },
    { labels: [preference('agent'), lesson('user:u')], says: 'lesson (this user)' },
    { labels: [preference('user:other'), lesson('agent')], says: 'lesson (agent)' },
  ])('of several labels the first that may be shown counts: $says', ({ labels, says }) => {
    const lines = sectionLines(asked([ranked(0.8, prefers('x', ...labels))], { scopes: ['agent', 'user:u'] }))
    expect(lines[0]?.startsWith(`- ${says}: x (`)).toBe(true)
    expect(lines).toHaveLength(1)
  })
})

describe('left out', () => {
  test.each([
    { name: 'a memory without label', given: memory({ text: 'x' }) },
    { name: 'a fact', given: prefers('x', fact()) },
    { name: 'a lesson that nobody verified', given: prefers('x', lesson('agent', false)) },
    { name: 'a superseded one', given: { ...prefers('x'), supersededBy: 'y' } },
    { name: 'an ended one', given: { ...prefers('x', preference(), fact({ validTo: '2026-05-19' })) } },
    { name: 'a done one', given: { ...prefers('x'), status: 'done' as const } },
  ])('$name', ({ given }) => {
    expect(shownIds([ranked(0.8, given)])).toEqual([])
    expect(guidance(asked([ranked(0.8, given)]))).toBeUndefined()
    expect(guidance(asked([ranked(0.8, given)], { kind: 'lesson' }))).toBeUndefined()
  })

  test('everything, where an entity is asked about', () => {
    expect(guidance(asked([ranked(0.8, prefers('x'))], { isAboutEntity: true, kind: 'preference' }))).toBeUndefined()
  })

  test('the other kind, where one is asked for', () => {
    const both = [ranked(0.8, prefers('p')), ranked(0.8, prefers('l', lesson()))]
    expect(sectionLines(asked(both, { kind: 'lesson' }))).toEqual(['- lesson (agent): l (recorded 2026-05-01)'])
  })
})

test('the same content stands once, opposites together', () => {
  const hits = [
    ranked(0.8, memory({ id: 'a', text: 'Tea.', labels: [preference()] })),
    ranked(0.79, memory({ id: 'b', text: 'Tea.', labels: [preference()] })),
    ranked(0.78, memory({ id: 'c', text: 'No tea.', labels: [preference()] })),
  ]
  expect(shownIds(hits)).toEqual(['a', 'c'])
})

test.each([359, 360, 361])('a text of %s bytes', (bytes) => {
  const [line] = sectionLines(asked([ranked(0.8, prefers('x'.repeat(bytes)))]))
  const shown = bytes <= 360 ? 'x'.repeat(bytes) : `${'x'.repeat(357)}…`
  expect(line).toBe(`- preference (agent): ${shown} (recorded 2026-05-01; you said)`)
})

describe('intent expiry', () => {
  const dated = ranked(0.8, memory({ text: 'x', labels: [preference()], dueAt: '2026-05-20' }))
  const expiring = { vantage: { ...MAY, intentExpiry: true } }

  test('leaves dated notes out of the background, even before their day, and of no section', () => {
    expect(shownIds([dated], expiring)).toEqual([])
    expect(shownIds([dated])).toEqual(['x'])
    expect(sectionLines(asked([dated], expiring))).toHaveLength(1)
  })

  test('does not let later hits rank higher', () => {
    const eight = Array.from({ length: 8 }, (_, at) => ({ ...dated, memory: { ...dated.memory, id: `${at}` } }))
    expect(shownIds([...eight, ranked(0.7, prefers('y'))], expiring)).toEqual([])
  })
})
