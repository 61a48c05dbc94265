import { afterAll, describe, expect, test } from 'vitest'
import { createEmbedder } from '../../../../test/model-server/index.js'
import { chooseFloors } from '../../src/calibration/choose-floors.js'
import { rankLanguages } from '../../src/calibration/language-ranking.js'
import { measureModel, summarizeScores } from '../../src/calibration/measure.js'
import { shareReaching } from '../../src/calibration/scores.js'
import { cosine } from '../../src/ranking/cosine.js'
import { CALIBRATION_SENTENCES } from '../../src/calibration/sentences/sentence-set.js'
import type { EmbeddingProvider } from '../../src/embedding/embedding-provider.js'
import { identityOf } from '../../src/embedding/fingerprint.js'
import { expectOrderly } from './orderly.js'

const embedder = createEmbedder()
afterAll(() => embedder.close())

function toUnitLength(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector)
  return vector.map((value) => value / length)
}

const provider: EmbeddingProvider = {
  id: `test:${embedder.model}`,
  identity: identityOf({ provider: 'test', model: embedder.model, dimension: embedder.dim, instructions: 'none' }),
  embed: async (texts) => (await embedder.embed(texts)).map(toUnitLength),
}

/** The Universal Sentence Encoder Lite: small, and trained on English alone. */
describe('a real, weak, English model', async () => {
  const measurement = await measureModel(provider)
  const { calibration, languages, orderingError } = chooseFloors(measurement)
  const english = measurement.languages['en']

  test('is known as an English one', () => {
    expect(languages).toEqual(['en'])
  })

  test('gets floors of its own scale, far from those of the default model, and words that weigh full', () => {
    expectOrderly(calibration)
    expect(calibration.noiseFloor).toBeLessThan(0.4)
    expect(calibration.automaticFloor).toBeLessThan(0.5)
    expect(orderingError).toBeGreaterThan(0.2)
    expect(calibration.lexicalWeight).toBe(1)
  })

  test('answers English questions above its floors', () => {
    expect(shareReaching(english?.matched ?? [], calibration.deliberateFloor)).toBeGreaterThanOrEqual(0.75)
    expect(shareReaching(english?.unrelated ?? [], calibration.automaticFloor)).toBeLessThanOrEqual(0.01)
  })

  test('puts near misses between matches and what is unrelated', () => {
    const [matched, near, unrelated] = [english?.matched, english?.nearMiss, english?.unrelated].map(
      (scores) => summarizeScores(scores ?? []).median,
    )
    expect(matched).toBeGreaterThan(near ?? 1)
    expect(near).toBeGreaterThan(unrelated ?? 1)
  })

  test('finds every English fact first, by its vectors alone', async () => {
    const { en } = CALIBRATION_SENTENCES
    const [ranking] = await rankLanguages({ en }, async (query, documents) => {
      const [asked, ...stored] = await provider.embed([query, ...documents], { kind: 'query' })
      return stored.map((vector) => cosine(asked ?? vector, vector))
    })
    expect(ranking).toMatchObject({ hitAt1: 1, hitAt3: 1, chanceAt1: 1 / 16 })
  })
})
