import { onTestFinished } from 'vitest'
import { startModelServer, type ModelServer, type ModelServerOptions } from '../../../../test/model-server/index.js'
import { createMemoryStore, type BuiltInMemoryStore, type HostParts } from '../../src/index.js'
import { NOON } from './open-store.js'

/** The default model's name over synthetic vectors: near-orthogonal for different texts, fast. */
export const MODEL = 'nomic-embed-text:v1.5'

/** A model service of its own, closed when the test is done. */
export async function openService(options: ModelServerOptions = {}): Promise<ModelServer> {
  const server = await startModelServer({
    models: [{ name: MODEL, serves: 'hash-768' }],
    cacheDirectory: null,
    ...options,
  })
  onTestFinished(() => server.close())
  return server
}

export const embeddingsOf = (server: ModelServer, more: object = {}) =>
  ({ provider: 'ollama', endpoint: server.url, ...more }) as const

/** A journal store at noon of `DAY`, closed when the test is done at the latest. */
export async function openJournal(
  path: string,
  server: ModelServer,
  host: HostParts = {},
  config = {},
): Promise<BuiltInMemoryStore> {
  const store = await createMemoryStore(
    { mode: 'journal', path, embeddings: embeddingsOf(server), ...config },
    { now: () => NOON, ...host },
  )
  onTestFinished(async () => {
    await store.close().catch(() => undefined) // a test that breaks its store on purpose has asserted that itself
  })
  return store
}
