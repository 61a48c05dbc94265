import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { splitLines, type Line } from '../src/ingest/lines.js'

async function* chunksOf(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  let start = 0
  for (let turn = 0; start < bytes.length; turn += 1) {
    const end = start + (sizes[turn % sizes.length] ?? bytes.length)
    yield await Promise.resolve(bytes.subarray(start, end))
    start = end
  }
}

async function linesOf(bytes: Uint8Array, sizes: readonly number[] = [1024], maxBytes?: number): Promise<Line[]> {
  const lines: Line[] = []
  for await (const line of splitLines(chunksOf(bytes, sizes), maxBytes)) lines.push(line)
  return lines
}

describe('splitting bytes into lines', () => {
  test.each([
    {
      name: 'LF',
      input: 'a\nb\n',
      lines: [
        { number: 1, text: 'a' },
        { number: 2, text: 'b' },
      ],
    },
    {
      name: 'CRLF',
      input: 'a\r\nb\r\n',
      lines: [
        { number: 1, text: 'a' },
        { number: 2, text: 'b' },
      ],
    },
    {
      name: 'no end on the last line',
      input: 'a\nb',
      lines: [
        { number: 1, text: 'a' },
        { number: 2, text: 'b' },
      ],
    },
    {
      name: 'empty lines, counted',
      input: '\n\na\n \nb',
      lines: [
        { number: 3, text: 'a' },
        { number: 5, text: 'b' },
      ],
    },
    {
      name: 'a byte order mark',
      input: '\uFEFFa\nb',
      lines: [
        { number: 1, text: 'a' },
        { number: 2, text: 'b' },
      ],
    },
    { name: 'nothing', input: '', lines: [] },
    { name: 'only a byte order mark', input: '\uFEFF', lines: [] },
  ])('reads $name', async ({ input, lines }) => {
    expect(await linesOf(Buffer.from(input), [1])).toEqual(lines)
    expect(await linesOf(Buffer.from(input), [3])).toEqual(lines)
  })

  test('a line that is no UTF-8 is a fault; the lines around it are read', async () => {
    const bytes = Buffer.concat([Buffer.from('a\n'), Buffer.from([0xff, 0xfe, 0x0a]), Buffer.from('ü\n')])
    expect(await linesOf(bytes, [2])).toEqual([
      { number: 1, text: 'a' },
      { number: 2, fault: 'not_utf8' },
      { number: 3, text: 'ü' },
    ])
  })

  test.each([
    { length: 7, line: { number: 1, text: 'xxxxxxx' } },
    { length: 8, line: { number: 1, text: 'xxxxxxxx' } },
    { length: 9, line: { number: 1, fault: 'line_too_long' } },
  ])('a line of $length bytes, where 8 are allowed', async ({ length, line }) => {
    expect(await linesOf(Buffer.from(`${'x'.repeat(length)}\nb`), [3], 8)).toEqual([line, { number: 2, text: 'b' }])
  })

  test('however the bytes are cut, the lines are those of a plain split', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) => text.replace(/[\r\n\uFEFF]/g, ''))),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
        async (texts, sizes) => {
          const expected = texts
            .map((text, index) => ({ number: index + 1, text: text.trim() }))
            .filter((line) => line.text !== '')
          expect(await linesOf(Buffer.from(texts.join('\n')), sizes)).toEqual(expected)
        },
      ),
    ))
})
