import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CONTRACT_REASONS, ContractError } from '../../../src/capture/contract/contract-error.js'
import { parseStrictJson } from '../../../src/capture/contract/strict-json.js'
import { extract, reconcile, review, validExtraction, validReconcile, validReview } from './answers.js'

const CONTRACTS = [
  { name: 'extraction', parse: extract, valid: validExtraction },
  { name: 'review', parse: (text: string) => ({ decisions: review(text) }), valid: validReview },
  { name: 'reconcile', parse: (text: string) => ({ decisions: reconcile(text) }), valid: validReconcile },
]

/** Every place of a value, as the steps to it. */
function placesOf(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([key, part]) => placesOf(part, [...path, key]))]
}

function mutate(value: unknown, path: readonly string[], change: (found: unknown) => unknown): unknown {
  const [key, ...rest] = path
  if (key === undefined) return change(value)
  const copy = (Array.isArray(value) ? [...(value as unknown[])] : { ...(value as object) }) as Record<string, unknown>
  copy[key] = mutate(copy[key], rest, change)
  return copy
}

/** Undefined takes the field away, as JSON has none. */
const replacement = fc.oneof(
  fc.constantFrom<unknown>(undefined, null, true, '', [], {}, 0, -1, 1.5, 'ADD', 'drop', 'm1', 'person:owner'),
  fc.string({ unit: 'binary' }),
  fc.jsonValue(),
)

function verdict(parse: (completion: string) => unknown, completion: string): unknown {
  try {
    return parse(completion)
  } catch (error) {
    expect(error).toBeInstanceOf(ContractError)
    const { reason, code, message } = error as ContractError
    expect(CONTRACT_REASONS).toHaveProperty(reason)
    expect(code).toBe('model_output_invalid')
    expect(message).toContain(reason)
    return reason
  }
}

test.each(CONTRACTS)('any changed value of a valid $name is what was said, or refused with a reason', (contract) => {
  const valid = contract.valid()
  const places = placesOf(valid)
  fc.assert(
    fc.property(fc.constantFrom(...places), replacement, (path, value) => {
      const completion = JSON.stringify(mutate(valid, path, () => value)) ?? ''
      const result = verdict(contract.parse, completion)
      if (typeof result !== 'string') expect(result).toEqual(JSON.parse(completion))
    }),
    { numRuns: 600 },
  )
})

test.each(CONTRACTS)(
  'any changed character of a valid $name is what was said, or refused with a reason',
  (contract) => {
    const text = JSON.stringify(contract.valid())
    const edit = fc.record({
      at: fc.nat(text.length),
      remove: fc.nat(3),
      insert: fc.string({ unit: 'binary', maxLength: 3 }),
    })
    fc.assert(
      fc.property(edit, ({ at, remove, insert }) => {
        const completion = text.slice(0, at) + insert + text.slice(at + remove)
        const result = verdict(contract.parse, completion)
        if (typeof result !== 'string') expect(result).toEqual(JSON.parse(completion))
      }),
      { numRuns: 600 },
    )
  },
)

test.each(CONTRACTS)('any text at all is no $name, and is refused with a reason', (contract) => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.json()), (completion) => {
      expect(typeof verdict(contract.parse, completion)).toBe('string')
    }),
  )
})

/** A key spelt as JSON may spell it: each character as it is, or as an escape. */
const spell = (key: string, escaped: readonly boolean[]): string =>
  `"${[...key].map((letter, at) => (escaped[at % escaped.length] ? `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}` : letter)).join('')}"`

test('equal keys are found in any spelling, and no others', () => {
  const key = fc.record({
    name: fc.stringMatching(/^[a-c]{1,2}$/),
    escaped: fc.array(fc.boolean(), { minLength: 1, maxLength: 2 }),
  })
  fc.assert(
    fc.property(fc.array(key, { maxLength: 5 }), fc.nat(14), (keys, depth) => {
      const object = `{${keys.map(({ name, escaped }) => `${spell(name, escaped)}: {"a": "b", "c": []}`).join(', ')}}`
      const text = `${'['.repeat(depth)}${object}${']'.repeat(depth)}`
      const isRepeating = new Set(keys.map(({ name }) => name)).size < keys.length
      const isTooDeep = !isRepeating && depth === 14 && keys.length > 0
      const json = parseStrictJson(text)
      if (isTooDeep) expect(json).toEqual({ kind: 'refused', reason: 'too_deep' })
      else if (!isRepeating) expect(json).toEqual({ kind: 'value', value: JSON.parse(text) })
      else expect(json.kind).toBe('refused')
    }),
  )
})

test('what JSON.parse reads is read the same, unless it nests too deep', () => {
  fc.assert(
    fc.property(fc.json({ stringUnit: 'binary' }), (text) => {
      const json = parseStrictJson(text)
      if (json.kind === 'value') expect(json.value).toEqual(JSON.parse(text))
      else expect(json.reason).toBe('too_deep')
    }),
  )
})
