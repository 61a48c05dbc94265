import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseChatGptConversation } from '../src/ingest/chatgpt.js'
import type { Entry } from '../src/ingest/entry.js'

type Node = { id: string; parent: string | null; message: unknown; children: string[] }

const message = (role: string, parts: unknown[], extra: object = {}) => ({
  author: { role },
  content: { content_type: 'text', parts },
  create_time: 1_772_438_400,
  ...extra,
})
const tree = (...nodes: [id: string, parent: string | null, message: unknown][]): Record<string, Node> =>
  Object.fromEntries(nodes.map(([id, parent, content]) => [id, { id, parent, message: content, children: [] }]))
const conversation = (mapping: unknown, current_node: string, extra: object = {}) => ({
  title: 'Trip',
  conversation_id: 'c1',
  create_time: 1_772_430_000.5,
  mapping,
  current_node,
  ...extra,
})
const turnsOf = (entries: readonly Entry[]) => entries.flatMap((entry) => (entry.kind === 'turn' ? [entry.turn] : []))

const BRANCHES = tree(
  ['root', null, null],
  ['sys', 'root', message('system', ['You are …'], { metadata: { is_visually_hidden_from_conversation: true } })],
  ['u1', 'sys', message('user', ['Which train?'])],
  ['a1-old', 'u1', message('assistant', ['The 9:40.'])],
  ['a1', 'u1', message('assistant', ['The 10:10.'])],
  ['u2', 'a1', message('user', ['And back?'], { create_time: 1_772_438_460 })],
  ['call', 'u2', message('assistant', ['search("trains")'], { recipient: 'browser' })],
  ['tool', 'call', message('tool', ['…'])],
  ['code', 'tool', { author: { role: 'assistant' }, content: { content_type: 'code', text: 'x = 1' } }],
  ['a2', 'code', message('assistant', ['At 18:05.'])],
)

describe('one conversation of a ChatGPT export', () => {
  test('is the path from the current node to the root, spoken text only', () => {
    expect(turnsOf(parseChatGptConversation(conversation(BRANCHES, 'a2'), 1))).toMatchObject([
      {
        conversationId: 'c1',
        summary: 'User: Which train?\nAssistant: The 10:10.',
        occurredAt: '2026-03-02T08:00:00.000Z',
      },
      {
        conversationId: 'c1',
        summary: 'User: And back?\nAssistant: At 18:05.',
        occurredAt: '2026-03-02T08:01:00.000Z',
      },
    ])
  })

  test('what was spoken is its transcript; pictures and sound are left out', () => {
    const spoken = (text: string) => ({ content_type: 'audio_transcription', text, direction: 'in' })
    const voice = (role: string, parts: unknown[]) =>
      message(role, parts, { content: { content_type: 'multimodal_text', parts } })
    const mapping = tree(
      ['u', null, voice('user', [spoken('Ana turns forty.'), { content_type: 'audio_asset_pointer' }])],
      ['a', 'u', voice('assistant', [{ content_type: 'image_asset_pointer', text: 'no' }, spoken('A big party!')])],
    )
    expect(turnsOf(parseChatGptConversation(conversation(mapping, 'a'), 1))).toMatchObject([
      { summary: 'User: Ana turns forty.\nAssistant: A big party!' },
    ])
  })

  test('an answer that was generated anew keeps its run id: a conflict to report, never a second turn', () => {
    const [older] = turnsOf(parseChatGptConversation(conversation(BRANCHES, 'a1-old'), 1))
    const [newer] = turnsOf(parseChatGptConversation(conversation(BRANCHES, 'a1'), 1))
    expect(older?.runId).toBe(newer?.runId)
    expect(older?.summary).not.toBe(newer?.summary)
  })

  test('parts that are no text are left out; the time of the conversation stands in', () => {
    const parts = [{ content_type: 'image_asset_pointer' }, 'What is this?', null]
    const multimodal = {
      author: { role: 'user' },
      content: { content_type: 'multimodal_text', parts },
      create_time: null,
    }
    const mapping = tree(['u', null, multimodal], ['a', 'u', message('assistant', ['A heron.'], { create_time: null })])
    expect(turnsOf(parseChatGptConversation(conversation(mapping, 'a'), 1))).toMatchObject([
      { summary: 'User: What is this?\nAssistant: A heron.', occurredAt: '2026-03-02T05:40:00.500Z' },
    ])
  })

  test.each([
    { name: 'no object', value: 7, code: 'not_an_object' },
    { name: 'no mapping', value: conversation(undefined, 'a'), code: 'field_invalid', field: 'mapping' },
    {
      name: 'no current node',
      value: { conversation_id: 'c', mapping: {} },
      code: 'field_invalid',
      field: 'current_node',
    },
    {
      name: 'no id',
      value: conversation(BRANCHES, 'a2', { conversation_id: undefined }),
      code: 'field_invalid',
      field: 'conversation_id',
    },
    { name: 'a current node that is not there', value: conversation(BRANCHES, 'zz'), code: 'tree_broken' },
    { name: 'a current node named like a method', value: conversation(BRANCHES, 'toString'), code: 'tree_broken' },
    { name: 'a parent that is not there', value: conversation(tree(['a', 'gone', null]), 'a'), code: 'tree_broken' },
    { name: 'a circle', value: conversation(tree(['a', 'b', null], ['b', 'a', null]), 'a'), code: 'tree_broken' },
    {
      name: 'a message without author',
      value: conversation(tree(['a', null, { content: {} }]), 'a'),
      code: 'message_invalid',
    },
    {
      name: 'a time in words',
      value: conversation(tree(['a', null, message('user', ['x'], { create_time: 'noon' })]), 'a'),
      code: 'time_invalid',
    },
  ])('refuses $name', ({ value, code, field }) => {
    expect(parseChatGptConversation(value, 5)).toEqual([
      { kind: 'bad', place: { conversation: 5 }, code, ...(field === undefined ? {} : { field }) },
    ])
  })

  test('a path of 100,000 messages is followed', () => {
    const nodes = Array.from({ length: 100_000 }, (_, index): [string, string | null, unknown] => [
      `n${index}`,
      index === 0 ? null : `n${index - 1}`,
      message(index % 2 === 0 ? 'user' : 'assistant', [`text ${index}`]),
    ])
    expect(turnsOf(parseChatGptConversation(conversation(tree(...nodes), 'n99999'), 1))).toHaveLength(50_000)
  })

  test('the turns are those of a naive walk, whatever branches stand beside the path', () =>
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(), fc.boolean(), fc.string()), { minLength: 1, maxLength: 30 }), (steps) => {
        const nodes = steps.map(([parent, isUser, text], index): [string, string | null, unknown] => [
          `n${index}`,
          index === 0 ? null : `n${parent % index}`,
          message(isUser ? 'user' : 'assistant', [text]),
        ])
        const path: [boolean, string][] = []
        for (let at = steps.length - 1; ; at = (steps[at]?.[0] ?? 0) % at) {
          const [, isUser, text] = steps[at] ?? [0, false, '']
          path.unshift([isUser, text.trim()])
          if (at === 0) break
        }
        const spoken = path.filter(([, text]) => text !== '')
        const answered = spoken.filter(([isUser], index) => isUser && spoken[index + 1]?.[0] === false).length
        expect(turnsOf(parseChatGptConversation(conversation(tree(...nodes), `n${steps.length - 1}`), 1))).toHaveLength(
          answered,
        )
      }),
    ))
})
