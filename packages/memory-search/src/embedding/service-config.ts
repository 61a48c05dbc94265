import type { KeyDeclaration } from '../service/api-key.js'
import type { Sleep } from '../service/deadline.js'
import type { Fetch } from '../service/guarded-fetch.js'
import type { InstructionOverride } from './instructions.js'

/** The parsed `embeddings` block (CFG-2). */
export interface EmbeddingConfig extends KeyDeclaration {
  readonly provider: 'ollama' | 'lm-studio' | 'openai'
  /** The exact name the service knows the model by. */
  readonly model: string
  /** Service root; for `openai` the root of its API, with `/v1`. */
  readonly endpoint: string
  readonly dim: number
  /** Instead of what the table of model families says. */
  readonly instructions?: InstructionOverride | undefined
  /** Tokens the model looks at, from 16, instead of what the table says. */
  readonly contextTokens?: number | undefined
}

/** What the host injects; nothing is taken from the environment but through `env`. */
export interface EmbeddingParts {
  /** Default: the `fetch` of the process. */
  readonly fetch?: Fetch | undefined
  /** Value of an environment variable; default: none is set. */
  readonly env?: ((name: string) => string | undefined) | undefined
  /** Milliseconds. */
  readonly monotonicNow: () => number
  /** Default: a timer. */
  readonly sleep?: Sleep | undefined
}
