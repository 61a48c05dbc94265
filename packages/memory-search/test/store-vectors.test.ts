import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openStoreVectors, readIndexManifest, requireNativeModules, type StoreVectors } from '../src/index.js'
import { bullet, LITE, makeRoot, type TestRoot } from './support/roots.js'
import { build, hashVector, JOURNAL, STRONG } from './support/vectors.js'

let root: TestRoot
beforeEach(async () => void (root = await makeRoot()))
afterEach(() => root.free())

const FILE = 'daily/2026-05-01.md'
const texts = (count: number): string[] => Array.from({ length: count }, (_, n) => `Fact number ${n} of the harbour.`)

async function fill(sentences: readonly string[]): Promise<StoreVectors> {
  root.write(
    FILE,
    sentences.map((sentence, n) => bullet({ id: `m-${n}`, sentence })),
  )
  await build(root)
  return openStoreVectors({ fs: root.fs, root: root.path, identity: JOURNAL })
}

describe('the vectors of a store', () => {
  test.each([
    { limit: 9, taken: [0, 1, 2, 3, 4, 5, 6, 7, 8] },
    { limit: 10, taken: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] },
    { limit: 11, taken: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] },
    { limit: 5, taken: [0, 2, 4, 6, 8] },
    { limit: 0, taken: [] },
  ])('a sample of $limit of ten is spread over all, in their order', async ({ limit, taken }) => {
    const all = texts(10)
    const vectors = await fill(all)
    expect(vectors.sample(limit)).toEqual(taken.map((n) => hashVector(all[n] as string)))
    vectors.close()
  })

  test('a content that is stored twice is there once', async () => {
    const vectors = await fill(['Ana keeps bees.', 'Ana keeps bees.', 'The gate is green.'])
    expect(vectors.sample(10)).toHaveLength(2)
    vectors.close()
  })

  test('another identity, or no index, is refused', async () => {
    expect(() => openStoreVectors({ fs: root.fs, root: root.path, identity: JOURNAL })).toThrow(
      expect.objectContaining({ code: 'manifest_missing' }) as Error,
    )
    ;(await fill(texts(1))).close()
    expect(() => openStoreVectors({ fs: root.fs, root: root.path, identity: LITE })).toThrow(
      expect.objectContaining({ code: 'configured_identity_mismatch' }) as Error,
    )
  })
})

test('a manifest tells what its index is for, whoever asks', async () => {
  expect(readIndexManifest(root.fs, root.path)).toBeUndefined()
  ;(await fill(texts(1))).close()
  expect(readIndexManifest(root.fs, root.path)).toMatchObject({ identity: JOURNAL, calibration: STRONG })
})

test.each([true, false])('native modules work here (vectors: %s)', (needsVectors) => {
  expect(() => requireNativeModules(needsVectors)).not.toThrow()
})
