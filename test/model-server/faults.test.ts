import { describe, expect, test } from 'vitest'
import type { Fault, ModelServer } from './index.js'
import { ollamaOf, openAiOf, post, serverWith } from './test-server.js'

const TEXTS = ['a', 'b', 'c']
const PATHS = ['/api/embed', '/v1/embeddings'] as const

const embed = (server: ModelServer, path: string = PATHS[0], signal?: AbortSignal) =>
  post(server, path, { model: 'hash-8', input: TEXTS }, signal)

/** The vectors in a body of either service. */
async function vectorsOf(response: Response): Promise<(number | null)[][]> {
  const body = (await response.json()) as { embeddings?: number[][]; data?: { embedding: number[] }[] }
  return body.embeddings ?? body.data?.map(({ embedding }) => embedding) ?? []
}

async function serverWithFault(...faults: Fault[]): Promise<ModelServer> {
  const server = await serverWith({ models: ['hash-8'] })
  server.faults.set(...faults)
  return server
}

describe.each(PATHS)('vectors of %s', (path) => {
  test.each([
    { name: 'one dimension too many', fault: { kind: 'wrong-dimension' }, lengths: [9, 9, 9] },
    { name: 'another dimension', fault: { kind: 'wrong-dimension', dim: 4 }, lengths: [4, 4, 4] },
    { name: 'one vector missing', fault: { kind: 'wrong-count' }, lengths: [8, 8] },
    { name: 'no vector', fault: { kind: 'wrong-count', count: 0 }, lengths: [] },
    { name: 'one vector too many', fault: { kind: 'wrong-count', count: 4 }, lengths: [8, 8, 8, 8] },
  ] as const)('$name', async ({ fault, lengths }) => {
    const vectors = await vectorsOf(await embed(await serverWithFault(fault), path))
    expect(vectors.map(({ length }) => length)).toEqual(lengths)
  })

  test.each([
    { value: 'null', read: null },
    { value: 'Infinity', read: Infinity },
  ] as const)('the last begins with $value', async ({ value, read }) => {
    const vectors = await vectorsOf(await embed(await serverWithFault({ kind: 'bad-number', value }), path))
    expect(vectors.flat().filter((number) => !Number.isFinite(number))).toEqual([read])
    expect(vectors[2]?.[0]).toBe(read)
  })

  test('a NaN is written as no JSON knows it', async () => {
    const text = await (await embed(await serverWithFault({ kind: 'bad-number', value: 'NaN' }), path)).text()
    expect(text).toContain('[NaN,')
    expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError)
  })

  test('the last is zero', async () => {
    const vectors = await vectorsOf(await embed(await serverWithFault({ kind: 'zero-vector' }), path))
    expect(vectors.map((vector) => vector.every((number) => number === 0))).toEqual([false, false, true])
  })
})

test('base64 holds NaN and infinity themselves', async () => {
  const server = await serverWithFault(
    { kind: 'bad-number', value: 'NaN', times: 1 },
    { kind: 'bad-number', value: 'Infinity' },
  )
  const ask = async () =>
    (await openAiOf(server).embeddings.create({ model: 'hash-8', input: TEXTS })).data[2]?.embedding[0]
  expect([await ask(), await ask()]).toEqual([NaN, Infinity])
})

test('a shuffled answer holds every vector under its own index', async () => {
  const server = await serverWithFault({ kind: 'shuffled', times: 1 })
  const ask = async () => (await openAiOf(server).embeddings.create({ model: 'hash-8', input: TEXTS })).data
  const [shuffled, straight] = [await ask(), await ask()]
  expect(shuffled.map(({ index }) => index)).toEqual([2, 1, 0])
  expect(shuffled.reverse()).toEqual(straight)
})

test.each([404, 429, 500])('status %i has the form of the service', async (status) => {
  const server = await serverWithFault({ kind: 'status', status, retryAfterSeconds: 7, message: 'no' })
  const own = await embed(server)
  expect([own.status, own.headers.get('retry-after'), await own.json()]).toEqual([status, '7', { error: 'no' }])
  const other = await embed(server, PATHS[1])
  expect([other.status, other.headers.get('retry-after')]).toEqual([status, '7'])
  expect(await other.json()).toMatchObject({ error: { message: 'no' } })
  await expect(ollamaOf(server).list()).rejects.toMatchObject({ status_code: status })
  await expect(openAiOf(server).models.list()).rejects.toMatchObject({ status })
})

test('a body that is no JSON', async () => {
  const server = await serverWithFault({ kind: 'invalid-json', times: 1 }, { kind: 'invalid-json', body: '{"a":' })
  const [page, cut] = [await embed(server), await embed(server)]
  expect([page.status, page.headers.get('content-type'), await page.text()]).toEqual([
    200,
    'application/json',
    expect.stringContaining('<html>'),
  ])
  expect(await cut.text()).toBe('{"a":')
})

test('half a body, then nothing', async () => {
  const server = await serverWithFault({ kind: 'half-body' })
  const response = await embed(server)
  expect(response.status).toBe(200)
  await expect(response.text()).rejects.toThrow()
  expect(await server.requests.all()[0]?.closed).toBe('dropped')
})

test('half a stream, then nothing', async () => {
  const server = await serverWithFault({ kind: 'half-body' })
  server.chat.script(['an answer that is long enough for two pieces'])
  const stream = await ollamaOf(server).chat({
    model: 'scripted-chat',
    messages: [{ role: 'user', content: '' }],
    stream: true,
  })
  const pieces: string[] = []
  const reading = (async () => {
    for await (const { message } of stream) pieces.push(message.content)
  })()
  await expect(reading).rejects.toThrow()
  expect(pieces.length).toBeGreaterThan(0)
})

test('a connection that breaks at once', async () => {
  const server = await serverWithFault({ kind: 'drop', times: 1 })
  await expect(embed(server)).rejects.toThrow()
  expect(server.requests.all()).toMatchObject([{ fault: 'drop', status: null, outcome: 'dropped' }])
  expect((await embed(server)).status).toBe(200)
})

test('held requests go on when released, the oldest first', async () => {
  const server = await serverWithFault({ kind: 'hold', times: 2 })
  const finished: number[] = []
  const [first] = [embed(server).then(() => finished.push(1)), await server.faults.holding(1)]
  const [second] = [embed(server).then(() => finished.push(2)), await server.faults.holding(2)]
  expect((await embed(server)).status).toBe(200)
  expect([server.faults.held, finished]).toEqual([2, []])
  server.faults.release(1)
  await first
  expect([server.faults.held, finished]).toEqual([1, [1]])
  server.faults.clear()
  await second
  expect(server.faults.held).toBe(0)
})

test.each(['hold', 'never'] as const)('a client that gives up on %s is on record', async (kind) => {
  const server = await serverWithFault({ kind })
  const controller = new AbortController()
  const asking = embed(server, PATHS[0], controller.signal)
  const entry = await server.requests.arrival(1)
  expect(entry).toMatchObject({ fault: kind, outcome: null })
  controller.abort()
  await expect(asking).rejects.toThrow(/abort/i)
  expect(await entry.closed).toBe('aborted')
  expect([entry.status, server.faults.held]).toEqual([null, 0])
})

test('closing drops what is held or never answered', async () => {
  const server = await serverWithFault({ kind: 'hold', times: 1 }, { kind: 'never' })
  const asking = [embed(server), embed(server)].map((one) => expect(one).rejects.toThrow())
  const entries = [await server.requests.arrival(1), await server.requests.arrival(2)]
  await server.close()
  await Promise.all(asking)
  expect(entries.map(({ outcome }) => outcome)).toEqual(['dropped', 'dropped'])
})

test('a delay waits for the sleep it was given', async () => {
  const slept: number[] = []
  const server = await serverWith({ models: ['hash-8'], sleep: async (delayMs) => void slept.push(delayMs) })
  server.faults.set({ kind: 'delay', delayMs: 60_000 })
  expect((await embed(server)).status).toBe(200)
  expect(slept).toEqual([60_000])
})

test('faults apply to their path, as often as they say, in their order', async () => {
  const server = await serverWithFault(
    { kind: 'status', status: 429, times: 2, path: PATHS[0] },
    { kind: 'status', status: 500, times: 1 },
    { kind: 'zero-vector', times: 1 },
  )
  const statusOf = async (path: string) => (await embed(server, path)).status
  expect([await statusOf(PATHS[0]), await statusOf(PATHS[1])]).toEqual([429, 500])
  expect([await statusOf(PATHS[0]), await statusOf(PATHS[1])]).toEqual([429, 200])
  server.faults.set({ kind: 'wrong-count', times: 1 })
  // A list of models has no vectors: it does not use the fault up.
  await ollamaOf(server).list()
  await embed(server)
  expect(server.requests.all().map(({ fault }) => fault)).toEqual([
    'status',
    'status',
    'status',
    'zero-vector',
    null,
    'wrong-count',
  ])
})

test.each([0, -1, 1.5])('times: %d is refused', async (times) => {
  const server = await serverWith()
  expect(() => server.faults.set({ kind: 'drop', times })).toThrow(TypeError)
})

test('the log tells what was asked', async () => {
  const server = await serverWith({ models: ['hash-8'] })
  await embed(server)
  await post(server, '/api/embed', { model: 'hash-8', input: 'one' })
  await fetch(`${server.url}/api/tags?x=1`, { headers: { 'x-api-key': 'secret', 'x-trace': '7' } })
  await post(server, '/api/embed', 'no json')
  const [list, single, tags, broken] = server.requests.all()
  expect(list).toMatchObject({
    method: 'POST',
    path: '/api/embed',
    body: { model: 'hash-8', input: TEXTS },
    texts: TEXTS,
  })
  expect(single?.texts).toEqual(['one'])
  expect(tags).toMatchObject({ method: 'GET', path: '/api/tags', body: null, texts: [], headers: { 'x-trace': '7' } })
  expect(tags?.headers).not.toHaveProperty('x-api-key')
  expect(broken).toMatchObject({ body: 'no json', status: 400 })
  expect(await Promise.all(server.requests.all().map(({ closed }) => closed))).toEqual(Array(4).fill('answered'))
  expect(server.requests.embeddings()).toHaveLength(2)
  expect(server.requests.to('/api/embed')).toHaveLength(3)
  server.requests.clear()
  expect(server.requests.all()).toEqual([])
})

test.each([
  { name: 'a model nobody knows', options: { models: ['bert'] }, message: /No model named bert/ },
  {
    name: 'one name twice',
    options: { models: ['hash-8', { name: 'hash-8', serves: 'hash-9' }] },
    message: /Two models/,
  },
])('$name is refused at the start', async ({ options, message }) => {
  await expect(serverWith(options)).rejects.toThrow(message)
})

test('a port that is taken is an error', async () => {
  const { url } = await serverWith()
  await expect(serverWith({ port: Number(new URL(url).port) })).rejects.toMatchObject({ code: 'EADDRINUSE' })
})
