import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatLabelLine, isLabelLine, parseLabelLine, parseLabelRef, readLabels } from '../../src/format/labels.js'
import { MAX_LABEL_BYTES, MAX_LABELS, type MemoryLabel } from '../../src/index.js'
import { labels } from './arbitraries.js'

const line = (json: string): string => `  <!--label ${json}-->`
const ref = (json: string): string => `label:v1:${Buffer.from(json).toString('base64url')}`
const FACT = { attribution: 'user-stated', entityId: 'person:ana', kind: 'fact', v: 1 }
/** A fact label with these fields, keys sorted as canonical JSON has them. */
const fact = (fields: Record<string, unknown>): string => {
  const all: Record<string, unknown> = { ...FACT, ...fields }
  const sorted = (value: unknown): unknown =>
    typeof value === 'object' && value !== null
      ? Object.fromEntries(
          Object.entries(value)
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([key, item]) => [key, sorted(item)]),
        )
      : value
  return JSON.stringify(sorted(all))
}
const text = (value: string): unknown => ({ type: 'text', text: value })

describe('accepted', () => {
  test.each([
    {
      name: 'the example of the specification',
      json: '{"attribution":"user-stated","kind":"preference","scope":"agent","v":1}',
    },
    { name: 'a lesson', json: '{"kind":"lesson","scope":"project:memory-store","v":1,"verified":false}' },
    { name: 'the scope of a user', json: '{"attribution":"document","kind":"preference","scope":"user:u_1@x","v":1}' },
    {
      name: 'the scope of a conversation',
      json: '{"attribution":"unknown","kind":"preference","scope":"conversation:web:1 / 猫","v":1}',
    },
    { name: 'a coarse owner fact', json: fact({}) },
    { name: 'a birth date', json: fact({ key: 'birth_date', value: { type: 'date', date: '2000-02-29' } }) },
    { name: 'a name', json: fact({ key: 'full_name', value: text('Zoë 王') }) },
    { name: 'a preferred name', json: fact({ key: 'preferred_name', value: text('Z') }) },
    {
      name: 'a relationship',
      json: fact({ key: 'relationship', value: { type: 'relationship', role: 'sister', target: 'person:bo' } }),
    },
    { name: 'a home as text', json: fact({ key: 'home_location', value: text('Lisboa') }) },
    {
      name: 'work as an entity',
      json: fact({ key: 'work_location', value: { type: 'entity', entityId: 'place:porto' } }),
    },
    { name: 'another key', json: fact({ key: 'other:shoe-size', value: text('43') }) },
    {
      name: 'an assistant’s inference, valid for a while',
      json: fact({ attribution: 'assistant-inferred', validFrom: '2026-05-01', validTo: '2026-06-01T00:00:00Z' }),
    },
    { name: 'a text of 160 characters', json: fact({ key: 'full_name', value: text('👍'.repeat(160)) }) },
  ])('$name, as a line and as a ref', ({ json }) => {
    const expected = JSON.parse(json) as Record<string, unknown>
    delete expected['v']
    expect(parseLabelLine(line(json))).toEqual(expected)
    expect(parseLabelRef(ref(json))).toEqual(expected)
    expect(formatLabelLine(expected as unknown as MemoryLabel)).toBe(line(json))
  })
})

describe('unknown, and kept as it is', () => {
  test.each([
    { name: 'no JSON', json: '{' },
    { name: 'no object', json: '1' },
    { name: 'an array', json: '[]' },
    { name: 'null', json: 'null' },
    { name: 'spaces', json: '{"attribution": "user-stated","kind":"preference","scope":"agent","v":1}' },
    { name: 'keys in another order', json: '{"kind":"preference","attribution":"user-stated","scope":"agent","v":1}' },
    {
      name: 'a key twice',
      json: '{"attribution":"user-stated","kind":"preference","scope":"agent","scope":"agent","v":1}',
    },
    { name: 'another version', json: fact({ v: 2 }) },
    { name: 'no version', json: '{"kind":"lesson","scope":"agent","verified":true}' },
    { name: 'an unknown kind', json: '{"kind":"mood","scope":"agent","v":1}' },
    { name: 'an unknown field', json: fact({ mood: 'good' }) },
    { name: 'an inherited name as key', json: fact({ key: 'constructor', value: text('x') }) },
    { name: 'an unknown attribution', json: fact({ attribution: 'me' }) },
    { name: 'an unknown scope', json: '{"kind":"lesson","scope":"world","v":1,"verified":true}' },
    { name: 'a scope without a name', json: '{"kind":"lesson","scope":"conversation:","v":1,"verified":true}' },
    { name: 'a project that is no slug', json: '{"kind":"lesson","scope":"project:A B","v":1,"verified":true}' },
    { name: 'verified that is no boolean', json: '{"kind":"lesson","scope":"agent","v":1,"verified":"yes"}' },
    { name: 'an unknown fact key', json: fact({ key: 'shoe_size', value: text('43') }) },
    { name: 'another key that is not kebab', json: fact({ key: 'other:Shoe_size', value: text('43') }) },
    { name: 'a key without a value', json: fact({ key: 'full_name' }) },
    { name: 'a value without a key', json: fact({ value: text('43') }) },
    { name: 'a value of another type', json: fact({ key: 'birth_date', value: text('today') }) },
    {
      name: 'a day that does not exist',
      json: fact({ key: 'birth_date', value: { type: 'date', date: '2001-02-29' } }),
    },
    {
      name: 'a value with another field',
      json: fact({ key: 'full_name', value: { type: 'text', text: 'a', more: 1 } }),
    },
    { name: 'a text of 161 characters', json: fact({ key: 'full_name', value: text('👍'.repeat(161)) }) },
    { name: 'an empty text', json: fact({ key: 'full_name', value: text('') }) },
    { name: 'a text on two lines', json: fact({ key: 'full_name', value: text('a\nb') }) },
    { name: 'an entity that is none', json: fact({ entityId: 'ana' }) },
    { name: 'a validity that is no time', json: fact({ validFrom: 'May' }) },
  ])('$name', ({ json }) => {
    expect(isLabelLine(line(json))).toBe(true)
    expect(parseLabelLine(line(json))).toBeUndefined()
    expect(parseLabelRef(ref(json))).toBeUndefined()
  })

  test.each(['label:v1:', 'label:v1:!', 'label:v1:eyJ9=', 'label:v2:e30', 'r-1', 'label:v1:_w'])(
    'the ref %s',
    (text) => {
      expect(parseLabelRef(text)).toBeUndefined()
    },
  )

  test.each(['<!--label', '  <!--labels {}-->', '  <!--label {} ', '  text <!--label {}-->'])(
    'the line "%s" is no label',
    (text) => {
      expect(isLabelLine(text)).toBe(false)
    },
  )
})

test('a label takes 768 bytes and no more', () => {
  // A conversation id is the one part without a bound of its own.
  const bare = '{"kind":"lesson","scope":"conversation:","v":1,"verified":true}'
  const sized = (bytes: number): MemoryLabel => ({
    kind: 'lesson',
    scope: `conversation:${'a'.repeat(bytes - bare.length)}`,
    verified: true,
  })
  for (const bytes of [MAX_LABEL_BYTES - 1, MAX_LABEL_BYTES]) {
    const written = formatLabelLine(sized(bytes))
    expect(parseLabelLine(written)).toEqual(sized(bytes))
  }
  expect(() => formatLabelLine(sized(MAX_LABEL_BYTES + 1))).toThrow(RangeError)
  expect(parseLabelLine(line(bare.replace(':"', `:${'a'.repeat(MAX_LABEL_BYTES)}"`)))).toBeUndefined()
})

test('a memory carries its first eight readable labels, lines before refs, each once', () => {
  const lesson = (name: string): MemoryLabel => ({ kind: 'lesson', scope: `project:${name}`, verified: true })
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i']
  const lines = names.map((name) => formatLabelLine(lesson(name)))
  const asRef = (label: string): string => ref(label.slice('  <!--label '.length, -'-->'.length))
  const [first, ...rest] = lines as [string, ...string[]]
  expect(readLabels(lines.slice(0, MAX_LABELS - 1), [])).toHaveLength(MAX_LABELS - 1)
  expect(readLabels(lines.slice(0, MAX_LABELS), [])).toHaveLength(MAX_LABELS)
  expect(readLabels(lines, [])).toEqual(names.slice(0, MAX_LABELS).map(lesson))
  expect(readLabels([first, first, line('?')], ['r-1', asRef(first), asRef(rest[0] as string)])).toEqual([
    lesson('a'),
    lesson('b'),
  ])
})

test('a formatted label parses back the same', () =>
  fc.assert(
    fc.property(labels, (label) => {
      expect(parseLabelLine(formatLabelLine(label))).toEqual(label)
    }),
  ))
