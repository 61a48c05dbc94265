import { afterEach, describe, expect, test } from 'vitest'
import { createEmbedder } from '../../../../test/model-server/index.js'
import { cosine, DIM, failureOf, MODELS, openBench, type Bench } from './support.js'

const DOCUMENT = { kind: 'document' } as const
const PREFIX = 'search_document: '
const embedder = createEmbedder({ model: `hash-${DIM}`, cacheDirectory: null })

/** A service that takes four characters a token and refuses what is over `served` tokens. */
const open = (service: 'ollama' | 'openai', served: number) =>
  openBench(service, { models: [{ name: MODELS[service], serves: `hash-${DIM}`, contextTokens: served }] })

describe.each(['ollama', 'openai'] as const)('texts over the context of %s', (service) => {
  let bench: Bench
  afterEach(() => bench.server.close())
  const sent = () => bench.server.requests.embeddings().map((request) => request.texts)
  const expectVectorOf = async (vector: Float32Array | undefined, text: string) => {
    const [expected] = await embedder.embed([text])
    expect(cosine(vector as Float32Array, expected as Float32Array)).toBeCloseTo(1, 5)
  }

  test.each([
    { name: 'below the limit', bytes: 6_119 - PREFIX.length, cut: 0 },
    { name: 'at the limit', bytes: 6_120 - PREFIX.length, cut: 0 },
    { name: 'above the limit', bytes: 6_121 - PREFIX.length, cut: 1 },
  ])('$name: 2,048 tokens less 8, at three bytes each', async ({ bytes, cut }) => {
    bench = await open(service, 2_048)
    const provider = bench.provider({ contextTokens: 2_048 })
    const text = 'x'.repeat(bytes)
    await provider.embed([text], DOCUMENT)
    expect(sent()).toEqual([[PREFIX + text.slice(0, 6_120 - PREFIX.length)]])
    expect(provider.counts().cutTexts).toBe(cut)
  })

  test('a text that does not fit after all is cut to what fits for certain; its neighbours stay whole', async () => {
    bench = await open(service, 512)
    const provider = bench.provider({ contextTokens: 2_048 })
    const long = 'y'.repeat(5_000)
    const fitting = 'z'.repeat(2_030)
    const vectors = await provider.embed(['short', long, fitting], DOCUMENT)
    const certain = PREFIX + long.slice(0, 2_040 - PREFIX.length)
    // Together; without the suspects; each suspect alone, first as it was.
    expect(sent()).toEqual([
      [`${PREFIX}short`, PREFIX + long, PREFIX + fitting],
      [`${PREFIX}short`],
      [PREFIX + long],
      [certain],
      [PREFIX + fitting],
    ])
    await expectVectorOf(vectors[0], `${PREFIX}short`)
    await expectVectorOf(vectors[1], certain)
    await expectVectorOf(vectors[2], PREFIX + fitting)
    expect(provider.counts()).toEqual({ requests: 5, texts: 7, failures: 2, cutTexts: 1, cacheHits: 0 })
    expect(provider.circuit).toBe('closed')
  })

  test('the same text has the same vector, alone or among others', async () => {
    bench = await open(service, 512)
    const provider = bench.provider({ contextTokens: 2_048 })
    const long = 'é'.repeat(2_500)
    const [alone] = await provider.embed([long], DOCUMENT)
    const [, among] = await provider.embed(['short', long], DOCUMENT)
    expect(among).toEqual(alone)
  })

  test('a service that takes less than was configured: a typed error that is no outage', async () => {
    bench = await open(service, 16)
    const provider = bench.provider({ contextTokens: 2_048 })
    const error = await failureOf(provider.embed(['word '.repeat(600)], DOCUMENT))
    expect(error).toMatchObject({ code: 'embedding_text_too_long', concerns: 'text', status: 400 })
    const small = await failureOf(provider.embed(['word '.repeat(40)], DOCUMENT))
    expect(small.code).toBe('embedding_text_too_long')
    expect(bench.server.requests.embeddings()).toHaveLength(3)
    expect(provider.circuit).toBe('closed')
  })

  test('lone surrogates are sent as U+FFFD', async () => {
    bench = await open(service, 512)
    await bench.provider().embed(['a\ud800b'], DOCUMENT)
    expect(sent()).toEqual([[`${PREFIX}a\ufffdb`]])
  })
})
