import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createLineSplitter } from '../../src/adapters/line-splitter.js'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

function split(maxBytes: number, chunks: readonly string[]): string[] {
  const splitter = createLineSplitter(maxBytes)
  const lines = [...chunks.flatMap((chunk) => splitter.push(bytes(chunk))), ...splitter.end()]
  return lines.map((line) => (line.kind === 'line' ? new TextDecoder().decode(line.bytes) : 'OVERSIZE'))
}

describe('lines of a stream', () => {
  test.each([
    { name: 'one line', chunks: ['abc\n'], lines: ['abc'] },
    { name: 'two lines in one chunk', chunks: ['a\nb\n'], lines: ['a', 'b'] },
    { name: 'a line over three chunks', chunks: ['a', 'b', 'c\n'], lines: ['abc'] },
    { name: 'an empty line', chunks: ['\n'], lines: [''] },
    { name: 'a last line without its end', chunks: ['a\nb'], lines: ['a', 'b'] },
    { name: 'nothing', chunks: [], lines: [] },
    { name: 'a character cut in two', chunks: ['ä\n'], lines: ['ä'] },
    { name: 'as long as allowed', chunks: ['12345\n6\n'], lines: ['12345', '6'] },
    { name: 'one byte too long', chunks: ['123456\n7\n'], lines: ['OVERSIZE', '7'] },
    { name: 'too long over many chunks', chunks: ['1234', '5678', '9\n1\n'], lines: ['OVERSIZE', '1'] },
    { name: 'too long and never ended', chunks: ['123456'], lines: ['OVERSIZE'] },
  ])('$name', ({ chunks, lines }) => expect(split(5, chunks)).toEqual(lines))

  test('are the same however the bytes arrive', () =>
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'b', '\n', 'ccc')), fc.integer({ min: 1, max: 8 }), (parts, size) => {
        const whole = parts.join('')
        const chunks = Array.from({ length: Math.ceil(whole.length / size) }, (_, i) =>
          whole.slice(i * size, (i + 1) * size),
        )
        const naive = whole.split('\n').map((line) => (line.length > 5 ? 'OVERSIZE' : line))
        if (naive.at(-1) === '') naive.pop()
        expect(split(5, chunks)).toEqual(naive)
      }),
    ))
})
