import { describe, expect, test } from 'vitest'
import { measureModel, poolPairs, scorePairs, summarizeScores } from '../../src/calibration/measure.js'
import { CALIBRATION_SENTENCES } from '../../src/calibration/sentences/sentence-set.js'
import type { SentenceSet } from '../../src/calibration/sentences/sentence-set.js'
import type { EmbeddingProvider, EmbedOptions } from '../../src/embedding/embedding-provider.js'

interface Call {
  readonly texts: readonly string[]
  readonly options: EmbedOptions
}

/** A model that knows a vector for each text, and remembers what it was asked. */
function fakeProvider(vectorOf: (text: string) => readonly number[]): { provider: EmbeddingProvider; calls: Call[] } {
  const calls: Call[] = []
  const provider: EmbeddingProvider = {
    id: 'fake:table',
    identity: { provider: 'fake', model: 'table', dimension: 2, fingerprint: 'table' },
    embed: async (texts, options) => {
      calls.push({ texts, options })
      return texts.map((text) => Float32Array.from(vectorOf(text)))
    },
  }
  return { provider, calls }
}

/** The unit vector at this angle. */
const at = (degrees: number): number[] => [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)]

const SET: SentenceSet = {
  aa: [
    { fact: 'fact 0', paraphrase: 'asked 10', nearMiss: 'near 40' },
    { fact: 'fact 90', paraphrase: 'asked 80', nearMiss: 'near 130' },
  ],
  bb: [{ fact: 'fact 20', paraphrase: 'asked 50', nearMiss: 'near 110' }],
}
const byName = (text: string): number[] => at(Number(text.split(' ')[1]))
const degrees = (scores: readonly number[]): number[] =>
  scores.map((score) => Math.round((Math.acos(score) * 180) / Math.PI)).sort((a, b) => a - b)

describe('measureModel', () => {
  test('scores each paraphrase against facts and near misses of its own language', async () => {
    const { languages, overall } = await measureModel(fakeProvider(byName).provider, { sentences: SET })
    expect(Object.keys(languages)).toEqual(['aa', 'bb'])
    expect(degrees(languages['aa']?.matched ?? [])).toEqual([10, 10])
    expect(degrees(languages['aa']?.nearMiss ?? [])).toEqual([30, 50])
    // asked 10 with fact 90 and near 130, asked 80 with fact 0 and near 40
    expect(degrees(languages['aa']?.unrelated ?? [])).toEqual([40, 80, 80, 120])
    expect(degrees(languages['bb']?.matched ?? [])).toEqual([30])
    expect(degrees(languages['bb']?.nearMiss ?? [])).toEqual([60])
    expect(languages['bb']?.unrelated).toEqual([])
    expect(overall).toEqual(poolPairs(Object.values(languages)))
  })

  test('embeds memories as documents and paraphrases as queries, and passes the signal on', async () => {
    const { provider, calls } = fakeProvider(byName)
    const { signal } = new AbortController()
    await measureModel(provider, { sentences: SET, signal })
    expect(calls).toEqual([
      {
        texts: ['fact 0', 'fact 90', 'fact 20', 'near 40', 'near 130', 'near 110'],
        options: { kind: 'document', signal },
      },
      { texts: ['asked 10', 'asked 80', 'asked 50'], options: { kind: 'query', signal } },
    ])
  })

  test('measures the bundled set by itself', async () => {
    const { provider } = fakeProvider((text) => at(text.length))
    const { overall, languages } = await measureModel(provider)
    const counts = Object.values(CALIBRATION_SENTENCES).map((triples) => triples.length)
    const sum = (numbers: number[]) => numbers.reduce((a, b) => a + b, 0)
    expect(Object.keys(languages)).toEqual(Object.keys(CALIBRATION_SENTENCES))
    expect(overall.matched.length).toBe(sum(counts))
    expect(overall.nearMiss.length).toBe(sum(counts))
    expect(overall.unrelated.length).toBe(sum(counts.map((count) => 2 * count * (count - 1))))
  })

  test.each([
    { name: 'too few', change: (vectors: Float32Array[]) => vectors.slice(1) },
    { name: 'too many', change: (vectors: Float32Array[]) => [...vectors, Float32Array.of(1, 0)] },
  ])('a provider that gives $name vectors is named as the fault', async ({ change }) => {
    const { provider } = fakeProvider(byName)
    const broken: EmbeddingProvider = { ...provider, embed: async (...args) => change(await provider.embed(...args)) }
    await expect(measureModel(broken, { sentences: SET })).rejects.toThrow(TypeError)
  })

  test('what the provider throws comes through as it is', async () => {
    const failure = new Error('the service is down')
    const { provider } = fakeProvider(byName)
    const dead: EmbeddingProvider = { ...provider, embed: async () => Promise.reject(failure) }
    await expect(measureModel(dead, { sentences: SET })).rejects.toBe(failure)
  })
})

test('a vector that is not finite is refused', () => {
  const nan = [Float32Array.of(Number.NaN, 0)]
  expect(() => scorePairs({ facts: nan, paraphrases: nan, nearMisses: nan })).toThrow(RangeError)
})

test('five figures of a distribution', () => {
  const scores = Array.from({ length: 100 }, (_, i) => (100 - i) / 100)
  expect(summarizeScores(scores)).toEqual({ count: 100, p5: 0.05, p25: 0.25, median: 0.5, p75: 0.75, p95: 0.95 })
  expect(summarizeScores([])).toEqual({ count: 0, p5: 0, p25: 0, median: 0, p75: 0, p95: 0 })
})
