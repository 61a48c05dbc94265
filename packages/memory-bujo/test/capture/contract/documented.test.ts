import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import * as bounds from '../../../src/capture/contract/bounds.js'
import { CONTRACT_REASONS } from '../../../src/capture/contract/contract-error.js'
import { contractSchemas } from '../../../src/capture/contract/json-schemas.js'
import { MAX_HUMAN_UNITS, MAX_TURN_UNITS } from '../../../src/capture/prompts/cut-text.js'

const documented = (path: string): string =>
  readFileSync(new URL(`../../../../../docs/${path}`, import.meta.url), 'utf8')
const page = documented('contracts.md')

test.each(Object.entries(CONTRACT_REASONS))('docs/contracts.md says what %s means', (reason, meaning) => {
  expect(page).toContain(`| \`${reason}\` | ${meaning} |`)
})

test.each([
  ...Object.entries({ ...bounds, MAX_HUMAN_UNITS, MAX_TURN_UNITS }),
  ['MAX_SENTENCE_BYTES', 2_048],
  ['MAX_FACT_TEXT', 160],
] as const)('docs/contracts.md names %s', (_, bound) => {
  const words = typeof bound === 'number' ? bound.toLocaleString('en-US') : bound
  expect(page).toMatch(new RegExp(`(?<![\\d,])${words}(?![\\d,]\\d)`))
})

test.each(Object.entries(contractSchemas))(
  'docs/contracts/%s.schema.json is the one the model gets',
  (name, schema) => {
    expect(JSON.parse(documented(`contracts/${name}.schema.json`))).toEqual(schema)
  },
)

/** Every object of a schema, however deep. */
function objectsOf(schema: unknown): Record<string, unknown>[] {
  if (typeof schema !== 'object' || schema === null) return []
  return [schema as Record<string, unknown>, ...Object.values(schema).flatMap(objectsOf)]
}

test.each(Object.entries(contractSchemas))('schema %s closes every object and uses what services know', (_, schema) => {
  const objects = objectsOf(schema)
  for (const object of objects.filter(({ type }) => type === 'object'))
    expect(object['additionalProperties']).toBe(false)
  expect(objects.some((object) => 'oneOf' in object || 'uniqueItems' in object)).toBe(false)
  expect(JSON.stringify(schema)).not.toContain('(?')
})

test('intentions are no part of the schema where they are off', () => {
  expect(JSON.stringify(contractSchemas.extraction)).not.toMatch(/intent/i)
  expect(JSON.stringify(contractSchemas['extraction-with-intentions'])).toContain('"intentState"')
})
