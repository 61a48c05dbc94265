import { cpSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { nodeFileSystem, type FileSystem } from '@mono-agent/memory-store'
import { describe, expect, test } from 'vitest'
import { makeTemporaryRoot } from '../../../../test/support/temporary-root.js'
import { rebuildMemoryIndex } from '../../src/index.js'
import { canonicalBytes, openBujo, scriptedModel, wordEmbeddings } from '../support/bujo.js'

const DELTA = '.replay-projection-v1.delta.jsonl'

/** Calls back when the first half of an append to the replay delta has been written. */
function withCutAppend(onCut: () => void): FileSystem {
  return {
    ...nodeFileSystem,
    open(path, mode) {
      const file = nodeFileSystem.open(path, mode)
      if (mode === 'read' || basename(path) !== DELTA) return file
      return Object.assign(Object.create(file) as typeof file, {
        write(bytes: Uint8Array, position: number): number {
          file.write(bytes.subarray(0, bytes.length / 2), position)
          onCut()
          return file.write(bytes, position)
        },
      })
    },
  }
}

/** A store whose Remember was cut in the middle of an append, and the one in which it went through. */
async function cutStore(): Promise<{ root: string; crashed: string; old: string }> {
  const root = makeTemporaryRoot()
  const crashed = join(makeTemporaryRoot(), 'crashed')
  const fs = withCutAppend(() => {
    cpSync(root, crashed, { recursive: true, filter: (path) => basename(path) !== '.writer-lease' })
  })
  const store = await openBujo(root, scriptedModel(), { fs })
  const { id } = await store.remember({ text: 'The tide is at 1 m.', replaceable: true })
  await store.remember({ text: 'The tide is at 2 m.', supersedes: id })
  await store.close()
  expect(readFileSync(join(crashed, DELTA), 'utf8')).not.toMatch(/\n$/)
  return { root, crashed, old: id }
}

const embed = wordEmbeddings()
const embeddings = { provider: 'ollama', model: 'words', dim: embed.identity.dimension } as const

describe('a Remember that a crash cut in the middle of an append (OPS-4)', () => {
  test.each([{ rebuilds: true }, { rebuilds: false }])(
    'rebuilt: $rebuilds; carried out when the store is opened',
    async ({ rebuilds }) => {
      const { root, crashed, old } = await cutStore()
      if (rebuilds) await rebuildMemoryIndex({ mode: 'bujo', path: crashed, embeddings, embed })
      const store = await openBujo(crashed, scriptedModel())
      expect(canonicalBytes(crashed)).toEqual(canonicalBytes(root))
      const { hits } = await store.recallWithOutcome('The tide is at 1 m')
      expect(hits.find(({ id }) => id === old)).toMatchObject({ currentness: 'superseded' })
      expect(await store.remember({ text: 'The tide is at 2 m.' })).toMatchObject({ status: 'duplicate' })
    },
  )

  test.each(['lite', 'journal'] as const)('%s is not built while it waits', async (mode) => {
    const { crashed } = await cutStore()
    const options = mode === 'lite' ? { path: crashed } : { path: crashed, mode, embeddings, embed }
    await expect(rebuildMemoryIndex(options)).rejects.toMatchObject({ code: 'plan_retained' })
  })
})
