import fc from 'fast-check'
import { expect, test } from 'vitest'
import { peek } from '../src/ingest/peek.js'

async function* chunksOf(texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield await Promise.resolve(Buffer.from(text))
}
async function allOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = []
  for await (const chunk of chunks) parts.push(chunk)
  return Buffer.concat(parts).toString()
}

test.each([
  { name: 'up to the limit', texts: ['abc', 'def'], limit: 4, needed: 99, head: 'abcd' },
  { name: 'exactly the limit', texts: ['abc', 'def'], limit: 3, needed: 99, head: 'abc' },
  { name: 'all there is', texts: ['abc'], limit: 9, needed: 99, head: 'abc' },
  { name: 'no more than is needed', texts: ['ab', 'cd', 'ef'], limit: 99, needed: 3, head: 'abcd' },
  { name: 'nothing', texts: [], limit: 9, needed: 1, head: '' },
])('looks at $name, and gives everything afterwards', async ({ texts, limit, needed, head }) => {
  const peeked = await peek(chunksOf(texts), limit, (seen) => seen.length >= needed)
  expect(Buffer.from(peeked.head).toString()).toBe(head)
  expect(await allOf(peeked.chunks)).toBe(texts.join(''))
})

test('does not wait for a chunk that it does not need', async () => {
  async function* stuck(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('abc')
    await new Promise(() => undefined)
  }
  const { head } = await peek(stuck(), 99, (seen) => seen.length > 0)
  expect(Buffer.from(head).toString()).toBe('abc')
})

test('loses and doubles nothing, however the stream is cut', () =>
  fc.assert(
    fc.asyncProperty(fc.array(fc.string()), fc.nat(30), fc.nat(30), async (texts, limit, needed) => {
      const { head, chunks } = await peek(chunksOf(texts), limit, (seen) => seen.length >= needed)
      const whole = await allOf(chunks)
      expect(whole).toBe(texts.join(''))
      expect(Buffer.from(whole).subarray(0, head.length).equals(head)).toBe(true)
    }),
  ))
