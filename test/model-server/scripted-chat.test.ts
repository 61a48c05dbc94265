import { expect, test } from 'vitest'
import type { ModelServer } from './index.js'
import { ollamaOf, openAiOf, serverWith } from './test-server.js'

const MODEL = 'scripted-chat'
const LONG = 'An answer of several pieces, with 日本語 and 🎉 in it, so that one of them could break a character.'
const messages = [{ role: 'user' as const, content: 'Hello?' }]

async function collect<Part>(stream: AsyncIterable<Part>): Promise<Part[]> {
  const parts: Part[] = []
  for await (const part of stream) parts.push(part)
  return parts
}

const whole = {
  ollama: async (server: ModelServer) => {
    const { message, done_reason } = await ollamaOf(server).chat({ model: MODEL, messages })
    return { content: message.content, finish: done_reason }
  },
  openai: async (server: ModelServer) => {
    const { choices, usage } = await openAiOf(server).chat.completions.create({ model: MODEL, messages })
    expect(usage?.total_tokens).toBeGreaterThan(0)
    return { content: choices[0]?.message.content, finish: choices[0]?.finish_reason }
  },
}

const streamed = {
  ollama: async (server: ModelServer) => {
    const parts = await collect(await ollamaOf(server).chat({ model: MODEL, messages, stream: true }))
    expect(parts.map(({ done }) => done)).toEqual([...Array<boolean>(parts.length - 1).fill(false), true])
    return { pieces: parts.map(({ message }) => message.content), finish: parts.at(-1)?.done_reason }
  },
  openai: async (server: ModelServer) => {
    const parts = await collect(
      await openAiOf(server).chat.completions.create({
        model: MODEL,
        messages,
        stream: true,
        stream_options: { include_usage: true },
      }),
    )
    expect(parts.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: 2 } })
    return {
      pieces: parts.map(({ choices }) => choices[0]?.delta.content ?? ''),
      finish: parts.at(-2)?.choices[0]?.finish_reason,
    }
  },
}

const PROTOCOLS = ['ollama', 'openai'] as const

test.each(PROTOCOLS)('%s: each request takes the next answer', async (protocol) => {
  const server = await serverWith()
  server.chat.script(['first', { content: 'cut', finish: 'length' }])
  server.chat.script([(request) => `You said ${request.messages[0]?.content}`, async () => LONG])
  expect(server.chat.unused).toBe(4)
  expect(await whole[protocol](server)).toEqual({ content: 'first', finish: 'stop' })
  expect(await whole[protocol](server)).toEqual({ content: 'cut', finish: 'length' })
  expect(await whole[protocol](server)).toEqual({ content: 'You said Hello?', finish: 'stop' })
  expect(await whole[protocol](server)).toEqual({ content: LONG, finish: 'stop' })
  expect(server.chat.unused).toBe(0)
  expect(server.chat.requests).toHaveLength(4)
  expect(server.chat.unexpected).toEqual([])
})

test.each(PROTOCOLS)('%s: a stream brings the answer in pieces', async (protocol) => {
  const server = await serverWith()
  server.chat.script([LONG, { content: '', finish: 'length' }])
  const { pieces, finish } = await streamed[protocol](server)
  expect(pieces.join('')).toBe(LONG)
  expect(pieces.filter((piece) => piece !== '').length).toBeGreaterThan(3)
  expect(finish).toBe('stop')
  expect(await streamed[protocol](server)).toMatchObject({ finish: 'length' })
})

test('a responder sees what was asked, whatever the service', async () => {
  const server = await serverWith()
  const schema = { type: 'object', properties: {}, additionalProperties: false }
  server.chat.respondWith(() => '{}')
  const parts = [
    {
      role: 'user' as const,
      content: [
        { type: 'text' as const, text: 'in ' },
        { type: 'text' as const, text: 'parts' },
      ],
    },
  ]
  await ollamaOf(server).chat({ model: MODEL, messages, format: schema })
  await openAiOf(server).chat.completions.create({
    model: MODEL,
    messages: parts,
    response_format: { type: 'json_schema', json_schema: { name: 'answer', schema, strict: true } },
  })
  await openAiOf(server).chat.completions.create({ model: MODEL, messages, temperature: 0 })
  expect(server.chat.requests).toMatchObject([
    { protocol: 'ollama', model: MODEL, messages, schema, stream: false },
    { protocol: 'openai', messages: [{ role: 'user', content: 'in parts' }], schema, stream: false },
    { protocol: 'openai', schema: null, body: { temperature: 0 } },
  ])
})

test('the script comes before the responder', async () => {
  const server = await serverWith()
  server.chat.respondWith(({ messages: [first] }) => (first?.content === 'Hello?' ? 'recorded' : null))
  server.chat.script(['scripted'])
  expect([await whole.ollama(server), await whole.openai(server)].map(({ content }) => content)).toEqual([
    'scripted',
    'recorded',
  ])
})

test.each([
  { name: 'no script', prepare: () => undefined, reason: /holds no further answer/ },
  {
    name: 'a responder without an answer',
    prepare: ({ chat }: ModelServer) => chat.respondWith(() => null),
    reason: /has no answer to it/,
  },
  {
    name: 'a responder that throws',
    prepare: ({ chat }: ModelServer) =>
      chat.script([
        () => {
          throw new Error('expected a greeting')
        },
      ]),
    reason: /expected a greeting/,
  },
])('$name is a clear 500 and on record', async ({ prepare, reason }) => {
  const server = await serverWith()
  prepare(server)
  await expect(whole.ollama(server)).rejects.toMatchObject({ status_code: 500, message: expect.stringMatching(reason) })
  expect(server.chat.unexpected).toMatchObject([{ request: { model: MODEL }, reason: expect.stringMatching(reason) }])
  server.chat.clear()
  expect([server.chat.requests, server.chat.unexpected, server.chat.unused]).toEqual([[], [], 0])
  await expect(whole.openai(server)).rejects.toMatchObject({
    status: 500,
    message: expect.stringMatching(/Unexpected chat request 1/),
  })
})

test.each([
  { name: 'a model it does not have', model: 'gone', ollama: 404, openai: 404 },
  { name: 'a model for embeddings', model: 'hash-768', ollama: 400, openai: 404 },
])('$name is refused, and no answer is used up', async ({ model, ollama, openai }) => {
  const server = await serverWith()
  server.chat.script(['kept'])
  await expect(ollamaOf(server).chat({ model, messages })).rejects.toMatchObject({ status_code: ollama })
  await expect(openAiOf(server).chat.completions.create({ model, messages })).rejects.toMatchObject({ status: openai })
  expect(server.chat.unused).toBe(1)
})
