import { EmbeddingError, type EmbeddingProvider } from '@mono-agent/memory-search'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createMemoryStore, type BuiltInMemoryStore } from '../src/index.js'

const DIM = 8
let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'memory-injected-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const SECRET = 'what the host said of a text'

function openWith(embed: (...given: never[]) => unknown): Promise<BuiltInMemoryStore> {
  const provider = {
    id: 'host:own',
    identity: { provider: 'host', model: 'own', dimension: DIM, fingerprint: 'f' },
    embed,
  } as unknown as EmbeddingProvider
  const config = { mode: 'journal', path: join(folder, 'store'), embeddings: { dim: DIM } } as const
  return createMemoryStore(config, { embed: provider })
}

describe('a provider of the host that breaks the promise of the port delays vectors and nothing else (SEA-1, SEA-3)', () => {
  test.each<{ name: string; embed: (texts: readonly string[]) => unknown; code: string }>([
    {
      name: 'throws at once',
      embed: () => {
        throw new Error(SECRET)
      },
      code: 'embedding_unavailable',
    },
    { name: 'rejects untyped', embed: () => Promise.reject(new Error(SECRET)), code: 'embedding_unavailable' },
    {
      name: 'is in a circuit',
      embed: () => Promise.reject(new EmbeddingError('embedding_circuit_open')),
      code: 'embedding_circuit_open',
    },
    { name: 'gives nothing', embed: () => Promise.resolve(undefined), code: 'embedding_invalid' },
    { name: 'gives too few', embed: () => Promise.resolve([]), code: 'embedding_invalid' },
    {
      name: 'gives another dimension',
      embed: (texts) => Promise.resolve(texts.map(() => new Float32Array(DIM + 1).fill(1))),
      code: 'embedding_dimension',
    },
    {
      name: 'gives no numbers',
      embed: (texts) => Promise.resolve(texts.map(() => new Float32Array(DIM).fill(NaN))),
      code: 'embedding_invalid',
    },
  ])('$name', async ({ embed, code }) => {
    const store = await openWith(embed)
    await store.remember({ text: 'Ana keeps bees.' })
    expect(await store.flush()).toEqual({ pending: 0, dead: 0, missingVectors: 1 })
    expect(await store.recallWithOutcome('bees')).toMatchObject({
      mode: 'lexical',
      degraded: { reason: code },
      hits: [{ text: 'Ana keeps bees.' }],
    })
    await store.close()
  })

  test('gives plain numbers of any length, 32 texts at a time: they are taken', async () => {
    let calls = 0
    let most = 0
    const store = await openWith((texts: readonly string[]) => {
      calls += 1
      most = Math.max(most, texts.length)
      return Promise.resolve(texts.map((text) => Array.from({ length: DIM }, (_, at) => text.length + at + calls)))
    })
    await store.remember({ text: 'Ana keeps bees.' })
    await store.flush()
    expect(await store.recallWithOutcome('bees')).toMatchObject({ mode: 'hybrid', hits: [{ text: 'Ana keeps bees.' }] })
    expect(store.snapshot().calls.embedding).toBe(calls) // it does not count itself
    expect(most).toBe(32) // measuring the model takes hundreds of texts
    await store.close()
  })

  test('never answers a query: the request ends with the store', async () => {
    const signals: (AbortSignal | undefined)[] = []
    const store = await openWith((_texts: readonly string[], { signal }: { signal?: AbortSignal }) => {
      signals.push(signal)
      return new Promise(() => undefined)
    })
    const recall = store.recallWithOutcome('bees')
    expect(signals.map((signal) => signal?.aborted)).toEqual([false])
    await recall
    await store.close()
    expect(signals.map((signal) => signal?.aborted)).toEqual([true])
  })

  test('never answers and hears no signal: the store closes, a recall can be cancelled', async () => {
    let asked = (): void => undefined
    const asking = new Promise<void>((resolve) => (asked = resolve))
    const store = await openWith(() => {
      asked()
      return new Promise(() => undefined)
    })
    await store.remember({ text: 'Ana keeps bees.' })
    await asking
    const cancel = new AbortController()
    const recall = store.recallWithOutcome('bees', { signal: cancel.signal })
    cancel.abort()
    await expect(recall).rejects.toMatchObject({ name: 'AbortError' })
    await store.close()
  })
})
