import type { MemoryLabel } from '@mono-agent/memory-store'
import type { IndexedMemory, RankedMemory } from '@mono-agent/memory-search'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { composeContext, MAX_RELEVANT_BYTES } from '../../src/recall/compose-context.js'
import { possiblyRelevant } from '../../src/recall/possibly-relevant.js'
import type { Vantage } from '../../src/recall/types.js'
import {
  fact,
  lesson,
  MAY,
  memory,
  NOMIC,
  preference,
  ranked,
  rankedByWords,
  vantage,
  withoutConversation,
} from './support/block-rows.js'

const linesOf = (hits: readonly RankedMemory[], at: Vantage = MAY, calibration = NOMIC) =>
  (possiblyRelevant(hits, calibration, at)?.lines ?? []).map(({ text }) => text)
const shownIds = (hits: readonly RankedMemory[], at: Vantage = MAY, calibration = NOMIC) =>
  (possiblyRelevant(hits, calibration, at)?.lines ?? []).flatMap(({ memoryIds }) => memoryIds)
const lineOf = (given: IndexedMemory, at: Vantage = MAY) => linesOf([ranked(0.9, given)], at)[0]

test('a line says what, when, how it stands and who vouches for it', () => {
  const hit = ranked(0.8, memory({ text: 'Ana likes tea.', labels: [preference()] }))
  expect(possiblyRelevant([hit], NOMIC, MAY)).toEqual({
    kind: 'relevant',
    heading: 'Possibly relevant; may be unrelated, verify before use:',
    lines: [{ text: '- – Ana likes tea. (recorded 2026-05-01; current; you said)', memoryIds: ['Ana likes tea.'] }],
  })
})

describe('the automatic floor, 0.62', () => {
  test.each([
    { best: 0.619999999, shown: [] },
    { best: 0.62, shown: ['a'] },
    { best: 0.620000001, shown: ['a'] },
  ])('the best at $best shows $shown', ({ best, shown }) => {
    expect(shownIds([ranked(best, memory({ text: 'a' })), ranked(0.3, memory({ text: 'b' }))])).toEqual(shown)
  })

  test('nothing ranked, nothing shown', () => {
    expect(possiblyRelevant([], NOMIC, MAY)).toBeUndefined()
  })
})

describe('the window below the best, 0.04', () => {
  test.each([
    { best: 0.7, other: 0.660000001, shown: true },
    { best: 0.7, other: 0.66, shown: true },
    { best: 0.7, other: 0.659999999, shown: false },
    { best: 0.66, other: 0.62, shown: true }, // 0.66 - 0.62 is 0.040000000000000036
    { best: 0.63, other: 0.6, shown: true }, // it is the best that has to reach the floor
    { best: 0.63, other: 0.589999999, shown: false },
  ])('$other beside $best', ({ best, other, shown }) => {
    const hits = [ranked(best, memory({ text: 'a' })), ranked(other, memory({ text: 'b' }))]
    expect(shownIds(hits)).toEqual(shown ? ['a', 'b'] : ['a'])
  })
})

test.each([
  { count: 2, shown: ['m0', 'm1'] },
  { count: 3, shown: ['m0', 'm1', 'm2'] },
  { count: 4, shown: ['m0', 'm1', 'm2'] },
])('of $count near ones at most three are shown', ({ count, shown }) => {
  const hits = Array.from({ length: count }, (_, at) => ranked(0.8 - at / 1_000, memory({ text: `m${at}` })))
  expect(shownIds(hits)).toEqual(shown)
})

describe('a model whose words weigh', () => {
  const weak = { ...NOMIC, lexicalWeight: 0.5 }
  test.each([
    { score: 0.929, shown: [] },
    { score: 0.93, shown: ['a'] },
  ])('has scores on a longer scale: $score', ({ score, shown }) => {
    expect(shownIds([ranked(score, memory({ text: 'a' }))], MAY, weak)).toEqual(shown)
  })
})

test('what waits for its vector is neither the best nor shown', () => {
  const waits = rankedByWords(0.9, memory({ text: 'waits' }))
  expect(shownIds([waits])).toEqual([])
  expect(shownIds([waits, ranked(0.7, memory({ text: 'a' }))])).toEqual(['a'])
})

describe('what stands is chosen first', () => {
  const standing = [0.78, 0.77, 0.765].map((score, at) => ranked(score, memory({ text: `stands ${at}` })))
  test.each([
    { name: 'superseded', given: memory({ text: 'x', supersededBy: 'y' }) },
    { name: 'ended', given: memory({ text: 'x', type: 'event', dueAt: '2026-05-19' }) },
    { name: 'done', given: memory({ text: 'x', type: 'task', status: 'done' }) },
  ])('before what is $name, even if that ranks best', ({ given }) => {
    const best = ranked(0.8, given)
    expect(shownIds([best, ...standing])).toEqual(['stands 0', 'stands 1', 'stands 2'])
    expect(new Set(shownIds([best, ...standing.slice(0, 2)]))).toEqual(new Set(['stands 0', 'stands 1', 'x']))
  })

  test('and the best of history sets the window all the same', () => {
    const best = ranked(0.8, memory({ text: 'old', supersededBy: 'new' }))
    expect(shownIds([best, ranked(0.75, memory({ text: 'far' }))])).toEqual(['old'])
  })
})

describe('the same content', () => {
  test('is shown once, as the better hit', () => {
    const twice = ['a', 'b'].map((id, at) => ranked(0.8 - at / 100, memory({ id, text: 'Tea.' })))
    expect(shownIds([...twice].reverse())).toEqual(['a'])
  })

  test('is shown as the one that stands', () => {
    const old = ranked(0.8, memory({ id: 'old', text: 'Tea.', supersededBy: 'x' }))
    expect(shownIds([old, ranked(0.77, memory({ id: 'new', text: 'Tea.' }))])).toEqual(['new'])
  })

  test('leaves room for others', () => {
    const same = ['a', 'b', 'c'].map((id) => ranked(0.8, memory({ id, text: 'Tea.' })))
    expect(shownIds([...same, ranked(0.77, memory({ text: 'd' }))])).toEqual(['a', 'd'])
  })

  test('opposites stand together', () => {
    expect(
      linesOf([ranked(0.8, memory({ text: 'Ana eats fish.' })), ranked(0.8, memory({ text: 'Ana eats no fish.' }))]),
    ).toHaveLength(2)
  })
})

test('lines stand in the order of their recording, then of ids', () => {
  const hits = [
    ranked(0.8, memory({ text: 'c', createdAt: '2026-05-03T00:00:00.000Z' })),
    ranked(0.79, memory({ text: 'b', createdAt: '2026-05-02T00:00:00.000Z' })),
    ranked(0.785, memory({ text: 'a', createdAt: '2026-05-02T00:00:00.000Z' })),
  ]
  expect(shownIds(hits)).toEqual(['a', 'b', 'c'])
})

describe('how a memory stands', () => {
  const ended = { validTo: '2026-05-19' }
  test.each([
    { name: 'a note', given: { text: 'x' }, says: 'current' },
    { name: 'a note with a due day', given: { text: 'x', dueAt: '2026-05-02' }, says: 'current' },
    { name: 'a superseded note', given: { text: 'x', supersededBy: 'y' }, says: 'superseded' },
    { name: 'an invalidated note', given: { text: 'x', status: 'invalidated' }, says: 'superseded' },
    { name: 'a fact that ended', given: { text: 'x', labels: [fact(ended)] }, says: 'ended 2026-05-19; you said' },
    { name: 'a note that is done', given: { text: 'x', status: 'done' }, says: 'ended' },
    { name: 'an event to come', given: { text: 'x', type: 'event', dueAt: '2026-05-20' }, says: 'current' },
    {
      name: 'an event of yesterday',
      given: { text: 'x', type: 'event', dueAt: '2026-05-19' },
      says: 'ended 2026-05-19',
    },
    { name: 'an open task', given: { text: 'x', type: 'task' }, says: 'task/plan recorded' },
    { name: 'an overdue task', given: { text: 'x', type: 'task', dueAt: '2026-05-02' }, says: 'task/plan recorded' },
    { name: 'a scheduled task', given: { text: 'x', type: 'task', status: 'scheduled' }, says: 'task/plan recorded' },
    { name: 'a done task', given: { text: 'x', type: 'task', status: 'done' }, says: 'ended' },
    { name: 'a migrated task', given: { text: 'x', type: 'task', status: 'migrated' }, says: 'ended' },
    { name: 'a superseded task', given: { text: 'x', type: 'task', supersededBy: 'y' }, says: 'superseded' },
    {
      name: 'a task that the owner stated',
      given: { text: 'x', type: 'task', isInsight: true, labels: [preference()] },
      says: 'task/plan recorded; insight; you said',
    },
    { name: 'an insight', given: { text: 'x', isInsight: true }, says: 'current; insight' },
  ] as const)('$name is $says', ({ given, says }) => {
    const line = lineOf(memory(given))
    expect(line).toBe(`- – x (recorded 2026-05-01; ${says})`)
    expect(line).not.toMatch(/\[[ x<>~]\]/)
  })

  test.each([
    { timeZone: 'UTC', at: '2026-05-20T23:59:59.999Z', ended: false },
    { timeZone: 'UTC', at: '2026-05-21T00:00:00.000Z', ended: true },
    { timeZone: 'Asia/Kathmandu', at: '2026-05-20T18:14:59.999Z', ended: false },
    { timeZone: 'Asia/Kathmandu', at: '2026-05-20T18:15:00.000Z', ended: true },
    { timeZone: 'America/New_York', at: '2026-05-21T03:59:59.999Z', ended: false },
    { timeZone: 'America/New_York', at: '2026-05-21T04:00:00.000Z', ended: true },
  ])('an event due on 2026-05-20 has ended at $at in $timeZone: $ended', ({ timeZone, at, ended: hasEnded }) => {
    const line = lineOf(memory({ text: 'x', type: 'event', dueAt: '2026-05-20' }), vantage(at, timeZone))
    expect(line).toContain(hasEnded ? '; ended 2026-05-20)' : '; current)')
  })

  test.each([
    { due: '2011-12-29', at: '2011-12-30T09:59:59.999Z', ended: false },
    { due: '2011-12-29', at: '2011-12-30T10:00:00.000Z', ended: true }, // Apia went on with 31 December
    { due: '2011-12-30', at: '2011-12-30T10:00:00.000Z', ended: true }, // a day that it never had
  ])('in Apia, what was due on $due has ended at $at: $ended', ({ due, at, ended: hasEnded }) => {
    const line = lineOf(memory({ text: 'x', type: 'event', dueAt: due }), vantage(at, 'Pacific/Apia'))
    expect(line).toContain(hasEnded ? `; ended ${due})` : '; current)')
  })

  test('the day of recording is that of UTC, whatever the zone', () => {
    const late = memory({ text: 'x', createdAt: '2026-05-01T23:30:00.000Z' })
    expect(lineOf(late, vantage('2026-05-20T00:00:00.000Z', 'Pacific/Apia'))).toContain('recorded 2026-05-01;')
  })
})

describe('who vouches for it', () => {
  const labelled = (...labels: MemoryLabel[]) => memory({ text: 'x', labels })
  test.each([
    { name: 'no label', given: memory({ text: 'x' }), says: '' },
    { name: 'the owner', given: labelled(fact(), preference()), says: '; you said' },
    { name: 'a document', given: labelled(fact({ attribution: 'document' })), says: '; from a document' },
    { name: 'the assistant', given: labelled(preference('agent', 'assistant-inferred')), says: '; assistant noted' },
    { name: 'nobody known', given: labelled(fact({ attribution: 'unknown' })), says: '' },
    { name: 'two that differ', given: labelled(fact(), fact({ attribution: 'document' })), says: '' },
    { name: 'one that is unknown', given: labelled(fact(), fact({ attribution: 'unknown' })), says: '' },
    { name: 'a lesson, which has none', given: labelled(lesson()), says: '' },
    { name: 'a lesson beside a preference', given: labelled(lesson(), preference()), says: '; you said' },
    { name: 'the line', given: memory({ text: 'x', attribution: 'assistant-inferred' }), says: '; assistant noted' },
    {
      name: 'a line that differs from its label',
      given: memory({ text: 'x', attribution: 'assistant-inferred', labels: [fact()] }),
      says: '',
    },
    {
      name: 'an unknown conversation',
      given: withoutConversation(memory({ text: 'x' })),
      says: '; source conversation unknown',
    },
    {
      name: 'the owner, in an unknown conversation',
      given: withoutConversation(labelled(fact())),
      says: '; you said; source conversation unknown',
    },
  ])('$name', ({ given, says }) => {
    expect(lineOf(given)).toBe(`- – x (recorded 2026-05-01; current${says})`)
  })

  test('a conversation that is known is never named', () => {
    expect(lineOf(memory({ text: 'x', conversationId: 'secret#2026-05-01' }))).not.toContain('secret')
  })
})

describe('the text of a line, 360 bytes', () => {
  test.each([
    { text: 'x'.repeat(359), cut: 'x'.repeat(359) },
    { text: 'x'.repeat(360), cut: 'x'.repeat(360) },
    { text: 'x'.repeat(361), cut: `${'x'.repeat(357)}…` },
    { text: 'ä'.repeat(180), cut: 'ä'.repeat(180) },
    { text: 'ä'.repeat(181), cut: `${'ä'.repeat(178)}…` },
  ])('is cut to $cut', ({ text, cut }) => {
    expect(lineOf(memory({ id: 'x', text }))).toBe(`- – ${cut} (recorded 2026-05-01; current)`)
  })

  test('three of the longest lines fit into the budget of the block', () => {
    const longest = ['a', 'b', 'c'].map((id) =>
      ranked(
        0.8,
        withoutConversation(
          memory({
            id,
            text: id.repeat(2_048),
            type: 'task',
            isInsight: true,
            labels: [preference('agent', 'assistant-inferred')],
          }),
        ),
      ),
    )
    const block = possiblyRelevant(longest, NOMIC, MAY)
    expect(block?.lines).toHaveLength(3)
    const { blocks } = composeContext(block === undefined ? [] : [block], { maxBytes: 64_000 })
    expect(blocks[0]?.lines).toEqual(block?.lines)
    expect(MAX_RELEVANT_BYTES).toBe(1_536)
  })
})

describe('intent expiry', () => {
  test.each([
    { name: 'a dated note, before its day', given: { dueAt: '2027-01-01' }, left: true },
    { name: 'a dated note, after it', given: { dueAt: '2026-01-01' }, left: true },
    { name: 'a done note', given: { status: 'done' }, left: true },
    { name: 'a dropped note', given: { status: 'dropped' }, left: true },
    { name: 'a scheduled note', given: { status: 'scheduled' }, left: false },
    { name: 'an undated note', given: {}, left: false },
    { name: 'a dated event', given: { type: 'event', dueAt: '2027-01-01' }, left: false },
    { name: 'a dated task', given: { type: 'task', dueAt: '2027-01-01' }, left: false },
    { name: 'a done task', given: { type: 'task', status: 'done' }, left: false },
  ] as const)('leaves out $name: $left', ({ given, left }) => {
    const hits = [ranked(0.8, memory({ text: 'x', ...given }))]
    expect(shownIds(hits, { ...MAY, intentExpiry: true })).toEqual(left ? [] : ['x'])
    expect(shownIds(hits, MAY)).toEqual(['x'])
  })

  test('what is left out is not the best either', () => {
    const hits = [ranked(0.8, memory({ text: 'x', dueAt: '2027-01-01' })), ranked(0.7, memory({ text: 'y' }))]
    expect(shownIds(hits, { ...MAY, intentExpiry: true })).toEqual(['y'])
  })
})

const hits = fc.uniqueArray(
  fc.record({
    id: fc.integer({ min: 0, max: 30 }),
    score: fc.integer({ min: 580, max: 700 }).map((score) => score / 1_000),
    text: fc.constantFrom('a', 'b', 'c', 'd'),
    day: fc.integer({ min: 10, max: 28 }),
    isOld: fc.boolean(),
  }),
  { selector: ({ id }) => id, maxLength: 12 },
)
const rowsOf = (given: readonly { id: number; score: number; text: string; day: number; isOld: boolean }[]) =>
  given.map(({ id, score, text, day, isOld }) =>
    ranked(
      score,
      memory({
        id: `m${id}`,
        text,
        createdAt: `2026-04-${day}T00:00:00.000Z`,
        ...(isOld ? { supersededBy: 'x' } : {}),
      }),
    ),
  )

test('the same hits give the same bytes, in whatever order they come', () => {
  fc.assert(
    fc.property(hits, fc.infiniteStream(fc.nat()), (given, order) => {
      const rows = rowsOf(given)
      const shuffled = rows
        .map((row) => ({ row, at: order.next().value as number }))
        .sort((a, b) => a.at - b.at)
        .map(({ row }) => row)
      expect(JSON.stringify(possiblyRelevant(shuffled, NOMIC, MAY))).toBe(
        JSON.stringify(possiblyRelevant(rows, NOMIC, MAY)),
      )
    }),
  )
})

test('it shows what a reading of the rule one by one shows', () => {
  fc.assert(
    fc.property(hits, (given) => {
      const best = Math.max(0, ...given.map(({ score }) => score))
      const expected: typeof given = []
      const near = given.filter(({ score }) => Math.round((best - score) * 1_000) <= 40)
      for (const isOld of [false, true]) {
        const left = near.filter((hit) => hit.isOld === isOld)
        while (left.length > 0) {
          const top = left.reduce((a, b) =>
            b.score > a.score || (b.score === a.score && `m${b.id}` < `m${a.id}`) ? b : a,
          )
          left.splice(left.indexOf(top), 1)
          if (expected.length < 3 && expected.every(({ text }) => text !== top.text)) expected.push(top)
        }
      }
      const ids = (best < 0.62 ? [] : expected)
        .sort((a, b) => a.day - b.day || (`m${a.id}` < `m${b.id}` ? -1 : 1))
        .map(({ id }) => `m${id}`)
      expect(shownIds(rowsOf(given))).toEqual(ids)
    }),
    { numRuns: 500 },
  )
})
