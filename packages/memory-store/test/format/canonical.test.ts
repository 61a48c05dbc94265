import fc from 'fast-check'
import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { canonicalJson, contentHash, fingerprint, normaliseContent } from '../../src/index.js'

describe('canonical JSON', () => {
  test.each([
    { value: { b: 1, a: [2, null, true], c: undefined }, json: '{"a":[2,null,true],"b":1}' },
    { value: { é: 1, z: 1, Z: 1, '10': 1, '9': 1 }, json: '{"10":1,"9":1,"Z":1,"z":1,"é":1}' },
    { value: 'a"\\\n猫', json: '"a\\"\\\\\\n猫"' },
    { value: '\ud800', json: '"\\ud800"' },
    { value: -0, json: '0' },
    { value: 1e21, json: '1e+21' },
    { value: {}, json: '{}' },
  ])('writes $json', ({ value, json }) => {
    expect(canonicalJson(value)).toBe(json)
  })

  const cycle: Record<string, unknown> = {}
  cycle['self'] = cycle
  test.each([
    { name: 'NaN', value: NaN },
    { name: 'Infinity', value: [Infinity] },
    { name: 'a bigint', value: 1n },
    { name: 'undefined', value: undefined },
    { name: 'undefined in an array', value: [undefined] },
    { name: 'a function', value: { f: () => 1 } },
    { name: 'a symbol', value: Symbol('a') },
  ])('refuses $name', ({ value }) => {
    expect(() => canonicalJson(value)).toThrow(TypeError)
  })
  test('refuses a cycle', () => {
    expect(() => canonicalJson(cycle)).toThrow(/cycle|call stack/i)
  })

  test.each(['\ud800', { a: ['x\udc00'] }, { '\ud800': 1 }])('refuses lone surrogates where asked to', (value) => {
    expect(() => canonicalJson(value, { requireWellFormed: true })).toThrow(TypeError)
    expect(JSON.parse(canonicalJson(value))).toEqual(value)
  })

  test('reads back as the same value, in one spelling', () =>
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const json = canonicalJson(value)
        const parsed = JSON.parse(json) as unknown
        expect(parsed).toEqual(JSON.parse(JSON.stringify(value)))
        expect(canonicalJson(parsed)).toBe(json)
      }),
    ))
})

describe('content hash', () => {
  test.each([
    { name: 'white space', a: 'Green\u00a0 tea\n', b: ' Green tea' },
    { name: 'compatibility forms', a: 'Ｇｒｅｅｎ ﬁg', b: 'Green fig' },
    { name: 'composition', a: 'Zoe\u0308', b: 'Zoë' },
    { name: 'half-width kana', a: 'ｼﾘﾄﾘ', b: 'シリトリ' },
    { name: 'lone surrogates', a: 'a\ud800', b: 'a\ufffd' },
  ])('does not see $name', ({ a, b }) => {
    expect(contentHash(a)).toBe(contentHash(b))
  })
  test.each([
    { name: 'case', a: 'Tea', b: 'tea' },
    { name: 'accents', a: 'Zoë', b: 'Zoe' },
    { name: 'word order', a: 'a b', b: 'b a' },
    { name: 'space within a word', a: 'ab', b: 'a b' },
  ])('sees $name', ({ a, b }) => {
    expect(contentHash(a)).not.toBe(contentHash(b))
  })
  test('is the SHA-256 of the normalised text, which normalising leaves alone', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const normalised = normaliseContent(text)
        expect(contentHash(text)).toBe(createHash('sha256').update(normalised).digest('hex'))
        expect(normaliseContent(normalised)).toBe(normalised)
      }),
    ))
})

describe('fingerprint', () => {
  const digest = createHash('sha256').update('x').digest('hex')
  const file = (path: string, length = 1): { path: string; length: number; digest: string } => ({
    path,
    length,
    digest,
  })

  test('is pinned', () => {
    const bytes = `memory-fingerprint 1\ndaily/2026-05-01.md\0${1}\0${digest}\ngraph.jsonl\0${2}\0${digest}\n`
    const expected = createHash('sha256').update(bytes).digest('hex')
    expect(fingerprint([file('graph.jsonl', 2), file('daily/2026-05-01.md')])).toBe(expected)
    expect(fingerprint([])).toBe(createHash('sha256').update('memory-fingerprint 1\n').digest('hex'))
  })

  test('does not see the order of files and sees every other difference', () => {
    const base = [file('a'), file('b')]
    expect(fingerprint([...base].reverse())).toBe(fingerprint(base))
    const others = [
      [file('a')],
      [file('a'), file('c')],
      [file('a', 2), file('b')],
      [{ ...file('a'), digest: digest.replace(/^./, '0') }, file('b')],
    ]
    expect(new Set([base, ...others].map(fingerprint)).size).toBe(others.length + 1)
  })

  test.each([
    { name: 'a file named twice', files: [file('a'), file('a')] },
    { name: 'an empty path', files: [file('')] },
    { name: 'a path with a line feed', files: [file('a\nb')] },
    { name: 'a length below zero', files: [file('a', -1)] },
    { name: 'a length that is no whole number', files: [file('a', 0.5)] },
    { name: 'a digest in capitals', files: [{ ...file('a'), digest: digest.toUpperCase() }] },
  ])('refuses $name', ({ files }) => {
    expect(() => fingerprint(files)).toThrow(RangeError)
  })
})
