import { describe, expect, test } from 'vitest'
import { NOMIC_CALIBRATION, shippedCalibration } from '../../src/calibration/shipped.js'
import type { EmbeddingIdentity } from '../../src/embedding/embedding-provider.js'
import { identityOf } from '../../src/embedding/fingerprint.js'
import { instructionsOf } from '../../src/embedding/instructions.js'
import { expectOrderly } from './orderly.js'

const configured = (model: string, provider = 'ollama', dimension = 768): EmbeddingIdentity =>
  identityOf({ provider, model, dimension, instructions: instructionsOf(model) })

test('the default model has the figures of the specification', () => {
  expectOrderly(NOMIC_CALIBRATION)
  expect(Object.values(NOMIC_CALIBRATION)).toEqual([0.5, 0.62, 0.04, 0.65, 0.15, 0])
})

describe('the default model', () => {
  test.each([
    { provider: 'ollama', model: 'nomic-embed-text' },
    { provider: 'ollama', model: 'nomic-embed-text:latest' },
    { provider: 'ollama', model: 'nomic-embed-text:v1.5' },
    { provider: 'ollama', model: 'nomic-embed-text:137m-v1.5-fp16' },
    { provider: 'ollama', model: 'hf.co/nomic-ai/nomic-embed-text-v1.5-GGUF:Q8_0' },
    { provider: 'lm-studio', model: 'text-embedding-nomic-embed-text-v1.5' },
    { provider: 'lm-studio', model: 'text-embedding-nomic-embed-text-v1.5@q8_0' },
    { provider: 'lm-studio', model: 'text-embedding-nomic-embed-text-v1.5:2' },
    { provider: 'lm-studio', model: 'nomic-ai/nomic-embed-text-v1.5-GGUF' },
    { provider: 'openai', model: 'nomic-ai/nomic-embed-text-v1.5' },
    { provider: 'openai', model: 'Nomic-Embed-Text-v1.5' },
  ])('is known as $model at $provider', ({ provider, model }) => {
    expect(shippedCalibration(configured(model, provider))).toBe(NOMIC_CALIBRATION)
  })
})

describe('has to be measured:', () => {
  test.each([
    'text-embedding-nomic-embed-text-v1',
    'nomic-embed-text-v1',
    'nomic-embed-text:v1',
    'nomic-embed-text-v2-moe',
    'nomic-embed-text:v1.55',
    'nomic-embed-text-v1.50',
    'nomic-embed-text-vision',
    'somebody/nomic-embed-text',
    'hf.co/somebody/nomic-embed-text-v1.5',
    'my-nomic-embed-text',
    'nomic-embed-vision-v1.5',
    'mxbai-embed-large',
    '',
  ])('another model, "%s"', (model) => {
    expect(shippedCalibration(configured(model))).toBeUndefined()
  })

  test.each([256, 767, 769])('another dimension, %i', (dimension) => {
    expect(shippedCalibration(configured('nomic-embed-text', 'ollama', dimension))).toBeUndefined()
  })

  test.each([
    { name: 'none', instructions: { document: '', query: '' } },
    { name: 'for queries only', instructions: { document: '', query: 'search_query: ' } },
    { name: 'for documents only', instructions: { document: 'search_document: ', query: '' } },
    { name: 'of another task', instructions: { document: 'clustering: ', query: 'clustering: ' } },
    { name: 'of the host’s own making', instructions: 'my own way' },
  ])('other instructions, $name', ({ instructions }) => {
    const identity = identityOf({ provider: 'ollama', model: 'nomic-embed-text', dimension: 768, instructions })
    expect(shippedCalibration(identity)).toBeUndefined()
  })
})
