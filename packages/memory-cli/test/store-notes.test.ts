import { expect, test } from 'vitest'
import type { ContractReason, MemoryEvent } from '@mono-agent/memory-bujo'
import { createStoreNotes } from '../src/output/store-notes.js'

const failed = (code: string, turns: number): MemoryEvent => ({
  kind: 'projection_failed',
  code,
  attemptCounted: true,
  turns,
})
const refused = (reason: ContractReason, place: string): MemoryEvent => ({
  kind: 'projection_failed',
  code: 'model_output_invalid',
  reason,
  place,
  attemptCounted: true,
  turns: 1,
})

test.each<{ name: string; events: MemoryEvent[]; redacted?: number; lines: string[] }>([
  { name: 'nothing', events: [{ kind: 'index_built', generation: 'g1-0', indexed: 1 }], lines: [] },
  { name: 'credentials', events: [], redacted: 2, lines: ['warning: 2 credentials left out of what was stored'] },
  {
    name: 'failures of one code together',
    events: [failed('file_busy', 2), failed('storage_failed', 1), failed('file_busy', 3)],
    lines: ['warning: 5 turns delayed by file_busy', 'warning: 1 turn delayed by storage_failed'],
  },
  {
    name: 'why answers of a model were refused',
    events: [
      refused('missing_field', 'extract: memories[0].type'),
      refused('missing_field', 'extract: memories[0].type'),
      refused('not_json', 'review'),
    ],
    lines: [
      'warning: 2 turns delayed by model_output_invalid: missing_field (extract: memories[0].type)',
      'warning: 1 turn delayed by model_output_invalid: not_json (review)',
    ],
  },
  {
    name: 'an edited day once',
    events: [1, 2].map(() => ({ kind: 'day_file_drifted', file: 'daily/2026-03-02.md' }) as const),
    lines: ['note: daily/2026-03-02.md was edited by someone else; the edit was kept'],
  },
  {
    name: 'what was removed by hand',
    events: [{ kind: 'intake_unaccounted', entries: 1 }],
    lines: ['warning: intake_unaccounted: 1 ledger entry without a record'],
  },
])('says $name', ({ events, redacted = 0, lines }) => {
  const notes = createStoreNotes()
  events.forEach(notes.add)
  expect(notes.lines(redacted)).toEqual(lines)
})
