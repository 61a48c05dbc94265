import type { CompletedTurn } from '@mono-agent/memory-store'
import { describe, expect, test } from 'vitest'
import { REDACTION } from '../../src/credentials.js'
import { markDeliveredMemory } from '../../src/capture/policy/delivered.js'
import { viewTurn } from '../../src/capture/turn-view.js'

// Put together at run time, so that no scanner takes this file for a leak.
const GITHUB = ['ghp', 'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'].join('_')

const TURN: CompletedTurn = {
  runId: 'r1',
  conversationId: 'web:1',
  summary: 'User asked for tea. Assistant agreed.',
  captureText: 'I like tea.\nSo do I.',
  captureSpeakerKind: 'human-turn',
  captureEvidence: { userText: 'I like tea.', ownerTurn: true, senderToken: 'tok1' },
}
const view = (given: Partial<CompletedTurn> = {}) =>
  viewTurn({
    id: 'a'.repeat(64),
    order: 1,
    admittedAt: '2026-09-08T09:00:00.000Z',
    attempts: 0,
    turn: { ...TURN, ...given },
  })

test('a turn of the owner, as it is', async () => {
  expect(await view()).toEqual({
    id: 'a'.repeat(64),
    admittedAt: '2026-09-08T09:00:00.000Z',
    anchor: '2026-09-08T09:00:00.000Z',
    timeZone: 'UTC',
    text: 'I like tea.\nSo do I.',
    userText: 'I like tea.',
    speakerKind: 'human-turn',
    isOwnerTurn: true,
    senderToken: 'tok1',
    toolOutcomes: [],
    sourceKind: 'conversation',
    conversationId: 'web:1',
  })
})

describe('who spoke is what the host verified (CAP-9)', () => {
  test.each([
    ['human-turn', true, 'human-turn', true, true],
    ['human-turn', false, 'human-turn', false, true],
    ['human-turn', undefined, 'human-turn', false, true],
    ['unknown', true, 'unknown', false, false],
    ['trigger', true, 'trigger', false, false],
    [undefined, true, 'unknown', false, false],
  ] as const)('%s, ownerTurn %s', async (kind, ownerTurn, speakerKind, isOwnerTurn, isHuman) => {
    const { captureSpeakerKind: _kind, ...turn } = TURN
    const seen = await viewTurn({
      id: 'a'.repeat(64),
      order: 1,
      admittedAt: '2026-09-08T09:00:00.000Z',
      attempts: 0,
      turn: {
        ...turn,
        ...(kind === undefined ? {} : { captureSpeakerKind: kind }),
        captureEvidence: {
          userText: 'I like tea.',
          senderToken: 'tok1',
          ...(ownerTurn === undefined ? {} : { ownerTurn }),
        },
      },
    })
    expect(seen).toMatchObject({ speakerKind, isOwnerTurn })
    expect(seen.userText).toBe(isHuman ? 'I like tea.' : undefined)
    expect(seen.senderToken).toBe(isHuman ? 'tok1' : undefined)
  })

  test.each([
    ['a human turn without evidence', {}, undefined, false],
    ['whose words are blank', { userText: ' \n', ownerTurn: true }, undefined, true],
  ])('%s', async (_name, captureEvidence, userText, isOwnerTurn) => {
    expect(await view({ captureEvidence })).toMatchObject({ isOwnerTurn })
    expect((await view({ captureEvidence })).userText).toBe(userText)
  })
})

describe('scheduled and webhook turns (CAP-10)', () => {
  test.each([
    ['cron', 'scheduled task'],
    ['webhook', 'webhook'],
  ] as const)('%s: the answer alone, under an honest label', async (kind, sourceLabel) => {
    const seen = await view({ source: { kind, label: 'User' } })
    expect(seen).toMatchObject({
      text: TURN.summary,
      speakerKind: 'trigger',
      isOwnerTurn: false,
      sourceKind: kind,
      sourceLabel,
    })
    expect(seen).not.toHaveProperty('userText')
    expect(seen).not.toHaveProperty('senderToken')
  })

  test.each([
    ['conversation', 'Desk', 'Desk'],
    ['peer', ' The\n other   agent ', 'The other agent'],
    ['peer', 'x'.repeat(200), 'x'.repeat(128)],
    ['peer', GITHUB, REDACTION],
    ['peer', ' \u200b', undefined],
  ] as const)('%s keeps what the host calls it: %#', async (kind, label, sourceLabel) => {
    const seen = await view({ source: { kind, label } })
    expect(seen).toMatchObject({ text: TURN.captureText, speakerKind: 'human-turn', sourceKind: kind })
    expect(seen.sourceLabel).toBe(sourceLabel)
  })
})

describe('what is no evidence', () => {
  const line = '- – Morgan prefers green tea. (recorded 2026-05-01)'
  test('delivered memory is gone, also from the user’s words (CAP-28)', async () => {
    const marked = markDeliveredMemory(`I like tea.\n${line}`, [line])
    const seen = await view({ captureText: `${marked}\nSo do I.`, captureEvidence: { userText: marked } })
    expect(seen.text).toBe('I like tea.\n\n\nSo do I.')
    expect(seen.userText).toBe('I like tea.\n\n')
  })

  test('a turn that only repeats memory says nothing', async () => {
    const marked = markDeliveredMemory(line, [line])
    const seen = await view({ captureText: marked, captureEvidence: { userText: marked } })
    expect(seen.text).toBe('')
    expect(seen).not.toHaveProperty('userText')
  })

  test('a credential in a delivered line goes with it, one elsewhere is redacted (CAP-25)', async () => {
    const secret = `- – The key is ${GITHUB}.`
    const marked = markDeliveredMemory(`${secret}\nMine is ${GITHUB}.`, [secret])
    const seen = await view({ captureText: marked, captureEvidence: { userText: `Mine is ${GITHUB}.` } })
    expect(seen.text.trim()).toBe(`Mine is ${REDACTION}.`)
    expect(seen.userText).toBe(`Mine is ${REDACTION}.`)
  })
})

describe('what was said', () => {
  test('is the summary where there is no text', async () => {
    const { captureText: _captureText, captureEvidence: _captureEvidence, ...turn } = TURN
    const seen = await viewTurn({ id: 'a'.repeat(64), order: 1, admittedAt: TURN.summary, attempts: 0, turn })
    expect(seen.text).toBe(TURN.summary)
  })

  test.each([
    ['stands in it', 'So:\nI  like tea.', 'So:\nI  like tea.'],
    ['does not', 'So do I.', 'I like tea.\n\nSo do I.'],
  ])('holds the user’s words where that text %s', async (_name, captureText, text) => {
    expect((await view({ captureText })).text).toBe(text)
  })
})

describe('time (CAP-17)', () => {
  test.each([
    ['its admission', undefined, undefined, '2026-09-08T09:00:00.000Z', 'UTC'],
    [
      'its own instant',
      '2026-05-01T09:00:00+02:00',
      'Europe/Stockholm',
      '2026-05-01T07:00:00.000Z',
      'Europe/Stockholm',
    ],
    ['a zone that is none', undefined, 'Mars/Olympus', '2026-09-08T09:00:00.000Z', 'UTC'],
    ['no zone', undefined, '', '2026-09-08T09:00:00.000Z', 'UTC'],
  ] as const)('%s', async (_name, occurredAt, timeZone, anchor, zone) => {
    const seen = await view({
      ...(occurredAt === undefined ? {} : { occurredAt }),
      ...(timeZone === undefined ? {} : { timeZone }),
    })
    expect(seen).toMatchObject({ anchor, timeZone: zone })
    expect(seen.occurredAt).toBe(occurredAt === undefined ? undefined : anchor)
  })
})

describe('a conversation that a line cannot hold is unknown (FMT-3)', () => {
  test.each([
    ['of 512 bytes', 'x'.repeat(512), true],
    ['of 513 bytes', 'x'.repeat(513), false],
    ['empty', '', false],
  ])('%s', async (_name, conversationId, isKnown) => {
    expect((await view({ conversationId })).conversationId).toBe(isKnown ? conversationId : undefined)
  })
})
