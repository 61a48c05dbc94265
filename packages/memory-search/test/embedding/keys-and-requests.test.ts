import { afterEach, describe, expect, test, vi } from 'vitest'
import { createEmbeddingProvider, type EmbeddingConfig } from '../../src/index.js'
import { everythingIn, failureOf, KEY, ManualClock, openBench, SERVICES, type Bench } from './support.js'

const DOCUMENT = { kind: 'document' } as const
const ENVIRONMENT = {
  OPENAI_API_KEY: 'sk-of-the-environment',
  OPENAI_ADMIN_KEY: 'sk-admin',
  OPENAI_BASE_URL: 'http://elsewhere.invalid/v1',
  OPENAI_ORG_ID: 'org-of-the-environment',
  OPENAI_PROJECT_ID: 'project-of-the-environment',
  OPENAI_CUSTOM_HEADERS: 'X-Custom: of-the-environment\nAuthorization: Bearer sk-custom',
  OPENAI_LOG: 'debug',
  OLLAMA_API_KEY: 'sk-ollama-of-the-environment',
  OLLAMA_HOST: 'http://elsewhere.invalid',
}

interface Sent {
  readonly url: string
  readonly headers: Record<string, string>
  readonly body: Record<string, unknown>
}

/** A service in memory that keeps what it was sent. */
function recording(config: EmbeddingConfig, env: Record<string, string> = {}) {
  const sent: Sent[] = []
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const body = JSON.parse(init?.body as string) as Record<string, unknown>
    sent.push({ url: input as string, headers: Object.fromEntries(new Headers(init?.headers)), body })
    const vectors = (body['input'] as string[]).map(() => Array.from({ length: config.dim }, () => 1))
    return Response.json({ embeddings: vectors, data: vectors.map((embedding) => ({ embedding })) })
  }
  return { sent, provider: createEmbeddingProvider(config, { ...new ManualClock(), fetch, env: (name) => env[name] }) }
}

const ollama: EmbeddingConfig = { provider: 'ollama', model: 'bge-m3', endpoint: 'https://ollama.com', dim: 4 }
const openai: EmbeddingConfig = { provider: 'openai', model: 'bge-m3', endpoint: 'http://host:8000/v1/', dim: 4 }
const lmStudio: EmbeddingConfig = { provider: 'lm-studio', model: 'bge-m3', endpoint: 'http://localhost:1234', dim: 4 }

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

describe('keys', () => {
  let bench: Bench
  afterEach(() => bench.server.close())

  describe.each(SERVICES)('of %s', (service) => {
    test('the declared variable is sent, read anew at each request', async () => {
      bench = await openBench(service, { apiKey: KEY })
      const env: Record<string, string> = {}
      const provider = bench.provider({ apiKeyEnv: 'MY_KEY' }, { env: (name) => env[name] })
      for (const value of [undefined, '', '  ']) {
        if (value !== undefined) env['MY_KEY'] = value
        const error = await failureOf(provider.embed(['Hello.'], DOCUMENT))
        expect(error).toMatchObject({ code: 'embedding_key_missing', concerns: 'configuration' })
        expect(error.message).toContain('MY_KEY is empty')
      }
      expect(bench.server.requests.all()).toHaveLength(0)
      env['MY_KEY'] = ` ${KEY}\n`
      expect(provider.circuit).toBe('closed')
      expect(await provider.embed(['Hello.'], DOCUMENT)).toHaveLength(1)
    })

    test('a wrong key is refused, and in no part of the error', async () => {
      bench = await openBench(service, { apiKey: KEY })
      const wrong = 'sk-wrong-key-9876'
      const error = await failureOf(bench.provider({ apiKey: wrong }).embed(['Hello.'], DOCUMENT))
      expect(error).toMatchObject({ code: 'embedding_rejected', status: 401 })
      expect(everythingIn(error)).not.toContain(wrong)
    })

    test('a key that no header may hold is not sent and not shown', async () => {
      bench = await openBench(service)
      const error = await failureOf(bench.provider({ apiKey: 'sk-one\nsk-two' }).embed(['Hello.'], DOCUMENT))
      expect(error.code).toBe('embedding_key_missing')
      expect(everythingIn(error)).not.toContain('sk-one')
      expect(bench.server.requests.all()).toHaveLength(0)
    })
  })
})

test('apiKeyEnv is preferred to apiKey, and its emptiness is not made up for', async () => {
  const config = { ...openai, apiKeyEnv: 'MY_KEY', apiKey: 'sk-in-file' }
  const { sent, provider } = recording(config, { MY_KEY: 'sk-in-env' })
  await provider.embed(['Hello.'], DOCUMENT)
  expect(sent[0]?.headers['authorization']).toBe('Bearer sk-in-env')
  expect((await failureOf(recording(config).provider.embed(['Hello.'], DOCUMENT))).code).toBe('embedding_key_missing')
})

test('OpenAI itself is not asked without a key; a compatible service is', async () => {
  const { sent, provider } = recording({ ...openai, endpoint: 'https://api.openai.com/v1' })
  expect((await failureOf(provider.embed(['Hello.'], DOCUMENT))).code).toBe('embedding_key_missing')
  expect(sent).toEqual([])
  await recording(openai).provider.embed(['Hello.'], DOCUMENT)
})

test.each([ollama, openai, lmStudio])('$provider takes nothing from the environment', async (config) => {
  for (const [name, value] of Object.entries(ENVIRONMENT)) vi.stubEnv(name, value)
  const spies = (['log', 'info', 'warn', 'error', 'debug'] as const).map((method) => vi.spyOn(console, method))
  const { sent, provider } = recording(config)
  await provider.embed(['Hello.'], DOCUMENT)
  expect(sent).toHaveLength(1)
  expect(new URL(sent[0]?.url ?? '').origin).toBe(new URL(config.endpoint).origin)
  expect(JSON.stringify(sent)).not.toMatch(/environment|sk-|elsewhere/)
  expect(Object.keys(sent[0]?.headers ?? {}).sort()).toEqual(['accept', 'content-type', 'user-agent'])
  for (const spy of spies) expect(spy).not.toHaveBeenCalled()
})

test.each([
  { config: ollama, url: 'https://ollama.com:443/api/embed' },
  { config: { ...ollama, endpoint: 'http://host/ollama/' }, url: 'http://host:80/ollama/api/embed' },
  { config: openai, url: 'http://host:8000/v1/embeddings' },
  { config: lmStudio, url: 'http://localhost:1234/v1/embeddings' },
  { config: { ...lmStudio, endpoint: 'http://localhost:1234/v1/' }, url: 'http://localhost:1234/v1/embeddings' },
])('$config.provider at $config.endpoint is asked at $url', async ({ config, url }) => {
  const { sent, provider } = recording(config)
  await provider.embed(['Hello.'], DOCUMENT)
  expect(sent.map((one) => one.url)).toEqual([url])
})

const plain = { model: 'bge-m3', input: ['Hello.'] }
test.each([
  { config: ollama, body: { ...plain, truncate: false } },
  { config: { ...ollama, model: 'embeddinggemma' }, body: { dimensions: 4, truncate: false } },
  { config: openai, body: { ...plain, encoding_format: 'float' } },
  { config: { ...openai, model: 'text-embedding-3-small' }, body: { dimensions: 4 } },
  { config: { ...openai, model: 'qwen3-embedding' }, body: { dimensions: undefined } },
  { config: lmStudio, body: { ...plain, encoding_format: 'float' } },
])('$config.provider with $config.model is sent $body', async ({ config, body }) => {
  const { sent, provider } = recording(config)
  await provider.embed(['Hello.'], DOCUMENT)
  const { dimensions, ...expected } = body as Record<string, unknown>
  expect(sent[0]?.body['dimensions']).toBe(dimensions)
  expect(sent[0]?.body).toMatchObject(config.model === 'embeddinggemma' ? { truncate: false } : expected)
})

test.each([
  'ftp://host/v1',
  'http://user:secret@host/v1',
  'http://host/v1?token=secret',
  'http://host/v1#secret',
  'no address, secret',
])('the endpoint %s is refused without being repeated', (endpoint) => {
  for (const config of [ollama, openai, lmStudio]) {
    try {
      createEmbeddingProvider({ ...config, endpoint }, new ManualClock())
      expect.unreachable()
    } catch (error) {
      expect(error).toMatchObject({ code: 'embedding_endpoint_invalid' })
      expect(everythingIn(error)).not.toContain('secret')
    }
  }
})

test.each([{ dim: 0 }, { dim: 1.5 }, { dim: Number.NaN }, { contextTokens: 15 }, { contextTokens: 99.5 }])(
  '%o is out of range',
  (changes) => {
    expect(() => createEmbeddingProvider({ ...openai, ...changes }, new ManualClock())).toThrow(RangeError)
  },
)

test.each([
  { name: 'another order', data: [2, 0, 1], ok: true },
  { name: 'no indices', data: [undefined, undefined, undefined], ok: true },
  { name: 'one index twice', data: [0, 1, 1], ok: false },
  { name: 'a gap', data: [0, 1, 3], ok: false },
  { name: 'some indices only', data: [0, undefined, 2], ok: false },
])('OpenAI vectors with $name', async ({ data, ok }) => {
  const unit = (at: number) => [0, 1, 2, 3].map((index) => (index === at ? 1 : 0))
  const answer = { data: data.map((index, place) => ({ index, embedding: unit(index ?? place) })) }
  const provider = createEmbeddingProvider(openai, { ...new ManualClock(), fetch: async () => Response.json(answer) })
  const call = provider.embed(['a', 'b', 'c'], DOCUMENT)
  if (!ok) return expect((await failureOf(call)).code).toBe('embedding_invalid')
  expect((await call).map((vector) => [...vector])).toEqual([unit(0), unit(1), unit(2)])
})

test('a fetch that does not listen to its signal cannot keep a caller', async () => {
  const clock = new ManualClock()
  let calls = 0
  const fetch = (): Promise<Response> => {
    calls += 1
    return new Promise(() => undefined)
  }
  const provider = createEmbeddingProvider(openai, { ...clock, fetch })
  const controller = new AbortController()
  const cancelled = provider.embed(['Hello.'], { ...DOCUMENT, signal: controller.signal })
  const late = failureOf(provider.embed(['Hello.'], DOCUMENT))
  await vi.waitUntil(() => calls === 2)
  controller.abort(new Error('over'))
  await expect(cancelled).rejects.toThrow('over')
  clock.advance(30_000)
  expect((await late).code).toBe('embedding_timeout')
})
