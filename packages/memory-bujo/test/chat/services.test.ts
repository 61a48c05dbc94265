import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Fault } from '../../../../test/model-server/index.js'
import { CHAT_PATHS, everythingIn, failureOf, KEY, openBench, REQUEST, SERVICES, type Bench } from './support.js'

const status = (status: number, message?: string): Fault => ({
  kind: 'status',
  status,
  ...(message === undefined ? {} : { message }),
})

describe.each(SERVICES)('failures of %s', (service) => {
  let bench: Bench
  beforeEach(async () => {
    bench = await openBench(service)
  })
  afterEach(() => vi.restoreAllMocks())

  test.each<{ fault: Fault; code: string; concerns: 'service' | 'configuration'; says?: RegExp }>([
    { fault: { kind: 'drop' }, code: 'chat_unavailable', concerns: 'service' },
    { fault: { kind: 'half-body' }, code: 'chat_unavailable', concerns: 'service' },
    { fault: { kind: 'invalid-json' }, code: 'chat_response_invalid', concerns: 'service', says: /no JSON/ },
    { fault: { kind: 'invalid-json', body: '' }, code: 'chat_response_invalid', concerns: 'service', says: /no JSON/ },
    { fault: { kind: 'invalid-json', body: '{"message":' }, code: 'chat_response_invalid', concerns: 'service' },
    { fault: { kind: 'invalid-json', body: 'null' }, code: 'chat_response_invalid', concerns: 'service' },
    { fault: { kind: 'invalid-json', body: '[]' }, code: 'chat_response_invalid', concerns: 'service' },
    { fault: { kind: 'invalid-json', body: '{}' }, code: 'chat_response_invalid', concerns: 'service' },
    {
      fault: { kind: 'invalid-json', body: '{"choices":[],"message":{}}' },
      code: 'chat_response_invalid',
      concerns: 'service',
    },
    { fault: status(307), code: 'chat_rejected', concerns: 'configuration', says: /HTTP 307/ },
    { fault: status(400), code: 'chat_rejected', concerns: 'configuration', says: /HTTP 400/ },
    { fault: status(401), code: 'chat_rejected', concerns: 'configuration', says: /HTTP 401/ },
    { fault: status(404), code: 'chat_rejected', concerns: 'configuration', says: /HTTP 404/ },
    { fault: status(408), code: 'chat_unavailable', concerns: 'service', says: /HTTP 408/ },
    { fault: status(429), code: 'chat_rate_limited', concerns: 'service', says: /HTTP 429/ },
    { fault: status(500), code: 'chat_unavailable', concerns: 'service', says: /HTTP 500/ },
    { fault: status(503), code: 'chat_unavailable', concerns: 'service', says: /HTTP 503/ },
    {
      fault: status(400, "This model's maximum context length is 8192 tokens."),
      code: 'chat_prompt_too_long',
      concerns: 'configuration',
    },
  ])('$fault is $code, one request, and says neither text nor key', async ({ fault, code, concerns, says }) => {
    const logged = (['log', 'info', 'warn', 'error', 'debug'] as const).map((method) => vi.spyOn(console, method))
    bench.server.faults.set(fault)
    bench.server.chat.script(['{"private":"word"}', 'fine'])
    const model = bench.model({ apiKey: KEY })
    const error = await failureOf(model.complete(REQUEST))
    expect(error).toMatchObject({ code, concerns })
    if (says !== undefined) expect(error.message).toMatch(says)
    expect(everythingIn(error)).not.toMatch(/private|sk-secret/)
    expect(bench.server.requests.all()).toHaveLength(1)
    for (const method of logged) expect(method).not.toHaveBeenCalled()
    bench.server.faults.clear()
    expect((await model.complete(REQUEST)).text).toMatch(/private|fine/)
  })

  test('nobody listens: unavailable', async () => {
    await bench.server.close()
    expect(await failureOf(bench.model().complete(REQUEST))).toMatchObject({ code: 'chat_unavailable' })
  })

  test('a model that is not there is named, with its mend', async () => {
    const error = await failureOf(bench.model({ model: 'gone:1b' }).complete(REQUEST))
    expect(error).toMatchObject({ code: 'chat_model_missing', concerns: 'configuration', status: 404 })
    expect(error.message).toContain('gone:1b')
  })

  test('an answer that hit its limit of tokens is not whole', async () => {
    bench.server.chat.script([{ content: '{"memories":[', finish: 'length' }])
    expect(await failureOf(bench.model().complete(REQUEST))).toMatchObject({ code: 'chat_truncated' })
  })

  test.each([
    { name: 'under 8 MiB is read', units: 8 * 1024 * 1024 - 4_096, code: undefined },
    { name: 'over 8 MiB is given up', units: 8 * 1024 * 1024, code: 'chat_response_invalid' },
  ])('an answer $name', async ({ units, code }) => {
    bench.server.chat.script(['x'.repeat(units)])
    const call = bench.model().complete(REQUEST)
    if (code === undefined) expect((await call).text).toHaveLength(units)
    else expect(await failureOf(call)).toMatchObject({ code, message: expect.stringContaining('8 MiB') })
  })

  test('slow is not late', async () => {
    bench.server.faults.set({ kind: 'hold', times: 1 })
    bench.server.chat.script(['{}'])
    const call = bench.model().complete(REQUEST)
    await bench.server.faults.holding(1)
    bench.clock.advance(4_999)
    bench.server.faults.release()
    expect((await call).text).toBe('{}')
  })

  test('the 300 s of the fetch of Node.js are told as time, not as an outage', async () => {
    const cause = Object.assign(new Error('Headers Timeout Error'), { code: 'UND_ERR_HEADERS_TIMEOUT' })
    const fetch = () => Promise.reject(new TypeError('fetch failed', { cause }))
    const error = await failureOf(bench.model({}, { fetch }).complete(REQUEST))
    expect(error).toMatchObject({ code: 'chat_timeout', message: expect.stringContaining('inject another one') })
  })
})

describe.each(SERVICES)('what %s is sent', (service) => {
  test('one answer, no stream, no tools, the same each time', async () => {
    const { server, model } = await openBench(service)
    server.chat.script(['{}', '{}'])
    const chat = model()
    await chat.complete(REQUEST)
    await chat.complete(REQUEST)
    const [first, second] = server.requests.all()
    expect(first).toMatchObject({ method: 'POST', path: CHAT_PATHS[service] })
    expect(second?.body).toEqual(first?.body)
    expect(Object.keys(first?.headers ?? {}).filter((name) => name.startsWith('x-'))).toEqual([])
    const { stream, tools } = first?.body as { stream?: unknown; tools?: unknown }
    expect([stream ?? false, tools]).toEqual([false, undefined])
  })

  test('usage is told, thoughts are left where they are', async () => {
    const { server, model } = await openBench(service)
    server.chat.script([{ content: '{}', thinking: 'The user said a word.' }])
    const { text, usage } = await model().complete(REQUEST)
    expect(text).toBe('{}')
    expect(usage).toEqual({ promptTokens: expect.any(Number), completionTokens: 1 })
    expect(usage?.promptTokens).toBeGreaterThan(0)
  })

  test.each([
    { name: 'apiKey', keys: { apiKey: KEY } },
    { name: 'apiKeyEnv', keys: { apiKeyEnv: 'THE_KEY' } },
  ])('the key of $name opens a service that asks for one; it is asked for at each call', async ({ keys }) => {
    const { server, model } = await openBench(service, { apiKey: KEY })
    let value: string | undefined = KEY
    const chat = model(keys, { env: (name) => (name === 'THE_KEY' ? value : undefined) })
    server.chat.script(['{}'])
    expect((await chat.complete(REQUEST)).text).toBe('{}')
    value = undefined
    if ('apiKeyEnv' in keys) expect(await failureOf(chat.complete(REQUEST))).toMatchObject({ code: 'chat_key_missing' })
  })

  test.each([
    { name: 'unset', value: undefined },
    { name: 'empty', value: '' },
    { name: 'white space', value: '  ' },
    { name: 'of characters that no header may hold', value: 'schlüssel' },
  ])('a declared variable that is $name sends nothing, least of all without a key', async ({ value }) => {
    const { server, model } = await openBench(service)
    const error = await failureOf(model({ apiKeyEnv: 'THE_KEY' }, { env: () => value }).complete(REQUEST))
    expect(error).toMatchObject({ code: 'chat_key_missing', concerns: 'configuration' })
    expect(error.message).toContain('THE_KEY')
    expect(error.message).not.toContain('schlüssel')
    expect(server.requests.all()).toEqual([])
  })

  test('a wrong key is rejected, and not repeated', async () => {
    const { model } = await openBench(service, { apiKey: 'sk-right' })
    const error = await failureOf(model({ apiKey: KEY }).complete(REQUEST))
    expect(error).toMatchObject({ code: 'chat_rejected', status: 401 })
    expect(everythingIn(error)).not.toContain(KEY)
  })

  test.each(['ftp://localhost', 'http://user:pass@localhost', 'http://localhost?a=1', 'http://localhost#a'])(
    '%s is refused at once',
    async (endpoint) => {
      const { model } = await openBench(service)
      expect(() => model({ endpoint })).toThrow(expect.objectContaining({ code: 'chat_endpoint_invalid' }))
    },
  )
})
