import { expect, test } from 'vitest'
import { openAiOf, post, serverWith } from '../test-server.js'

const studio = () =>
  serverWith({ service: 'lm-studio', models: ['hash-8', { name: 'short', serves: 'hash-8', contextTokens: 2 }] })

test('the official client of OpenAI gets vectors if it asks for numbers', async () => {
  const { data } = await openAiOf(await studio()).embeddings.create({
    model: 'hash-8',
    input: ['a', 'b'],
    encoding_format: 'float',
  })
  expect(data.map(({ embedding }) => embedding.length)).toEqual([8, 8])
})

test.each([
  { name: 'base64 is not known: numbers come', change: { encoding_format: 'base64' } },
  { name: 'dimensions are not known: the whole vector comes', change: { dimensions: 4 } },
  { name: 'an empty text is embedded', change: { input: '' } },
])('$name', async ({ change }) => {
  const response = await post(await studio(), '/v1/embeddings', { model: 'hash-8', input: 'a', ...change })
  const { data } = (await response.json()) as { data: { embedding: number[] }[] }
  expect(data.map(({ embedding }) => embedding.map((value) => typeof value))).toEqual([Array(8).fill('number')])
})

test('a text over the context is cut', async () => {
  const server = await studio()
  const embed = async (input: string) => (await post(server, '/v1/embeddings', { model: 'short', input })).json()
  expect(await embed('123456789')).toEqual(await embed('12345678'))
})

test('lists its models in its own form and in the one of OpenAI', async () => {
  const server = await studio()
  const { models } = (await (await fetch(`${server.url}/api/v1/models`)).json()) as { models: object[] }
  expect(models).toMatchObject([
    { type: 'embedding', key: 'hash-8', max_context_length: 8_192, loaded_instances: [{ id: 'hash-8' }] },
    { type: 'embedding', key: 'short', max_context_length: 2 },
    { type: 'llm', key: 'scripted-chat' },
  ])
  const { data } = await openAiOf(server).models.list()
  expect(data.map(({ id }) => id)).toEqual(['hash-8', 'short', 'scripted-chat'])
})

test('an unknown path is answered with 200 and an error', async () => {
  const response = await post(await studio(), '/api/embed', { model: 'hash-8', input: 'a' })
  expect(response.status).toBe(200)
  expect(await response.json()).toEqual({ error: 'Unexpected endpoint or method. (POST /api/embed)' })
})
