import { getEventListeners } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createEmbedder, type Fault } from '../../../../test/model-server/index.js'
import { cosine, DIM, everythingIn, failureOf, KEY, openBench, SERVICES, type Bench } from './support.js'

const DOCUMENT = { kind: 'document' } as const
const embedder = createEmbedder({ model: `hash-${DIM}`, cacheDirectory: null })
const texts = (count: number) => Array.from({ length: count }, (_, index) => `Text number ${index}.`)

describe.each(SERVICES)('the provider of %s', (service) => {
  let bench: Bench
  beforeEach(async () => {
    bench = await openBench(service)
  })
  afterEach(() => bench.server.close())
  const sent = () => bench.server.requests.embeddings().map((request) => request.texts)

  test('says who it is', () => {
    const { id, identity } = bench.provider()
    expect(id).toBe(`${service}:${bench.config.model}`)
    expect(identity).toMatchObject({ provider: service, model: bench.config.model, dimension: DIM })
    expect(identity.fingerprint).toMatch(/^[0-9a-f]{64}$/)
  })

  test.each([
    { count: 0, batches: [] },
    { count: 1, batches: [1] },
    { count: 32, batches: [32] },
    { count: 33, batches: [32, 1] },
    { count: 65, batches: [32, 32, 1] },
  ])('$count texts are $batches a request, their vectors in order and of unit length', async ({ count, batches }) => {
    const provider = bench.provider()
    const vectors = await provider.embed(texts(count), DOCUMENT)
    expect(sent().map(({ length }) => length)).toEqual(batches)
    const expected = await embedder.embed(texts(count).map((text) => `search_document: ${text}`))
    expect(vectors).toHaveLength(count)
    vectors.forEach((vector, index) => {
      expect(vector).toBeInstanceOf(Float32Array)
      expect(cosine(vector, vector)).toBeCloseTo(1, 5)
      expect(cosine(vector, expected[index] as Float32Array)).toBeCloseTo(1, 5)
    })
    expect(provider.counts()).toEqual({
      requests: batches.length,
      texts: count,
      failures: 0,
      cutTexts: 0,
      cacheHits: 0,
    })
  })

  test('documents and queries get their instructions', async () => {
    const provider = bench.provider()
    await provider.embed(['Tea at four.'], DOCUMENT)
    await provider.embed(['When is tea?'], { kind: 'query' })
    await bench.provider({ instructions: { document: '' } }).embed(['Plain.'], DOCUMENT)
    expect(sent()).toEqual([['search_document: Tea at four.'], ['search_query: When is tea?'], ['Plain.']])
  })

  test('a query that was asked before costs no request; documents always do', async () => {
    const provider = bench.provider()
    const [first] = await provider.embed(['When  is tea?'], { kind: 'query' })
    first?.fill(0)
    const again = await provider.embed([' When is tea? ', 'Who came?', 'Who came?'], { kind: 'query' })
    expect(sent()).toEqual([['search_query: When is tea?'], ['search_query: Who came?']])
    expect(again.map((vector) => Math.round(cosine(vector, vector)))).toEqual([1, 1, 1])
    expect(again[1]).toEqual(again[2])
    again[1]?.fill(0)
    again[0]?.fill(0)
    expect(cosine(again[2] as Float32Array, again[2] as Float32Array)).toBeCloseTo(1, 5)
    const [kept] = await provider.embed(['When is tea?'], { kind: 'query' })
    expect(cosine(kept as Float32Array, kept as Float32Array)).toBeCloseTo(1, 5)
    expect(provider.counts()).toMatchObject({ requests: 2, texts: 2, cacheHits: 2 })
    await provider.embed(['Who came?'], DOCUMENT)
    await provider.embed(['Who came?'], DOCUMENT)
    expect(provider.counts()).toMatchObject({ requests: 4, cacheHits: 2 })
  })

  const status = (status: number, message?: string): Fault => ({
    kind: 'status',
    status,
    ...(message ? { message } : {}),
  })
  test.each<{ fault: Fault; code: string; concerns: string; says?: RegExp }>([
    { fault: { kind: 'wrong-count' }, code: 'embedding_invalid', concerns: 'service', says: /1 vectors for 2 texts/ },
    {
      fault: { kind: 'wrong-count', count: 3 },
      code: 'embedding_invalid',
      concerns: 'service',
      says: /3 vectors for 2/,
    },
    { fault: { kind: 'wrong-dimension' }, code: 'embedding_dimension', concerns: 'configuration', says: /64.*65/ },
    {
      fault: { kind: 'wrong-dimension', dim: 8 },
      code: 'embedding_dimension',
      concerns: 'configuration',
      says: /64.*8/,
    },
    { fault: { kind: 'bad-number', value: 'NaN' }, code: 'embedding_invalid', concerns: 'service', says: /no JSON/ },
    { fault: { kind: 'bad-number', value: 'Infinity' }, code: 'embedding_invalid', concerns: 'text' },
    { fault: { kind: 'bad-number', value: 'null' }, code: 'embedding_invalid', concerns: 'text' },
    { fault: { kind: 'zero-vector' }, code: 'embedding_invalid', concerns: 'text', says: /zeros/ },
    { fault: { kind: 'invalid-json' }, code: 'embedding_invalid', concerns: 'service', says: /no JSON/ },
    { fault: { kind: 'invalid-json', body: '' }, code: 'embedding_invalid', concerns: 'service', says: /no JSON/ },
    { fault: { kind: 'invalid-json', body: 'null' }, code: 'embedding_invalid', concerns: 'service', says: /no list/ },
    { fault: { kind: 'invalid-json', body: '[]' }, code: 'embedding_invalid', concerns: 'service', says: /no list/ },
    { fault: { kind: 'invalid-json', body: '"ok"' }, code: 'embedding_invalid', concerns: 'service', says: /no list/ },
    { fault: { kind: 'half-body' }, code: 'embedding_unavailable', concerns: 'service' },
    { fault: { kind: 'drop' }, code: 'embedding_unavailable', concerns: 'service' },
    { fault: status(307), code: 'embedding_rejected', concerns: 'configuration', says: /HTTP 307/ },
    { fault: status(400), code: 'embedding_rejected', concerns: 'text', says: /HTTP 400/ },
    { fault: status(401), code: 'embedding_rejected', concerns: 'configuration', says: /HTTP 401/ },
    { fault: status(403), code: 'embedding_rejected', concerns: 'configuration', says: /HTTP 403/ },
    { fault: status(404), code: 'embedding_rejected', concerns: 'configuration', says: /HTTP 404/ },
    { fault: status(408), code: 'embedding_unavailable', concerns: 'service', says: /HTTP 408/ },
    { fault: status(429), code: 'embedding_rate_limited', concerns: 'service', says: /HTTP 429/ },
    { fault: status(500), code: 'embedding_unavailable', concerns: 'service', says: /HTTP 500/ },
    { fault: status(503), code: 'embedding_unavailable', concerns: 'service', says: /HTTP 503/ },
    { fault: status(500, 'json: unsupported value: NaN'), code: 'embedding_invalid', concerns: 'text' },
    {
      fault: status(400, 'this model does not support embeddings'),
      code: 'embedding_model_unfit',
      concerns: 'configuration',
    },
    { fault: status(400, 'maximum context length is 9'), code: 'embedding_text_too_long', concerns: 'text' },
  ])('$fault is $code, one request, and says neither text nor key', async ({ fault, code, concerns, says }) => {
    const logged = (['log', 'info', 'warn', 'error', 'debug'] as const).map((method) => vi.spyOn(console, method))
    bench.server.faults.set(fault)
    const provider = bench.provider({ apiKey: KEY })
    const error = await failureOf(provider.embed(['A private word.', 'Another one.'], DOCUMENT))
    expect(error).toMatchObject({ code, concerns })
    if (says !== undefined) expect(error.message).toMatch(says)
    expect(everythingIn(error)).not.toMatch(/private|Another one|sk-secret/)
    expect(bench.server.requests.embeddings()).toHaveLength(1)
    expect(provider.counts()).toMatchObject({ requests: 1, failures: 1 })
    for (const method of logged) expect(method).not.toHaveBeenCalled()
    vi.restoreAllMocks()
    bench.server.faults.clear()
    expect(await provider.embed(['A private word.'], DOCUMENT)).toHaveLength(1)
  })

  test('nobody listens: unavailable', async () => {
    await bench.server.close()
    expect(await failureOf(bench.provider().embed(['Hello.'], DOCUMENT))).toMatchObject({
      code: 'embedding_unavailable',
    })
  })

  test('never answered: cancelled and said after 30 s, not before', async () => {
    bench.server.faults.set({ kind: 'never' })
    let isOver = false
    const failing = failureOf(bench.provider().embed(['Hello.'], DOCUMENT)).finally(() => (isOver = true))
    const request = await bench.server.requests.arrival(1)
    bench.clock.advance(29_999)
    await new Promise((resolve) => setImmediate(resolve))
    expect(isOver).toBe(false)
    expect(request.outcome).toBeNull()
    bench.clock.advance(1)
    expect(await failing).toMatchObject({ code: 'embedding_timeout', concerns: 'service' })
    expect(await request.closed).toBe('aborted')
    expect(bench.clock.sleeping).toBe(0)
  })

  test('aborting the call cancels the HTTP request and rejects with the reason', async () => {
    bench.server.faults.set({ kind: 'never' })
    const provider = bench.provider()
    const controller = new AbortController()
    const reason = new Error('The recall is over.')
    const call = provider.embed(['Hello.'], { kind: 'query', signal: controller.signal })
    const request = await bench.server.requests.arrival(1)
    controller.abort(reason)
    await expect(call).rejects.toBe(reason)
    expect(await request.closed).toBe('aborted')
    expect(provider.counts()).toMatchObject({ requests: 1, failures: 0 })
    expect(bench.clock.sleeping).toBe(0)
  })

  test('aborting one call leaves another of the same query alone', async () => {
    bench.server.faults.set({ kind: 'hold', times: 2 })
    const provider = bench.provider()
    const controller = new AbortController()
    const cancelled = provider.embed(['Hello.'], { kind: 'query', signal: controller.signal })
    const kept = provider.embed(['Hello.'], { kind: 'query' })
    await bench.server.faults.holding(2)
    controller.abort(new Error('over'))
    await expect(cancelled).rejects.toThrow('over')
    bench.server.faults.release()
    expect(await kept).toHaveLength(1)
  })

  test('a signal that is aborted already sends nothing, even for no texts or a known query', async () => {
    const provider = bench.provider()
    await provider.embed(['Known.'], { kind: 'query' })
    const signal = AbortSignal.abort(new Error('gone'))
    for (const list of [[], ['Known.'], ['New.']]) {
      await expect(provider.embed(list, { kind: 'query', signal })).rejects.toThrow('gone')
    }
    expect(bench.server.requests.embeddings()).toHaveLength(1)
  })

  test('aborting between batches sends no further one', async () => {
    bench.server.faults.set({ kind: 'hold', times: 1 })
    const controller = new AbortController()
    const call = bench.provider().embed(texts(64), { ...DOCUMENT, signal: controller.signal })
    await bench.server.faults.holding(1)
    controller.abort(new Error('over'))
    bench.server.faults.release()
    await expect(call).rejects.toThrow('over')
    expect(bench.server.requests.embeddings()).toHaveLength(1)
  })

  test('three failures open the circuit: nothing is sent for 30 s, then one request tries', async () => {
    bench.server.faults.set({ kind: 'status', status: 503 })
    const provider = bench.provider()
    for (let failures = 1; failures <= 3; failures++) {
      expect(provider.circuit).toBe('closed')
      expect(await failureOf(provider.embed(['Hello.'], DOCUMENT))).toMatchObject({ code: 'embedding_unavailable' })
    }
    const open = await failureOf(provider.embed(['Hello.'], DOCUMENT))
    expect(open).toMatchObject({
      code: 'embedding_circuit_open',
      cause: { code: 'embedding_unavailable' },
      status: 503,
    })
    bench.clock.advance(29_999)
    expect(await failureOf(provider.embed(['Hello.'], DOCUMENT))).toMatchObject({ code: 'embedding_circuit_open' })
    expect(bench.server.requests.embeddings()).toHaveLength(3)

    bench.server.faults.set({ kind: 'hold', times: 1 })
    bench.clock.advance(1)
    const trial = provider.embed(['Hello.'], DOCUMENT)
    await bench.server.faults.holding(1)
    expect(await failureOf(provider.embed(['Hello.'], DOCUMENT))).toMatchObject({ code: 'embedding_circuit_open' })
    bench.server.faults.release()
    expect(await trial).toHaveLength(1)
    expect(provider.circuit).toBe('closed')
    expect(bench.server.requests.embeddings()).toHaveLength(4)
    expect(provider.counts()).toMatchObject({ requests: 4, failures: 3 })
  })

  test('a trial that its caller cancels leaves the trying to the next', async () => {
    bench.server.faults.set({ kind: 'status', status: 503, times: 3 }, { kind: 'never', times: 1 })
    const provider = bench.provider()
    for (let failures = 1; failures <= 3; failures++) await failureOf(provider.embed(['Hello.'], DOCUMENT))
    bench.clock.advance(30_000)
    const controller = new AbortController()
    const trial = provider.embed(['Hello.'], { ...DOCUMENT, signal: controller.signal })
    await bench.server.requests.arrival(4)
    controller.abort(new Error('over'))
    await expect(trial).rejects.toThrow('over')
    expect(provider.circuit).toBe('trial')
    expect(await provider.embed(['Hello.'], DOCUMENT)).toHaveLength(1)
  })

  test('a signal that outlives many calls gathers no listeners', async () => {
    const { signal } = new AbortController()
    const provider = bench.provider()
    await provider.embed(texts(65), { ...DOCUMENT, signal })
    bench.server.faults.set({ kind: 'drop' })
    await failureOf(provider.embed(['Hello.'], { ...DOCUMENT, signal }))
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  test('a redirect is not followed: texts go nowhere but to the endpoint', async () => {
    const redirecting = createServer((_, response) => {
      response.writeHead(307, {
        location: `${bench.server.url}/${service === 'ollama' ? 'api/embed' : 'v1/embeddings'}`,
      })
      response.end()
    })
    await new Promise<void>((resolve) => redirecting.listen(0, '127.0.0.1', resolve))
    const { port } = redirecting.address() as AddressInfo
    const error = await failureOf(bench.provider({ endpoint: `http://127.0.0.1:${port}` }).embed(['Hello.'], DOCUMENT))
    redirecting.closeAllConnections()
    await new Promise((resolve) => redirecting.close(resolve))
    expect(error).toMatchObject({ code: 'embedding_rejected', status: 307 })
    expect(bench.server.requests.all()).toHaveLength(0)
  })

  test('cancelled calls and refused texts do not open the circuit', async () => {
    const provider = bench.provider()
    bench.server.faults.set({ kind: 'never' })
    for (let ordinal = 1; ordinal <= 4; ordinal++) {
      const controller = new AbortController()
      const call = provider.embed(['Hello.'], { ...DOCUMENT, signal: controller.signal })
      await bench.server.requests.arrival(ordinal)
      controller.abort(new Error('over'))
      await expect(call).rejects.toThrow('over')
    }
    bench.server.faults.set({ kind: 'status', status: 400 })
    for (let failures = 1; failures <= 4; failures++) await failureOf(provider.embed(['Hello.'], DOCUMENT))
    expect(provider.circuit).toBe('closed')
  })
})
