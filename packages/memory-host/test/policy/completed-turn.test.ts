import { markDeliveredMemory } from '@mono-agent/memory-bujo'
import { expect, test } from 'vitest'
import type { TurnContext, TurnResult } from '../../src/index.js'
import { completedTurn } from '../../src/policy/completed-turn.js'
import { ownerTextOf } from '../../src/policy/owner-text.js'
import { parseTurn } from '../../src/turn/parse-turn.js'

const RESULT: TurnResult = {
  runId: 'r1',
  status: 'succeeded',
  summary: 'Said.',
  captureText: 'User: Hi\nAssistant: Yes.',
}
const DELIVERED = '- – The key hangs behind the door.'

interface Given {
  readonly turn?: Partial<TurnContext>
  readonly followUps?: readonly string[]
  readonly result?: Partial<TurnResult>
}

function complete({ turn: more = {}, followUps = [], result = {} }: Given) {
  const turn = parseTurn({ conversationId: 'web:1', message: '[tag] Hi', ...more })
  const ownerText = ownerTextOf(turn.message, turn.ownerText)
  const spoken = followUps.map((text) => ownerTextOf(text, undefined))
  return completedTurn({ turn, ownerText, followUps: spoken, delivered: [DELIVERED] }, { ...RESULT, ...result })
}

const OWNER: Partial<TurnContext> = { speaker: { kind: 'owner', token: 'mo', name: 'Morgan' } }

test('what the host says of a turn is handed over as it is, and nothing is filled in', () => {
  expect(complete({})).toEqual({
    runId: 'r1',
    conversationId: 'web:1',
    summary: 'Said.',
    captureText: RESULT.captureText,
    captureSpeakerKind: 'unknown',
  })
  const source = { kind: 'conversation', label: 'Telegram' } as const
  const when = { occurredAt: '2026-05-01T10:00:00+02:00', timeZone: 'Europe/Stockholm' }
  const toolOutcomes = [{ category: 'shell', outcome: 'failed' }] as const
  expect(complete({ turn: { source, ...when }, result: { toolOutcomes, finalAnswer: 'Yes.' } })).toMatchObject({
    source,
    ...when,
    finalAnswer: 'Yes.',
    captureEvidence: { toolOutcomes },
  })
})

test.each<{ name: string; turn: Partial<TurnContext>; kind: string; evidence: object | undefined }>([
  { name: 'nobody', turn: {}, kind: 'unknown', evidence: undefined },
  {
    name: 'nobody with a token',
    turn: { speaker: { kind: 'unknown', token: 't' } },
    kind: 'unknown',
    evidence: undefined,
  },
  {
    name: 'another user',
    turn: { speaker: { kind: 'user', token: 'sam' } },
    kind: 'human-turn',
    evidence: { userText: '[tag] Hi', senderToken: 'sam' },
  },
  {
    name: 'the owner',
    turn: OWNER,
    kind: 'human-turn',
    evidence: { userText: '[tag] Hi', ownerTurn: true, senderToken: 'mo' },
  },
  {
    name: 'the owner, whose words are set apart',
    turn: { ...OWNER, ownerText: 'Hi' },
    kind: 'human-turn',
    evidence: { userText: 'Hi', ownerTurn: true, senderToken: 'mo' },
  },
  {
    name: 'the owner, who wrote nothing',
    turn: { ...OWNER, ownerText: '' },
    kind: 'human-turn',
    evidence: { ownerTurn: true, senderToken: 'mo' },
  },
  {
    name: 'a process of the owner that ended',
    turn: { ...OWNER, wake: 'process_completion' },
    kind: 'human-turn',
    evidence: { ownerTurn: true, senderToken: 'mo' },
  },
  {
    name: 'a continuation of the owner’s turn',
    turn: { ...OWNER, wake: 'continuation' },
    kind: 'human-turn',
    evidence: { ownerTurn: true, senderToken: 'mo' },
  },
  {
    name: 'a peer in the owner’s turn',
    turn: { ...OWNER, source: { kind: 'peer' } },
    kind: 'human-turn',
    evidence: { ownerTurn: true, senderToken: 'mo' },
  },
  {
    name: 'a peer that brings the owner’s words',
    turn: { ...OWNER, source: { kind: 'peer' }, ownerText: 'Hi' },
    kind: 'human-turn',
    evidence: { userText: 'Hi', ownerTurn: true, senderToken: 'mo' },
  },
  { name: 'an unknown peer', turn: { source: { kind: 'peer' } }, kind: 'unknown', evidence: undefined },
])('of $name capture is told $kind and $evidence', ({ turn, kind, evidence }) => {
  const completed = complete({ turn })
  expect(completed.captureSpeakerKind).toBe(kind)
  expect(completed.captureEvidence).toEqual(evidence)
})

test('follow-ups are words of the speaker too, also where the message was not', () => {
  expect(complete({ turn: OWNER, followUps: ['And?', ' '] }).captureEvidence?.userText).toBe('[tag] Hi\n\nAnd?')
  const wake = complete({ turn: { ...OWNER, wake: 'process_completion' }, followUps: ['And?'] })
  expect(wake.captureEvidence?.userText).toBe('And?')
})

test.each(['cron', 'webhook'] as const)('of a %s turn the answer goes in, and nothing else', (kind) => {
  const completed = complete({
    turn: { ...OWNER, source: { kind, label: 'nightly' }, message: 'PROMPT', attachmentText: 'PROMPT' },
    followUps: ['PROMPT'],
    result: { summary: 'PROMPT', captureText: 'PROMPT', finalAnswer: 'All backups are fine.' },
  })
  expect(JSON.stringify(completed)).not.toContain('PROMPT')
  expect(completed).toEqual({
    runId: 'r1',
    conversationId: 'web:1',
    source: { kind, label: 'nightly' },
    summary: 'All backups are fine.',
    finalAnswer: 'All backups are fine.',
    captureSpeakerKind: 'trigger',
  })
})

test('a trigger turn without an answer has nothing to remember', () => {
  expect(complete({ turn: { source: { kind: 'cron' } } }).summary).toBe('')
})

test('of a trigger turn’s answer what memory delivered is taken out', () => {
  const finalAnswer = `Checked.\n${DELIVERED}\nNothing changed.`
  const { summary } = complete({ turn: { source: { kind: 'cron' } }, result: { finalAnswer } })
  expect(summary).not.toContain('key')
  expect(summary).not.toContain('⟦')
  expect(summary.split(/\s*\n\s*/)).toEqual(['Checked.', 'Nothing changed.'])
})

test('attachment text goes nowhere', () => {
  const completed = complete({ turn: { ...OWNER, attachmentText: 'ATTACHED' } })
  expect(JSON.stringify(completed)).not.toContain('ATTACHED')
})

test('what memory delivered is marked in what capture reads, and not in the summary', () => {
  const text = `Morgan asked.\n${DELIVERED}`
  const completed = complete({
    turn: { ...OWNER, message: text },
    result: { summary: text, captureText: text, finalAnswer: text },
  })
  const marked = markDeliveredMemory(text, [DELIVERED])
  expect(marked).toContain('⟦memory:')
  expect(completed.captureText).toBe(marked)
  expect(completed.captureEvidence?.userText).toBe(marked)
  expect(completed.summary).toBe(text)
})

test('a summary that capture would read instead is handed over marked', () => {
  const { captureText: _left, ...result } = { ...RESULT, summary: `Said.\n${DELIVERED}` }
  const turn = parseTurn({ conversationId: 'c', message: 'Hi' })
  const record = { turn, ownerText: ownerTextOf('Hi', undefined), followUps: [], delivered: [DELIVERED] }
  expect(completedTurn(record, result).captureText).toBe(markDeliveredMemory(result.summary, [DELIVERED]))
  expect(completedTurn({ ...record, delivered: [] }, result)).not.toHaveProperty('captureText')
})
