import { expect, test } from 'vitest'
import { createEmbedder, SENTENCE_ENCODER } from '../index.js'
import { openAiOf, post, serverWith } from '../test-server.js'

const TEXTS = ['How old are you?', 'What is your age?']

test.each([undefined, 'float', 'base64'] as const)(
  'the official client gets the same vectors as %s',
  async (format) => {
    const server = await serverWith({ service: 'openai' })
    const request = {
      model: SENTENCE_ENCODER,
      input: TEXTS,
      ...(format === undefined ? {} : { encoding_format: format }),
    }
    const { data, model, usage } = await openAiOf(server).embeddings.create(request)
    const embedder = createEmbedder()
    const direct = await embedder.embed(TEXTS)
    await embedder.close()

    const vectors = data.map(({ embedding }) => embedding as unknown as number[] | string)
    const read = vectors.map((vector) =>
      typeof vector === 'string'
        ? new Float32Array(Uint8Array.from(Buffer.from(vector, 'base64')).buffer)
        : Float32Array.from(vector),
    )
    expect(read).toEqual(direct)
    expect(typeof vectors[0] === 'string').toBe(format === 'base64')
    expect(data.map(({ index, object }) => [index, object])).toEqual([0, 1].map((index) => [index, 'embedding']))
    expect(model).toBe(SENTENCE_ENCODER)
    expect(usage.total_tokens).toBe(usage.prompt_tokens)
    // What the client asks for when nobody tells it anything.
    expect(server.requests.all()[0]?.body).toMatchObject({ encoding_format: format ?? 'base64' })
  },
)

test.each([
  { dimensions: 1, dim: 1 },
  { dimensions: 512, dim: 512 },
  { dimensions: 1_536, dim: 1_536 },
])('dimensions: $dimensions gives $dim, at unit length', async ({ dimensions, dim }) => {
  const { data } = await openAiOf(await serverWith()).embeddings.create({ model: 'hash-1536', input: 'a', dimensions })
  expect(data[0]?.embedding).toHaveLength(dim)
  expect(Math.hypot(...(data[0]?.embedding ?? []))).toBeCloseTo(1, 6)
})

test.each([
  { name: 'no input', change: { input: undefined } },
  { name: 'an empty text', change: { input: '' } },
  { name: 'an empty text in a list', change: { input: ['a', ''] } },
  { name: 'an empty list', change: { input: [] } },
  { name: '2,049 texts', change: { input: Array(2_049).fill('a') } },
  { name: 'tokens instead of text', change: { input: [1, 2] } },
  { name: 'dimensions over the model', change: { dimensions: 769 } },
  { name: 'no dimensions', change: { dimensions: 0 } },
  { name: 'half a dimension', change: { dimensions: 0.5 } },
  { name: 'an unknown encoding', change: { encoding_format: 'hex' } },
  { name: 'a text over the context', change: { input: 'x'.repeat(8_192 * 4 + 1) } },
])('$name is refused with 400', async ({ change }) => {
  const response = await post(await serverWith(), '/v1/embeddings', { model: 'hash-768', input: 'a', ...change })
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ error: { type: 'invalid_request_error', param: null, code: null } })
})

test.each([
  { name: '2,048 texts', input: Array(2_048).fill('a') as string[] },
  { name: 'a text as long as the context', input: ['x'.repeat(8_192 * 4)] },
])('$name are accepted', async ({ input }) => {
  const { data } = await openAiOf(await serverWith({ models: ['hash-8'] })).embeddings.create({
    model: 'hash-8',
    input,
  })
  expect(data).toHaveLength(input.length)
})

test('an unknown model is not found', async () => {
  const client = openAiOf(await serverWith())
  await expect(client.embeddings.create({ model: 'gone', input: 'a' })).rejects.toMatchObject({
    status: 404,
    code: 'model_not_found',
  })
})

test('lists its models', async () => {
  const { data } = await openAiOf(await serverWith({ models: ['hash-8'] })).models.list()
  expect(data.map(({ id, object }) => [id, object])).toEqual([
    ['hash-8', 'model'],
    ['scripted-chat', 'model'],
  ])
})

test('a key is asked for where there is one, and is never logged', async () => {
  const server = await serverWith({ service: 'openai', models: ['hash-8'], apiKey: 'right' })
  const ask = (key: string) => openAiOf(server, key).embeddings.create({ model: 'hash-8', input: 'a' })
  await expect(ask('wrong')).rejects.toMatchObject({ status: 401, code: 'invalid_api_key' })
  await expect(ask('right')).resolves.toMatchObject({ object: 'list' })
  expect((await fetch(`${server.url}/v1/models`)).status).toBe(401)
  expect(server.requests.all().map(({ status }) => status)).toEqual([401, 200, 401])
  expect(JSON.stringify(server.requests.all())).not.toMatch(/right|wrong|authorization/i)
})

test('has none of the paths of the other services', async () => {
  const server = await serverWith({ service: 'openai' })
  const response = await post(server, '/api/embed', { model: 'hash-768', input: 'a' })
  expect(response.status).toBe(404)
  expect(await response.json()).toMatchObject({ error: { message: 'Invalid URL (POST /api/embed)' } })
})
