import { describe, expect, test } from 'vitest'
import { completeEmbeddingProvider, EmbeddingError, type HostEmbeddings } from '../../src/index.js'
import { failureOf, ManualClock } from './support.js'

const DOCUMENT = { kind: 'document' } as const
type Embed = HostEmbeddings['embed']

function complete(embed: Embed, changes: Partial<HostEmbeddings> = {}) {
  const clock = new ManualClock()
  return {
    clock,
    provider: completeEmbeddingProvider({ provider: 'own', model: 'm', dimension: 2, embed, ...changes }, clock),
  }
}
const ones: Embed = async (texts) => texts.map(() => [3, 4])

describe('embeddings of the host', () => {
  test('are given texts as they are, in batches, with kind and signal, and their vectors made of unit length', async () => {
    const seen: [readonly string[], string, AbortSignal][] = []
    const { provider } = complete(async (texts, { kind, signal }) => {
      seen.push([texts, kind, signal])
      return ones(texts, { kind, signal })
    })
    const texts = Array.from({ length: 33 }, (_, index) => `text ${index}`)
    const vectors = await provider.embed(texts, DOCUMENT)
    expect(vectors).toHaveLength(33)
    expect(vectors[0]).toEqual(Float32Array.from([0.6, 0.8]))
    expect(seen.map(([batch]) => batch.length)).toEqual([32, 1])
    expect(seen.flatMap(([batch]) => batch)).toEqual(texts)
    expect(seen[0]?.[2]).toBeInstanceOf(AbortSignal)
  })

  test('their policy is part of the fingerprint', () => {
    const prints = [{}, { policy: 'v2' }, { dimension: 3 }, { model: 'n' }, { provider: 'other' }].map(
      (changes) => complete(ones, changes).provider.identity.fingerprint,
    )
    expect(new Set(prints).size).toBe(5)
    expect(complete(ones).provider.identity.fingerprint).toBe(prints[0])
  })

  test.each<{ name: string; embed: Embed; code: string }>([
    {
      name: 'a throw',
      embed: () => {
        throw new Error('boom')
      },
      code: 'embedding_unavailable',
    },
    { name: 'a rejection', embed: async () => Promise.reject(new Error('boom')), code: 'embedding_unavailable' },
    {
      name: 'an error of this library',
      embed: async () => {
        throw new EmbeddingError('embedding_rate_limited')
      },
      code: 'embedding_rate_limited',
    },
    { name: 'no list', embed: async () => undefined as never, code: 'embedding_invalid' },
    { name: 'too few', embed: async () => [], code: 'embedding_invalid' },
    { name: 'another dimension', embed: async () => [[1]], code: 'embedding_dimension' },
  ])('$name is $code', async ({ embed, code }) => {
    expect((await failureOf(complete(embed).provider.embed(['x'], DOCUMENT))).code).toBe(code)
  })

  test('one that never answers is given up after 30 s, its signal aborted', async () => {
    const signals: AbortSignal[] = []
    const { clock, provider } = complete((_, { signal }) => {
      signals.push(signal)
      return new Promise(() => undefined)
    })
    const failing = failureOf(provider.embed(['x'], DOCUMENT))
    clock.advance(29_999)
    expect(signals[0]?.aborted).toBe(false)
    clock.advance(1)
    expect((await failing).code).toBe('embedding_timeout')
    expect(signals[0]?.aborted).toBe(true)
  })

  test('are cut only if a context is given', async () => {
    const lengths: number[] = []
    const embed: Embed = async (texts, options) => {
      lengths.push(...texts.map(({ length }) => length))
      return ones(texts, options)
    }
    await complete(embed).provider.embed(['x'.repeat(100_000)], DOCUMENT)
    const { provider } = complete(embed, { contextTokens: 16 })
    await provider.embed(['x'.repeat(24), 'x'.repeat(25)], DOCUMENT)
    expect(lengths).toEqual([100_000, 24, 24])
    expect(provider.counts().cutTexts).toBe(1)
  })

  test('may not take the name of a built-in service', () => {
    expect(() => complete(ones, { provider: 'ollama' })).toThrow(TypeError)
    expect(() => complete(ones, { provider: 'toString' })).not.toThrow()
  })
})
