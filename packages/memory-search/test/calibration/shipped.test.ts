import { describe, expect, test } from 'vitest'
import { NOMIC_CALIBRATION, shippedCalibration } from '../../src/calibration/shipped.js'
import { expectOrderly } from './orderly.js'

const INSTRUCTIONS = { document: 'search_document: ', query: 'search_query: ' }

test('the default model has the figures of the specification', () => {
  expectOrderly(NOMIC_CALIBRATION)
  expect(Object.values(NOMIC_CALIBRATION)).toEqual([0.5, 0.62, 0.04, 0.65, 0.15, 0])
})

describe('the default model', () => {
  test.each([
    'nomic-embed-text',
    'nomic-embed-text:latest',
    'nomic-embed-text:v1.5',
    'nomic-embed-text:137m-v1.5-fp16',
    'text-embedding-nomic-embed-text-v1.5',
    'text-embedding-nomic-embed-text-v1.5@q8_0',
    'text-embedding-nomic-embed-text-v1.5:2',
    'nomic-ai/nomic-embed-text-v1.5',
    'nomic-ai/nomic-embed-text-v1.5-GGUF',
  ])('is known as %s', (model) => {
    expect(shippedCalibration({ model, dimension: 768 }, INSTRUCTIONS)).toBe(NOMIC_CALIBRATION)
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
    'my-nomic-embed-text',
    'nomic-embed-vision-v1.5',
    'mxbai-embed-large',
    '',
  ])('another model, "%s"', (model) => {
    expect(shippedCalibration({ model, dimension: 768 }, INSTRUCTIONS)).toBeUndefined()
  })

  test.each([256, 767, 769])('another dimension, %i', (dimension) => {
    expect(shippedCalibration({ model: 'nomic-embed-text', dimension }, INSTRUCTIONS)).toBeUndefined()
  })

  test.each([
    { name: 'none', instructions: { document: '', query: '' } },
    { name: 'one for queries only', instructions: { ...INSTRUCTIONS, document: '' } },
    { name: 'one for documents only', instructions: { ...INSTRUCTIONS, query: '' } },
    { name: 'of another task', instructions: { document: 'clustering: ', query: 'clustering: ' } },
  ])('other instructions, $name', ({ instructions }) => {
    expect(shippedCalibration({ model: 'nomic-embed-text', dimension: 768 }, instructions)).toBeUndefined()
  })
})
