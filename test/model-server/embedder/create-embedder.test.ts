import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { createEmbedder, SENTENCE_ENCODER, type Embedder, type EmbedderOptions } from '../index.js'

const open: Embedder[] = []
const directories: string[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((embedder) => embedder.close()))
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true })
})

function embedderWith(options: EmbedderOptions): Embedder {
  const embedder = createEmbedder(options)
  open.push(embedder)
  return embedder
}

function freshDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'embedder-'))
  directories.push(directory)
  return directory
}

const cosine = (a: Float32Array | undefined, b: Float32Array | undefined) =>
  Array.from(a ?? []).reduce((sum, value, index) => sum + value * (b?.[index] ?? NaN), 0)
const rounded = (vector: Float32Array | undefined) => Array.from(vector?.slice(0, 4) ?? [], (value) => value.toFixed(5))

describe('synthetic models', () => {
  test.each([2, 768, 1_536, 16_384])('hash-%i gives unit vectors of that dimension', async (dim) => {
    const embedder = embedderWith({ model: `hash-${dim}` })
    const [vector] = await embedder.embed(['some text'])
    expect(embedder.dim).toBe(dim)
    expect(vector).toHaveLength(dim)
    expect(cosine(vector, vector)).toBeCloseTo(1, 6)
  })

  test.each(['hash-1', 'hash-16385', 'hash-0768', 'hash-', 'hash-768-', 'hash-768-A', 'bert'])(
    'there is no %s',
    (model) => {
      expect(() => createEmbedder({ model })).toThrow(/No model named/)
    },
  )

  test.each([0, 1.5, NaN])('a context of %d tokens is refused', (contextTokens) => {
    expect(() => createEmbedder({ model: 'hash-8', contextTokens })).toThrow(/contextTokens/)
  })

  test('the same text has the same vector on every machine and in every run', async () => {
    const [vector] = await embedderWith({ model: 'hash-8' }).embed(['INV-2024-00917'])
    expect(rounded(vector)).toMatchInlineSnapshot(`
      [
        "-0.07438",
        "-0.59576",
        "0.13078",
        "0.51972",
      ]
    `)
  })

  test('different texts, and different models of one dimension, are nearly orthogonal', async () => {
    const texts = Array.from({ length: 200 }, (_, index) => `Memory ${index}`)
    const vectors = await embedderWith({ model: 'hash-768' }).embed(texts)
    const others = await embedderWith({ model: 'hash-768-other' }).embed(texts)
    const cosines = vectors.flatMap((a, index) => [
      ...vectors.slice(index + 1).map((b) => cosine(a, b)),
      cosine(a, others[index]),
    ])
    // 20,100 cosines of a spread of 1/√768 = 0.036: 6 spreads are never reached by chance.
    expect(Math.max(...cosines.map(Math.abs))).toBeLessThan(6 / Math.sqrt(768))
    expect(Math.abs(cosines.reduce((sum, value) => sum + value, 0) / cosines.length)).toBeLessThan(0.002)
  })

  test('what lies beyond the context is counted and does not show', async () => {
    const embedder = embedderWith({ model: 'hash-8', contextTokens: 2 })
    const [within, at, over] = await embedder.embedCounted(['12345678', '12345678', '123456789'])
    expect([within?.tokens, over?.tokens]).toEqual([2, 3])
    expect(over?.vector).toEqual(at?.vector)
    expect(await embedder.embedCounted([''])).toMatchObject([{ tokens: 1 }])
  })
})

describe('the sentence encoder', () => {
  const PAIRS = [
    { text: 'How old are you?', paraphrase: 'What is your age?', unrelated: 'The train to Basel leaves at noon.' },
    {
      text: 'My dog is called Bruno.',
      paraphrase: 'I have a dog named Bruno.',
      unrelated: 'The invoice has been paid.',
    },
    {
      text: 'She moved to Lisbon last year.',
      paraphrase: 'A year ago she relocated to Lisbon.',
      unrelated: 'Add two eggs and stir.',
    },
  ]

  test('a paraphrase is nearer than an unrelated sentence', async () => {
    const embedder = embedderWith({})
    expect(embedder).toMatchObject({ model: SENTENCE_ENCODER, dim: 512, contextTokens: 512 })
    for (const { text, paraphrase, unrelated } of PAIRS) {
      const [a, b, c] = await embedder.embed([text, paraphrase, unrelated])
      expect(cosine(a, a)).toBeCloseTo(1, 5)
      expect(cosine(a, b)).toBeGreaterThan(cosine(a, c) + 0.2)
    }
  })

  test('a vector depends on nothing but its text, cached or not', async () => {
    const texts = PAIRS.flatMap((pair) => Object.values(pair))
    const directory = freshDirectory()
    const alone: Float32Array[] = []
    const fresh = embedderWith({ cacheDirectory: null })
    for (const text of texts) alone.push(...(await fresh.embed([text])))
    const together = await embedderWith({ cacheDirectory: directory }).embed([...texts, ...texts])
    const cached = await embedderWith({ cacheDirectory: directory }).embed(texts)
    expect(together).toEqual([...alone, ...alone])
    expect(cached).toEqual(alone)
    expect(rounded(alone[0])).toEqual(['0.03869', '0.05044', '-0.04552', '0.05608'])
    expect(readdirSync(directory)).toEqual(['vectors-1.sqlite'])
  })

  test('any text has a vector; a long one is cut at the context', async () => {
    const embedder = embedderWith({ cacheDirectory: null, contextTokens: 8 })
    const long = 'one two three four five six seven eight nine ten '.repeat(1_000)
    const embedded = await embedder.embedCounted([
      '',
      ' ',
      '\n',
      '\ud800',
      '日本語',
      '🎉',
      long,
      'one two three four five six seven eight',
    ])
    for (const { vector } of embedded) expect(cosine(vector, vector)).toBeCloseTo(1, 5)
    expect(embedded.at(-2)?.tokens).toBeGreaterThan(8)
    expect(embedded.at(-1)?.tokens).toBe(8)
    expect(embedded.at(-2)?.vector).toEqual(embedded.at(-1)?.vector)
  })

  test('a cancelled call rejects with the reason, a closed embedder says so', async () => {
    const embedder = embedderWith({ cacheDirectory: null })
    const reason = new Error('no longer wanted')
    await expect(embedder.embed(['text'], { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    const unfinished = embedder.embed(['closed before it was there'])
    await Promise.all([embedder.close(), expect(unfinished).rejects.toThrow(/ended before/)])
    await expect(embedder.embed(['text'])).rejects.toThrow(/closed/)
  })
})
