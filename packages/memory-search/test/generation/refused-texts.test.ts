import { layout, type Bullet } from '@mono-agent/memory-store'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { EmbeddingError, type EmbedOptions } from '../../src/index.js'
import { bullet, type TestRoot } from '../support/roots.js'
import { DAY, newRoot } from '../support/scenario.js'
import { build, hashProvider, JOURNAL, type CountingProvider } from '../support/vectors.js'

const COUNT = 100
const sentenceOf = (at: number): string => `Sentence ${at}`
const bullets: readonly Bullet[] = Array.from({ length: COUNT }, (_, at) =>
  bullet({ id: `m-${at}`, sentence: sentenceOf(at) }),
)

async function filled(): Promise<TestRoot> {
  const root = await newRoot()
  root.write(DAY, bullets)
  return root
}

describe('a text that the service does not take', () => {
  const refusing = (isBad: (text: string) => boolean): CountingProvider => {
    const provider = hashProvider()
    const embed = provider.embed.bind(provider)
    return Object.assign(provider, {
      embed: (texts: readonly string[], options: EmbedOptions) =>
        texts.some(isBad)
          ? Promise.reject(new EmbeddingError('embedding_rejected', { status: 400, concerns: 'text' }))
          : embed(texts, options),
    })
  }

  test.each([[[0]], [[31, 32]], [[3, 50, 99]]])('%j waits in the new index; all others are in it', async (bad) => {
    const root = await filled()
    const badTexts = new Set(bad.map(sentenceOf))
    const refused = bad.length
    const embed = refusing((text) => badTexts.has(text))
    expect((await build(root, { embed })).vectors).toEqual({ carriedOver: 0, embedded: COUNT - refused, refused })
    expect((await build(root, { embed })).vectors).toEqual({ carriedOver: COUNT - refused, embedded: 0, refused })
    const index = await root.open(JOURNAL)
    expect(index.missingVectors(0, COUNT).map(({ text }) => text)).toEqual([...badTexts])
    index.close()
  })

  test('is none if it takes no text at all: the build fails, the former index stays', async () => {
    const root = await filled()
    await build(root)
    const before = readFileSync(join(root.path, layout.manifest), 'utf8')
    root.write(DAY, [...bullets, bullet({ id: 'new', sentence: 'New' })])
    await expect(build(root, { embed: refusing(() => true) })).rejects.toMatchObject({ code: 'embedding_rejected' })
    expect(readFileSync(join(root.path, layout.manifest), 'utf8')).toBe(before)
  })
})
