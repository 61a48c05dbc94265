import { afterEach, describe, expect, test } from 'vitest'
import type { Fault } from '../../../../test/model-server/index.js'
import { checkEmbeddingService, type EmbeddingConfig, type EmbeddingParts } from '../../src/index.js'
import { DIM, KEY, openBench, SERVICES, type Bench, type ServiceName } from './support.js'

let bench: Bench
afterEach(() => bench.server.close())

async function check(changes: Partial<EmbeddingConfig> = {}, parts: Partial<EmbeddingParts> = {}) {
  const checks = await checkEmbeddingService({ ...bench.config, ...changes }, { ...bench.clock, ...parts })
  for (const { message } of checks) expect(message).not.toBe('')
  return checks
    .filter(({ check }) => check !== 'language')
    .map(({ check, status, code }) => `${check} ${status} ${code}`)
}
const open = async (service: ServiceName, models = [{ name: 'bge-m3', serves: `hash-${DIM}` }]) => {
  bench = await openBench(service, { models })
  return { model: 'bge-m3' }
}

describe.each(SERVICES)('checking %s', (service) => {
  test('a service that holds the model', async () => {
    expect(await check(await open(service))).toEqual(['discovery ok ok', 'probe ok ok'])
    expect(bench.server.requests.embeddings()).toHaveLength(1)
  })

  test('another dimension is an error that names both', async () => {
    const config = await open(service)
    expect(await check({ ...config, dim: 99 })).toEqual(['discovery ok ok', 'probe error embedding_dimension'])
    const checks = await checkEmbeddingService({ ...bench.config, ...config, dim: 99 }, bench.clock)
    expect(checks[1]?.message).toMatch(/configured 99, received 64/)
  })

  test.each<{ fault: Fault; outcome: string }>([
    { fault: { kind: 'drop' }, outcome: 'waiting embedding_unavailable' },
    { fault: { kind: 'status', status: 503 }, outcome: 'waiting embedding_unavailable' },
    { fault: { kind: 'status', status: 429 }, outcome: 'waiting embedding_rate_limited' },
    { fault: { kind: 'status', status: 403 }, outcome: 'error embedding_rejected' },
    { fault: { kind: 'invalid-json' }, outcome: 'waiting embedding_invalid' },
    { fault: { kind: 'zero-vector' }, outcome: 'waiting embedding_invalid' },
  ])('$fault is $outcome', async ({ fault, outcome }) => {
    const config = await open(service)
    bench.server.faults.set(fault)
    expect((await check(config)).at(-1)).toMatch(new RegExp(`${outcome}$`))
  })

  test('a service that does not answer is waited for 30 s', async () => {
    const config = await open(service)
    bench.server.faults.set({ kind: 'never' })
    const checking = check(config)
    await bench.server.requests.arrival(1)
    bench.clock.advance(30_000)
    expect((await checking).at(-1)).toMatch(/waiting embedding_timeout$/)
  })

  test('a declared key that is empty is waited for, and nothing is sent', async () => {
    const config = await open(service)
    expect(await check({ ...config, apiKeyEnv: 'MY_KEY' })).toEqual(['discovery waiting embedding_key_missing'])
    expect(bench.server.requests.all()).toHaveLength(0)
  })

  test('a wrong key is an error', async () => {
    bench = await openBench(service, { apiKey: KEY })
    expect((await check({ apiKey: 'wrong' })).at(-1)).toMatch(/error embedding_rejected$/)
    expect(await check({ apiKey: KEY })).toEqual(['discovery ok ok', 'probe ok ok'])
  })

  test('an unknown model is an error', async () => {
    await open(service)
    const code = service === 'openai' ? 'rejected' : 'model_missing'
    expect((await check({ model: 'bge-m4' })).at(-1)).toMatch(new RegExp(`error embedding_${code}$`))
  })

  test('aborting rejects with the reason', async () => {
    const config = await open(service)
    const signal = AbortSignal.abort(new Error('over'))
    const checking = checkEmbeddingService({ ...bench.config, ...config }, bench.clock, { signal })
    await expect(checking).rejects.toThrow('over')
    expect(bench.server.requests.all()).toHaveLength(0)
  })

  test('an English-centred model is named, with multilingual ones', async () => {
    bench = await openBench(service)
    const checks = await checkEmbeddingService(bench.config, bench.clock)
    expect(checks[2]).toMatchObject({ check: 'language', status: 'ok', code: 'english_centred' })
    expect(checks[2]?.message).toMatch(/multilingual model.*(embeddinggemma|text-embedding-3-small)/)
  })
})

test.each([
  { model: 'nomic-embed-text', ok: false },
  { model: 'nomic-embed-text:v1', ok: false },
  { model: 'nomic-embed-text:v1.5', ok: true },
  { model: 'bge-m3', ok: true },
  { model: 'bge-m3:latest', ok: true },
  { model: 'BGE-M3', ok: false },
])('Ollama holds $model: $ok, by its exact tag', async ({ model, ok }) => {
  const models = ['nomic-embed-text:v1.5', 'bge-m3'].map((name) => ({ name, serves: `hash-${DIM}` }))
  await open('ollama', models)
  const expected = ok ? ['discovery ok ok', 'probe ok ok'] : ['discovery error embedding_model_missing']
  expect(await check({ model })).toEqual(expected)
})

test.each(['ollama', 'lm-studio'] as const)('a chat model of %s is unfit', async (service) => {
  await open(service)
  expect(await check({ model: 'scripted-chat' })).toEqual(['discovery error embedding_model_unfit'])
})

test('OpenAI without any key is waited for', async () => {
  await open('openai')
  expect(await check({ endpoint: 'https://api.openai.com/v1' })).toEqual(['discovery waiting embedding_key_missing'])
})
