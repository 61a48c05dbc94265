import { expect, test } from 'vitest'
import { IngestTally, MAX_LISTED_LINES } from '../src/ingest/tally.js'
import {
  badLineDiagnostics,
  formatIngestReport,
  ingestReport,
  unfinishedDiagnostics,
} from '../src/output/ingest-report.js'

const rest = { format: 'turns', complete: true, pending: 0, dead: 0 } as const

test.each([
  { place: { line: 3 }, extra: {}, text: 'line 3: not_json' },
  { place: { line: 3, exchange: 2 }, extra: {}, text: 'line 3, exchange 2: not_json' },
  { place: { conversation: 9 }, extra: { field: 'mapping' }, text: 'conversation 9: not_json (mapping)' },
  { place: { line: 1 }, extra: { detail: 'Why.' }, text: 'line 1: not_json - Why.' },
])('a refused line reads $text', ({ place, extra, text }) => {
  const tally = new IngestTally()
  tally.addBad({ kind: 'bad', place, code: 'not_json', ...extra })
  expect(badLineDiagnostics(tally)).toEqual([text])
  expect(ingestReport(tally, rest).bad.lines).toEqual([{ ...place, code: 'not_json', ...extra }])
})

test.each([
  { count: MAX_LISTED_LINES, unlisted: 0 },
  { count: MAX_LISTED_LINES + 1, unlisted: 1 },
])('of $count refused lines $unlisted are only counted', ({ count, unlisted }) => {
  const tally = new IngestTally()
  for (let line = 1; line <= count; line += 1) tally.addBad({ kind: 'bad', place: { line }, code: 'not_json' })
  expect(ingestReport(tally, rest).bad).toMatchObject({ total: count, unlisted })
  expect(badLineDiagnostics(tally)).toHaveLength(21)
})

test('people see totals; what is zero and of no interest is left out', () => {
  const tally = new IngestTally()
  tally.admitted = 1_200
  tally.addSkipped('low_signal')
  tally.addSkipped('unanswered')
  tally.addSkipped('unanswered')
  expect(formatIngestReport(ingestReport(tally, { ...rest, dead: 1 }))).toBe(
    [
      'admitted   1,200',
      'duplicate  0',
      'skipped    3 (low_signal 1, unanswered 2)',
      'bad        0',
      'dead       1',
    ].join('\n'),
  )
})

test('turns that wait are told, and only then', () => {
  expect(unfinishedDiagnostics(rest)).toEqual([])
  expect(unfinishedDiagnostics({ pending: 2, dead: 1 })).toEqual([
    expect.stringContaining('2 turns pending and 1 dead'),
  ])
})
