import type { EmbedOptions } from './embedding-provider.js'
import type { ContextLimit } from './context-limit.js'
import type { Instructions } from './model-families.js'

/** What differs between services: one request, and the answer as it came, unchecked. */
export interface VectorSource {
  readonly provider: string
  readonly model: string
  readonly dimension: number
  /** Prefixes to put before texts; or, of a source that prepares texts itself, a name for how it does. */
  readonly instructions: Instructions | string
  /** Undefined if the source cuts texts itself. */
  readonly contextLimit?: ContextLimit | undefined
  /**
   * Called before each request: nothing is sent if it throws, which says nothing about the service.
   * @throws {EmbeddingError} `embedding_key_missing`
   */
  checkKey?(): void
  /**
   * @param texts  1 to 32, with their instructions, cut
   * @returns what should be a list of vectors in the order of `texts`
   * @throws {EmbeddingError}  @throws the reason of the signal
   */
  request(texts: readonly string[], options: Required<EmbedOptions>): Promise<unknown>
}
