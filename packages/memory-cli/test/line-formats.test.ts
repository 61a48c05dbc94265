import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { detectFormat } from '../src/ingest/detect-format.js'
import type { Entry } from '../src/ingest/entry.js'
import { parseMessagesLine } from '../src/ingest/messages.js'
import { parseTurnLine } from '../src/ingest/turns.js'

const TURN = { runId: 'r1', conversationId: 'c1', summary: 'Ana likes tea.' }
const turnsOf = (entries: readonly Entry[]) => entries.flatMap((entry) => (entry.kind === 'turn' ? [entry.turn] : []))
const messagesLine = (value: unknown, line = 1) =>
  parseMessagesLine(JSON.stringify(value), line, { defaultConversation: 'diary' })

describe('format turns', () => {
  test.each([
    { name: 'the smallest turn', turn: TURN },
    {
      name: 'every field',
      turn: {
        ...TURN,
        captureText: 'All of it.',
        captureSpeakerKind: 'human-turn',
        captureEvidence: {
          userText: 'Tea!',
          ownerTurn: true,
          senderToken: 's',
          toolOutcomes: [{ category: 'web', outcome: 'failed' }],
        },
        source: { kind: 'cron', label: 'nightly' },
        occurredAt: '2026-03-02T08:00:00+01:00',
        timeZone: 'Europe/Madrid',
        speaker: 'Ana',
        finalAnswer: 'Noted.',
      },
    },
    { name: 'what admission will refuse', turn: { runId: 7, extra: true } },
  ])('gives $name exactly as it is written', ({ turn }) => {
    expect(parseTurnLine(JSON.stringify(turn), 3, undefined)).toEqual({ kind: 'turn', place: { line: 3 }, turn })
  })

  test('--conversation is for lines that name none', () => {
    const { conversationId: _, ...unnamed } = TURN
    expect(turnsOf([parseTurnLine(JSON.stringify(unnamed), 1, 'given')])[0]?.conversationId).toBe('given')
    expect(turnsOf([parseTurnLine(JSON.stringify(TURN), 1, 'given')])[0]?.conversationId).toBe('c1')
  })

  test.each([
    { name: 'no JSON', text: '{"runId":', code: 'not_json' },
    { name: 'two values', text: '{} {}', code: 'not_json' },
    { name: 'an array', text: '[]', code: 'not_an_object' },
    { name: 'null', text: 'null', code: 'not_an_object' },
    { name: 'a string', text: '"x"', code: 'not_an_object' },
  ])('refuses $name', ({ text, code }) => {
    expect(parseTurnLine(text, 9, undefined)).toEqual({ kind: 'bad', place: { line: 9 }, code })
  })
})

describe('format messages', () => {
  test('each user → assistant exchange is a turn, with its own time, else the line’s', () => {
    const entries = messagesLine({
      conversation_id: 'trip',
      created_at: '2026-03-01T00:00:00Z',
      messages: [
        { role: 'system', content: 'Be kind.' },
        { role: 'user', name: 'Ana', content: 'When does the train leave?', timestamp: 1_772_438_400 },
        {
          role: 'assistant',
          content: [{ type: 'text', text: 'At 9:40.' }, { type: 'image_url', image_url: {} }, 'Platform 4.'],
        },
        { role: 'user', content: [{ type: 'input_text', text: 'Thanks,' }] },
        { role: 'user', content: 'and back?' },
        { role: 'assistant', content: null, tool_calls: [] },
        { role: 'tool', content: '{"trains":[]}' },
        { role: 'assistant', content: 'At 18:05.' },
      ],
    })
    expect(turnsOf(entries)).toEqual([
      {
        runId: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
        conversationId: 'trip',
        summary: 'Ana: When does the train leave?\nAssistant: At 9:40.\nPlatform 4.',
        finalAnswer: 'At 9:40.\nPlatform 4.',
        occurredAt: '2026-03-02T08:00:00.000Z',
        speaker: 'Ana',
      },
      {
        runId: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
        conversationId: 'trip',
        summary: 'User: Thanks,\nand back?\nAssistant: At 18:05.',
        finalAnswer: 'At 18:05.',
        occurredAt: '2026-03-01T00:00:00Z',
      },
    ])
    expect(entries.map((entry) => entry.place)).toEqual([
      { line: 1, exchange: 1 },
      { line: 1, exchange: 2 },
    ])
  })

  const dialogue = (...roles: string[]) => roles.map((role, index) => ({ role, content: `${role} ${index}` }))

  test.each([
    { name: 'an open question', roles: ['user', 'assistant', 'user'], kinds: ['turn', 'unanswered'] },
    { name: 'a greeting nobody asked for', roles: ['assistant', 'user', 'assistant'], kinds: ['unprompted', 'turn'] },
    { name: 'only a greeting', roles: ['assistant'], kinds: ['unprompted'] },
    { name: 'only a question', roles: ['user'], kinds: ['unanswered'] },
    { name: 'nothing', roles: [], kinds: [] },
    { name: 'answers in a row', roles: ['user', 'assistant', 'assistant'], kinds: ['turn'] },
  ])('tells $name', ({ roles, kinds }) => {
    const entries = messagesLine({ messages: dialogue(...roles) })
    expect(entries.map((entry) => (entry.kind === 'skipped' ? entry.reason : entry.kind))).toEqual(kinds)
  })

  test.each([
    { name: 'no messages', value: { model: 'x' }, code: 'field_invalid', field: 'messages' },
    { name: 'messages that are no list', value: { messages: 'x' }, code: 'field_invalid', field: 'messages' },
    {
      name: 'a number as conversation',
      value: { messages: [], id: 7 },
      code: 'field_invalid',
      field: 'conversation_id',
    },
    { name: 'an unknown role', value: { messages: [{ role: 'narrator', content: 'x' }] }, code: 'message_invalid' },
    { name: 'a message without role', value: { messages: [{ content: 'x' }] }, code: 'message_invalid' },
    {
      name: 'a local time',
      value: { messages: [{ role: 'user', content: 'x', created_at: '2026-03-02T08:00' }] },
      code: 'time_invalid',
    },
    { name: 'a local time of the line', value: { messages: [], timestamp: 'noon' }, code: 'time_invalid' },
  ])('refuses $name', ({ value, code, field }) => {
    expect(messagesLine(value, 4)).toEqual([
      { kind: 'bad', place: { line: 4 }, code, ...(field === undefined ? {} : { field }) },
    ])
  })

  test('run ids: a named conversation keeps them where lines move, an unnamed one is known by its line', () => {
    const ids = (value: unknown, line: number) => turnsOf(messagesLine(value, line)).map((turn) => turn.runId)
    const messages = dialogue('user', 'assistant', 'user', 'assistant')
    expect(ids({ id: 'a', messages }, 1)).toEqual(ids({ id: 'a', messages }, 2))
    expect(ids({ id: 'a', messages }, 1)).not.toEqual(ids({ id: 'b', messages }, 1))
    expect(ids({ messages }, 1)).not.toEqual(ids({ messages }, 2))
    expect(new Set([...ids({ messages }, 1), ...ids({ messages }, 2)]).size).toBe(4)
  })

  test('run ids: a message id counts before its place', () => {
    const exchange = (id: string) => [
      { role: 'user', id, content: id },
      { role: 'assistant', content: 'ok' },
    ]
    const ids = (...names: string[]) =>
      turnsOf(messagesLine({ id: 'a', messages: names.flatMap(exchange) })).map((turn) => turn.runId)
    expect(ids('x', 'y', 'z')).toEqual([ids('x')[0], ids('y')[0], ids('z')[0]])
  })

  test('a longer export repeats the turns of the shorter one byte for byte', () =>
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom('user', 'assistant', 'system', 'tool'), fc.string()), { maxLength: 20 }),
        fc.nat(20),
        (dialogue, cut) => {
          const messages = dialogue.map(([role, content]) => ({ role, content }))
          // Cut where an exchange is closed: an answer may otherwise still grow.
          const end = messages.findIndex(
            ({ role, content }, index) => index >= cut && role === 'user' && content.trim() !== '',
          )
          const shorter = turnsOf(messagesLine({ id: 'a', messages: messages.slice(0, end === -1 ? undefined : end) }))
          expect(turnsOf(messagesLine({ id: 'a', messages })).slice(0, shorter.length)).toEqual(shorter)
        },
      ),
    ))

  test('whatever the messages are, the line is refused whole or gives turns with run ids of their own', () =>
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(fc.jsonValue(), fc.record({ role: fc.constantFrom('user', 'assistant'), content: fc.jsonValue() })),
        ),
        (messages) => {
          const entries = messagesLine({ messages })
          const turns = turnsOf(entries)
          if (entries.some((entry) => entry.kind === 'bad')) expect(entries).toHaveLength(1)
          expect(new Set(turns.map((turn) => turn.runId)).size).toBe(turns.length)
          expect(turns.length).toBeLessThanOrEqual(messages.length / 2)
        },
      ),
    ))
})

describe('telling the format', () => {
  test.each([
    { name: 'an array', text: '  [{"mapping":{}}]', format: 'chatgpt' },
    { name: 'an array after a byte order mark', text: '\uFEFF[', format: 'chatgpt' },
    { name: 'a turn', text: `${JSON.stringify(TURN)}\n`, format: 'turns' },
    { name: 'messages', text: '{"messages":[]}\n', format: 'messages' },
    { name: 'messages after a bad line', text: 'oops\n\n{"messages":[]}', format: 'messages' },
    {
      name: 'a first line that is cut off',
      text: `{"id":1,"messages":[{"role":"user","content":"${'x'.repeat(99)}`,
      format: 'messages',
    },
    {
      name: 'a turn that is cut off and quotes messages',
      text: `{"runId":"r","summary":"{\\"messages\\":[`,
      format: 'turns',
    },
    { name: 'something else', text: '{"a":1}', format: undefined },
    { name: 'nothing', text: '', format: undefined },
  ])('$name: $format', ({ text, format }) => expect(detectFormat(Buffer.from(text))).toBe(format))
})
