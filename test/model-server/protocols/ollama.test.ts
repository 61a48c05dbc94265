import { expect, test } from 'vitest'
import { createEmbedder, SENTENCE_ENCODER } from '../index.js'
import { ollamaOf, post, serverWith } from '../test-server.js'

const lengthOf = (vector: readonly number[] | undefined) => Math.hypot(...(vector ?? []))

test('the official client gets the vectors of the sentence encoder', async () => {
  const server = await serverWith({ service: 'ollama' })
  const texts = ['How old are you?', 'What is your age?']
  const { model, embeddings, prompt_eval_count } = await ollamaOf(server).embed({
    model: SENTENCE_ENCODER,
    input: texts,
  })
  const embedder = createEmbedder()
  const direct = await embedder.embed(texts)
  await embedder.close()
  expect(model).toBe(SENTENCE_ENCODER)
  expect(embeddings.map((vector) => Float32Array.from(vector))).toEqual(direct)
  expect(prompt_eval_count).toBeGreaterThan(8)
})

test.each([
  { name: 'one string', input: 'a', count: 1 },
  { name: 'a list', input: ['a', 'b', 'a'], count: 3 },
  { name: 'an empty text in a list', input: ['', 'b'], count: 2 },
  { name: 'an empty string', input: '', count: 0 },
  { name: 'an empty list', input: [], count: 0 },
])('$name is embedded as $count vectors', async ({ input, count }) => {
  const { embeddings } = await ollamaOf(await serverWith()).embed({ model: 'hash-768:latest', input })
  expect(embeddings.map(({ length }) => length)).toEqual(Array(count).fill(768))
  for (const vector of embeddings) expect(lengthOf(vector)).toBeCloseTo(1, 6)
})

test.each([
  { dimensions: 1, dim: 1 },
  { dimensions: 256, dim: 256 },
  { dimensions: 767, dim: 767 },
  { dimensions: 768, dim: 768 },
  { dimensions: 769, dim: 768 },
  { dimensions: 0, dim: 768 },
])('dimensions: $dimensions gives $dim, at unit length', async ({ dimensions, dim }) => {
  const { embeddings } = await ollamaOf(await serverWith()).embed({ model: 'hash-768', input: 'a', dimensions })
  expect(embeddings[0]).toHaveLength(dim)
  expect(lengthOf(embeddings[0])).toBeCloseTo(1, 6)
})

test('a text over the context is cut, or refused with truncate: false', async () => {
  const ollama = ollamaOf(await serverWith({ models: [{ name: 'short', serves: 'hash-8', contextTokens: 2 }] }))
  const embed = (input: string, truncate?: boolean) =>
    ollama.embed({ model: 'short', input, ...(truncate === undefined ? {} : { truncate }) })
  expect((await embed('123456789')).embeddings).toEqual((await embed('12345678')).embeddings)
  await expect(embed('12345678', false)).resolves.toMatchObject({ prompt_eval_count: 2 })
  await expect(embed('123456789', false)).rejects.toMatchObject({
    status_code: 400,
    message: 'the input length exceeds the context length',
  })
})

test.each([
  { name: 'a model it does not have', model: 'nomic', status: 404, message: /"nomic" not found, try pulling/ },
  { name: 'a chat model', model: 'scripted-chat', status: 400, message: /does not support embeddings/ },
])('$name is refused with $status', async ({ model, status, message }) => {
  const asked = ollamaOf(await serverWith()).embed({ model, input: 'a' })
  await expect(asked).rejects.toMatchObject({ status_code: status, message: expect.stringMatching(message) })
})

test.each([
  { name: 'a body that is no JSON', body: '{', error: /no JSON object/ },
  { name: 'a body that is a list', body: [], error: /no JSON object/ },
  { name: 'no model', body: { input: 'a' }, error: /model is required/ },
  { name: 'input of another type', body: { model: 'hash-768', input: [1] }, error: /invalid input type/ },
])('$name is refused with 400', async ({ body, error }) => {
  const response = await post(await serverWith(), '/api/embed', body)
  expect(response.status).toBe(400)
  expect(await response.json()).toEqual({ error: expect.stringMatching(error) })
})

test('lists, shows and tells its version', async () => {
  const ollama = ollamaOf(await serverWith({ models: [{ name: 'nomic-embed-text', serves: 'hash-768' }] }))
  const { models } = await ollama.list()
  expect(models.map(({ name }) => name)).toEqual(['nomic-embed-text:latest', 'scripted-chat:latest'])
  expect(models[0]?.digest).toMatch(/^[0-9a-f]{64}$/)
  expect(await ollama.show({ model: 'nomic-embed-text' })).toMatchObject({
    capabilities: ['embedding'],
    model_info: { 'general.architecture': 'bert', 'bert.context_length': 8_192, 'bert.embedding_length': 768 },
  })
  expect((await ollama.show({ model: 'scripted-chat' })).capabilities).toEqual(['completion'])
  await expect(ollama.show({ model: 'other' })).rejects.toMatchObject({ status_code: 404 })
  expect((await ollama.version()).version).toMatch(/^\d+\.\d+\.\d+$/)
})

test('has none of the paths of the other services', async () => {
  const server = await serverWith({ service: 'ollama' })
  const statuses = await Promise.all(
    ['/v1/models', '/api/v1/models', '/'].map(async (path) => (await fetch(server.url + path)).status),
  )
  expect(statuses).toEqual([404, 404, 200])
})
