import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { CompletedTurn } from '@mono-agent/memory-store'
import { canonicalTurn, payloadHash, turnId } from '../../src/format/canonical-turn.js'
import { validateTurn } from '../../src/policy/validate-turn.js'

const golden = (name: string): string => readFileSync(new URL(`../golden/${name}`, import.meta.url), 'utf8')

const SMALL: CompletedTurn = { summary: '', runId: 'r1', conversationId: '' }
const FULL: CompletedTurn = {
  timeZone: 'Asia/Tokyo',
  summary: 'Zoë said: “しりとり” 🍵\n\u2028 and a lone \ud800 half',
  speaker: 'Zoë',
  source: { label: 'nightly', kind: 'cron' },
  runId: 'run/é/1',
  occurredAt: '2026-05-01T09:00:00.5+09:00',
  finalAnswer: 'not stored',
  conversationId: 'web:b1f2',
  captureText: 'tab\tquote" backslash\\',
  captureSpeakerKind: 'human-turn',
  captureEvidence: {
    userText: 'e\u0301 is not é',
    toolOutcomes: [
      { outcome: 'succeeded', category: 'mail' },
      { category: 'calendar', outcome: 'failed' },
    ],
    senderToken: 's',
    ownerTurn: false,
  },
}

describe('recipe 1 (INT-2)', () => {
  test.each([
    { name: 'canonical-turn.small.json', turn: SMALL },
    { name: 'canonical-turn.full.json', turn: FULL },
  ])('$name is pinned, byte for byte', ({ name, turn }) => {
    expect(`${canonicalTurn(turn)}\n`).toBe(golden(name))
  })

  test('the hashes are pinned', () => {
    expect(payloadHash(canonicalTurn(SMALL))).toBe('a94901a6581555870258e755c6c6deb8c5038febbffad91d5aefd0c7b6a947ae')
    expect(payloadHash(canonicalTurn(FULL))).toBe('cabc03525473f49db97cfe447118cca46d8e59be73207364bb334d6e1b880947')
    expect(turnId('r1')).toBe(createHash('sha256').update('r1', 'utf8').digest('hex'))
    expect(turnId('é')).toBe(
      createHash('sha256')
        .update(Buffer.from([0xc3, 0xa9]))
        .digest('hex'),
    )
  })

  test.each<{ name: string; a: Partial<CompletedTurn>; b: Partial<CompletedTurn>; same: boolean }>([
    {
      name: 'the order of properties',
      a: { speaker: 'A', timeZone: 'UTC' },
      b: { timeZone: 'UTC', speaker: 'A' },
      same: true,
    },
    { name: 'undefined and absent', a: { speaker: undefined } as never, b: {}, same: true },
    { name: 'the final answer', a: { finalAnswer: 'x' }, b: {}, same: true },
    { name: 'a default that is spelled out', a: { captureSpeakerKind: 'unknown' }, b: {}, same: false },
    { name: 'an empty text and none', a: { captureText: '' }, b: {}, same: false },
    { name: 'an empty object and none', a: { captureEvidence: {} }, b: {}, same: false },
    { name: 'normalisation forms', a: { summary: 'é' }, b: { summary: 'e\u0301' }, same: false },
    { name: 'case', a: { summary: 'A' }, b: { summary: 'a' }, same: false },
    { name: 'lone surrogates', a: { summary: '\ud800' }, b: { summary: '\udfff' }, same: true },
    { name: 'a lone surrogate and U+FFFD', a: { speaker: '\ud800' }, b: { speaker: '\ufffd' }, same: true },
  ])('$name: the same payload $same', ({ a, b, same }) => {
    const [first, second] = [canonicalTurn({ ...SMALL, ...a }), canonicalTurn({ ...SMALL, ...b })]
    expect(first === second).toBe(same)
  })

  const text = fc.string({ unit: 'binary' })
  const turns = fc.record(
    {
      runId: fc.string({ minLength: 1, maxLength: 100 }),
      conversationId: fc.string(),
      summary: text,
      captureText: text,
      captureSpeakerKind: fc.constantFrom('human-turn' as const, 'trigger' as const, 'unknown' as const),
      captureEvidence: fc.record(
        {
          userText: text,
          ownerTurn: fc.boolean(),
          senderToken: text,
          toolOutcomes: fc.array(
            fc.record({ category: text, outcome: fc.constantFrom('succeeded' as const, 'failed' as const) }),
          ),
        },
        { requiredKeys: [] },
      ),
      source: fc.record(
        { kind: fc.constantFrom('conversation' as const, 'peer' as const), label: text },
        { requiredKeys: ['kind'] },
      ),
      speaker: text,
    },
    { requiredKeys: ['runId', 'conversationId', 'summary'] },
  )

  test('what was read back makes the same payload', () => {
    fc.assert(
      fc.property(turns, (turn) => {
        const canonical = canonicalTurn(validateTurn(turn))
        expect(canonicalTurn(validateTurn(JSON.parse(canonical)))).toBe(canonical)
        expect(Buffer.from(canonical, 'utf8').toString('utf8')).toBe(canonical)
        expect(canonical).not.toContain('\n')
      }),
    )
  })
})
