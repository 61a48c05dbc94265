import type { EmbeddingProvider } from '@mono-agent/memory-search'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createBujoMemoryStore, createMemoryStore, type BujoStoreOptions } from '../src/index.js'

const embeddings: EmbeddingProvider = {
  id: 'host:own',
  identity: { provider: 'host', model: 'own', dimension: 8, fingerprint: 'f' },
  embed: (texts) => Promise.resolve(texts.map(() => new Float32Array(8).fill(1))),
}
const llm = { id: 'host:large', complete: () => Promise.resolve({ text: '{}' }) }
const { provider: _, ...halfIdentity } = embeddings.identity

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'memory-parts-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const rejection = (option: string) =>
  expect.objectContaining({ code: 'config_invalid', message: expect.stringMatching(`^${option}: must be `) })

describe('parts that could not work are refused by name before anything is opened (CFG-6)', () => {
  test.each<{ option: string; given: string; parts: Record<string, unknown> }>([
    { option: 'llm', given: 'nothing', parts: { llm: undefined } },
    { option: 'llm', given: 'a bare function', parts: { llm: llm.complete } },
    { option: 'llm', given: 'no function', parts: { llm: { id: llm.id } } },
    { option: 'llm', given: 'no id', parts: { llm: { complete: llm.complete } } },
    { option: 'reconcileModel', given: 'a name', parts: { reconcileModel: 'house:small' } },
    { option: 'embeddings', given: 'nothing', parts: { embeddings: undefined } },
    { option: 'embeddings', given: 'no function', parts: { embeddings: { ...embeddings, embed: undefined } } },
    { option: 'embeddings', given: 'no id', parts: { embeddings: { ...embeddings, id: '' } } },
    { option: 'embeddings', given: 'no identity', parts: { embeddings: { ...embeddings, identity: undefined } } },
    { option: 'embeddings', given: 'half of it', parts: { embeddings: { ...embeddings, identity: halfIdentity } } },
    { option: 'root', given: 'nothing', parts: { root: undefined } },
  ])('$option: $given', async ({ option, parts }) => {
    const root = join(folder, 'store')
    const options = { root, llm, embeddings, dim: 8, ...parts } as unknown as BujoStoreOptions
    await expect(createBujoMemoryStore(options)).rejects.toEqual(rejection(option))
    expect(existsSync(root)).toBe(false)
  })

  test('createMemoryStore: a bare function as embed', async () => {
    const config = { mode: 'journal', path: join(folder, 'store'), embeddings: { dim: 8 } } as const
    const embed = embeddings.embed as unknown as EmbeddingProvider
    await expect(createMemoryStore(config, { embed })).rejects.toEqual(rejection('embed'))
  })
})
