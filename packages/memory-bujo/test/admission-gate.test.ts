import type { CompletedTurn, TurnSource } from '@mono-agent/memory-store'
import { describe, expect, test } from 'vitest'
import { skipReason } from '../src/admission-gate.js'

const TURN: CompletedTurn = { runId: 'r1', conversationId: 'c1', summary: 'The report is done.' }
const switches = { cron: true, webhook: true, intentLifecycle: false, language: 'speaker' }

describe('turns are skipped by their source (CAP-22)', () => {
  const of = (kind: TurnSource['kind'] | undefined): CompletedTurn => ({
    ...TURN,
    ...(kind === undefined ? {} : { source: { kind } }),
  })
  const kinds = [undefined, 'conversation', 'cron', 'webhook', 'peer'] as const
  test.each([
    { off: 'nothing', capture: switches, skipped: [] },
    { off: 'no block', capture: undefined, skipped: [] },
    { off: 'cron', capture: { ...switches, cron: false }, skipped: ['cron'] },
    { off: 'webhook', capture: { ...switches, webhook: false }, skipped: ['webhook'] },
    { off: 'both', capture: { ...switches, cron: false, webhook: false }, skipped: ['cron', 'webhook'] },
  ])('$off off', ({ capture, skipped }) => {
    for (const kind of kinds) {
      const expected = skipped.some((off) => off === kind) ? 'source_off' : undefined
      expect(skipReason(of(kind), { writeMode: 'capture', capture })).toBe(expected)
    }
  })

  test.each([
    ['a run id', { runId: 'cron:nightly-1' }],
    ['a conversation', { conversationId: 'cron' }],
    ['a label', { source: { kind: 'conversation', label: 'cron' } }],
    ['a text', { summary: 'cron: the nightly report' }],
    ['a speaker kind', { captureSpeakerKind: 'trigger' }],
  ] as const)('%s that looks like one is none', (_name, given) => {
    const capture = { ...switches, cron: false, webhook: false }
    expect(skipReason({ ...TURN, ...given }, { writeMode: 'capture', capture })).toBeUndefined()
  })
})

describe('turns are skipped for other reasons (CAP-4, INT-14)', () => {
  const off = { ...switches, cron: false }
  test.each([
    [
      'a disabled store before all else',
      { ...TURN, source: { kind: 'cron' }, finalAnswer: 'NOTHING_TO_REPORT' },
      'disabled',
      'write_disabled',
    ],
    [
      'its source before its signal',
      { ...TURN, source: { kind: 'cron' }, finalAnswer: 'NOTHING_TO_REPORT' },
      'capture',
      'source_off',
    ],
    ['a low signal', { ...TURN, finalAnswer: 'NOTHING_TO_REPORT' }, 'capture', 'low_signal'],
    ['no text', { ...TURN, summary: ' \u200b\n' }, 'capture', 'empty'],
    ['none', TURN, 'capture', undefined],
  ] as const)('%s', (_name, turn, writeMode, expected) => {
    expect(skipReason(turn, { writeMode, capture: off })).toBe(expected)
  })
})
