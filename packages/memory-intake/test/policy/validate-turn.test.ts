import { describe, expect, test } from 'vitest'
import { IntakeError, validateTurn } from '@mono-agent/memory-intake'

const VALID = { runId: 'r1', conversationId: 'web:1', summary: 'Private words.' }
const BYTES_512 = `${'é'.repeat(255)}xy`

describe('accepted', () => {
  test.each<{ name: string; more: Record<string, unknown> }>([
    { name: 'no more than it must have', more: {} },
    { name: 'an empty summary', more: { summary: '' } },
    { name: 'a run id of one byte', more: { runId: 'r' } },
    { name: 'a run id of 512 bytes', more: { runId: BYTES_512 } },
    { name: 'a run id with an emoji', more: { runId: '🍵' } },
    { name: 'an empty conversation id', more: { conversationId: '' } },
    { name: 'ill-formed text', more: { summary: '\ud800', captureText: '\udfff' } },
    { name: 'every kind of speaker', more: { captureSpeakerKind: 'trigger' } },
    { name: 'empty evidence', more: { captureEvidence: {} } },
    {
      name: 'evidence',
      more: { captureEvidence: { userText: '', ownerTurn: true, senderToken: 's', toolOutcomes: [] } },
    },
    { name: 'a source', more: { source: { kind: 'peer' } } },
    { name: 'an instant in UTC', more: { occurredAt: '2026-05-01T09:00:00Z' } },
    { name: 'an instant with offset and fraction', more: { occurredAt: '2024-02-29T23:59:59.123456789-11:30' } },
    { name: 'a zone', more: { timeZone: 'America/Argentina/Buenos_Aires' } },
    { name: 'UTC', more: { timeZone: 'UTC' } },
    { name: 'a final answer', more: { finalAnswer: '' } },
  ])('$name', ({ more }) => expect(validateTurn({ ...VALID, ...more })).toEqual({ ...VALID, ...more }))

  test('what is undefined is absent, at every level', () => {
    const turn = validateTurn({ ...VALID, speaker: undefined, captureEvidence: { userText: undefined } })
    expect('speaker' in turn).toBe(false)
    expect('userText' in (turn.captureEvidence ?? {})).toBe(false)
  })
})

describe('refused, naming the field and never its value', () => {
  test.each<{ name: string; more: Record<string, unknown>; says: RegExp }>([
    { name: 'no run id', more: { runId: undefined }, says: /runId must be a string/ },
    { name: 'an empty run id', more: { runId: '' }, says: /runId must have 1 to 512 UTF-8 bytes/ },
    { name: 'a run id of 513 bytes', more: { runId: `${BYTES_512}z` }, says: /runId must have 1 to 512/ },
    { name: 'a run id that is a number', more: { runId: 7 }, says: /runId must be a string/ },
    { name: 'an ill-formed run id', more: { runId: 'Private\ud800' }, says: /runId must be well-formed/ },
    {
      name: 'an ill-formed conversation id',
      more: { conversationId: '\udc00' },
      says: /conversationId must be well-formed/,
    },
    { name: 'no conversation id', more: { conversationId: undefined }, says: /conversationId must be a string/ },
    { name: 'a summary that is null', more: { summary: null }, says: /summary must be a string/ },
    {
      name: 'a capture text that is an array',
      more: { captureText: ['Private'] },
      says: /captureText must be a string/,
    },
    {
      name: 'an unknown speaker kind',
      more: { captureSpeakerKind: 'Private' },
      says: /captureSpeakerKind must be one of human-turn, trigger, unknown/,
    },
    { name: 'evidence that is text', more: { captureEvidence: 'Private' }, says: /captureEvidence must be an object/ },
    {
      name: 'an owner turn that is text',
      more: { captureEvidence: { ownerTurn: 'true' } },
      says: /captureEvidence\.ownerTurn must be a boolean/,
    },
    {
      name: 'outcomes that are no list',
      more: { captureEvidence: { toolOutcomes: {} } },
      says: /toolOutcomes must be an array/,
    },
    {
      name: 'an unknown outcome',
      more: { captureEvidence: { toolOutcomes: [{ category: 'a', outcome: 'x' }] } },
      says: /captureEvidence\.toolOutcomes\.0\.outcome must be one of/,
    },
    { name: 'a source without kind', more: { source: { label: 'Private' } }, says: /source\.kind/ },
    {
      name: 'an instant without offset',
      more: { occurredAt: '2026-05-01T09:00:00' },
      says: /occurredAt must be an RFC 3339 instant/,
    },
    { name: 'a day', more: { occurredAt: '2026-05-01' }, says: /occurredAt/ },
    { name: 'a day that is none', more: { occurredAt: '2026-02-30T09:00:00Z' }, says: /occurredAt/ },
    { name: 'an unknown zone', more: { timeZone: 'Private/Place' }, says: /timeZone must be an IANA time zone/ },
    { name: 'an offset for a zone', more: { timeZone: '+02:00' }, says: /timeZone/ },
    { name: 'an empty zone', more: { timeZone: '' }, says: /timeZone/ },
    { name: 'an unknown field', more: { sumary: 'Private' }, says: /"sumary" is no field/ },
    {
      name: 'an unknown field inside',
      more: { source: { kind: 'cron', from: 'Private' } },
      says: /"source\.from" is no field/,
    },
  ])('$name', ({ more, says }) => {
    const refuse = () => validateTurn({ ...VALID, ...more })
    expect(refuse).toThrow(IntakeError)
    expect(refuse).toThrow(says)
    expect(refuse).not.toThrow(/Private/)
    expect(refuse).toThrow(expect.objectContaining({ code: 'turn_invalid', outcome: 'not_written' }) as Error)
  })

  test.each([undefined, null, 'a turn', 7, [], () => VALID])('%s is no turn', (turn) => {
    expect(() => validateTurn(turn)).toThrow(/turn/)
  })

  test('a long unknown name is cut', () => {
    expect(() => validateTurn({ ...VALID, ['x'.repeat(1_000)]: 1 })).toThrow(/"x{64}"/)
  })
})
