import { inspect } from 'node:util'
import type { ModelServer, ModelServerOptions, Service } from '../../../../test/model-server/index.js'
import { startModelServer } from '../../../../test/model-server/index.js'
import { createEmbeddingProvider, type CompleteEmbeddingProvider, type EmbeddingConfig } from '../../src/index.js'
import { EmbeddingError, type EmbeddingParts } from '../../src/index.js'

export const DIM = 64
export const SERVICES = ['ollama', 'lm-studio', 'openai'] as const satisfies Service[]
export const KEY = 'sk-secret-of-the-test-1234567890'
/** A model with instructions, under the name each service has for it. */
export const MODELS = {
  ollama: 'nomic-embed-text:v1.5',
  'lm-studio': 'text-embedding-nomic-embed-text-v1.5',
  openai: 'nomic-embed-text-v1.5',
} as const

/** Time that passes only when told; `sleep` ends when its hour has come. */
export class ManualClock {
  #now = 5_000
  readonly #sleepers = new Set<{ due: number; end: () => void }>()
  readonly monotonicNow = (): number => this.#now
  readonly sleep: NonNullable<EmbeddingParts['sleep']> = (ms, { signal }) =>
    new Promise((resolve) => {
      const sleeper = {
        due: this.#now + ms,
        end: () => {
          this.#sleepers.delete(sleeper)
          resolve()
        },
      }
      this.#sleepers.add(sleeper)
      signal?.addEventListener('abort', sleeper.end, { once: true })
    })

  get sleeping(): number {
    return this.#sleepers.size
  }

  advance(ms: number): void {
    this.#now += ms
    for (const sleeper of [...this.#sleepers]) if (sleeper.due <= this.#now) sleeper.end()
  }
}

export type ServiceName = (typeof SERVICES)[number]

export interface Bench {
  readonly server: ModelServer
  readonly clock: ManualClock
  readonly config: EmbeddingConfig
  provider(config?: Partial<EmbeddingConfig>, parts?: Partial<EmbeddingParts>): CompleteEmbeddingProvider
}

/** A real service on loopback that holds one model of `DIM` dimensions, and providers that ask it. */
export async function openBench(service: ServiceName, options: ModelServerOptions = {}): Promise<Bench> {
  const model = MODELS[service]
  const models = [{ name: model, serves: `hash-${DIM}` }]
  const server = await startModelServer({ service, models, cacheDirectory: null, ...options })
  const clock = new ManualClock()
  const endpoint = service === 'openai' ? `${server.url}/v1` : server.url
  const config: EmbeddingConfig = { provider: service, model, endpoint, dim: DIM }
  return {
    server,
    clock,
    config,
    provider: (changes = {}, parts = {}) => createEmbeddingProvider({ ...config, ...changes }, { ...clock, ...parts }),
  }
}

/** What it rejects with; fails if it resolves, or with anything but an `EmbeddingError`. */
export async function failureOf(promise: Promise<unknown>): Promise<EmbeddingError> {
  const outcome = await promise.then(
    () => 'resolved',
    (error: unknown) => error,
  )
  if (outcome instanceof EmbeddingError) return outcome
  throw new Error(`No EmbeddingError: ${String(outcome)}`, { cause: outcome })
}

/** Everything that a log of this error could show, causes included. */
export const everythingIn = (error: unknown): string => inspect(error, { depth: null, showHidden: true })

export const cosine = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, component, index) => sum + component * (b[index] as number), 0)
