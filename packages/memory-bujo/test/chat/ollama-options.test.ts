import { expect, test } from 'vitest'
import { contextTokensFor } from '../../src/chat/context-size.js'
import { openBench, REQUEST } from './support.js'

test('the schema, its name as its title, and the same sampling each time', async () => {
  const { server, model } = await openBench('ollama')
  server.chat.script(['{}'])
  await model().complete(REQUEST)
  const body = server.requests.all()[0]?.body as Readonly<Record<string, unknown>>
  expect(body).toMatchObject({
    format: { title: 'extract', ...REQUEST.schema.schema },
    options: { temperature: 0, seed: 0, num_ctx: 8_192 },
  })
  expect(Object.keys(body).sort()).toEqual(['format', 'messages', 'model', 'options', 'stream'])
})

test('a schema that has a title keeps it', async () => {
  const { server, model } = await openBench('ollama')
  server.chat.script(['{}'])
  const schema = { ...REQUEST.schema, schema: { title: 'Extraction', type: 'object' } }
  await model().complete({ ...REQUEST, schema })
  expect(server.chat.requests[0]).toMatchObject({ schemaName: 'Extraction' })
})

test.each([
  { name: 'nothing', bytes: 0, tokens: 8_192 },
  { name: 'what fits the least', bytes: 4_096 * 3, tokens: 8_192 },
  { name: 'one byte more', bytes: 4_096 * 3 + 1, tokens: 16_384 },
  { name: 'what fits the most', bytes: (131_072 - 4_096) * 3, tokens: 131_072 },
])('context for $name', ({ bytes, tokens }) => {
  expect(contextTokensFor(['x'.repeat(bytes)])).toBe(tokens)
  expect(contextTokensFor(['é'.repeat(Math.floor(bytes / 2)), 'x'.repeat(bytes % 2)])).toBe(tokens)
})

test('more than any model looks at is refused instead of cut', async () => {
  const { server, model } = await openBench('ollama')
  const user = 'x'.repeat((131_072 - 4_096) * 3 - REQUEST.system.length + 1)
  await expect(model().complete({ ...REQUEST, user })).rejects.toMatchObject({ code: 'chat_prompt_too_long' })
  expect(server.requests.all()).toEqual([])
})
