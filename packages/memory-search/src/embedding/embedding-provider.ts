/** What a text is for: models trained with task instructions tell the two apart (SEA-2). */
export type EmbeddingKind = 'document' | 'query'

export interface EmbedOptions {
  readonly kind: EmbeddingKind
  /** Aborting it aborts the request; the call then rejects with the signal's reason. */
  readonly signal?: AbortSignal
}

/** What decides whether two vectors can be compared; part of the index identity (SEA-1, OPS-4). */
export interface EmbeddingIdentity {
  /** `ollama`, `lm-studio`, `openai`, or a name the host chose for its own. */
  readonly provider: string
  /** The exact name the service knows the model by. */
  readonly model: string
  readonly dimension: number
  /**
   * Equal fingerprints, comparable vectors. Of the built-in services a hash over the three and the instruction policy; of a
   * host's own provider a name that it changes whenever its vectors change.
   */
  readonly fingerprint: string
}

/**
 * The port to an embedding service (SEA-1). An implementation hands out only checked vectors: as many as texts, of
 * `identity.dimension`, finite, of unit length (SEA-3).
 */
export interface EmbeddingProvider {
  /** `provider:model`, for people and logs. */
  readonly id: string
  readonly identity: EmbeddingIdentity
  /** Requests sent since it was made; a host's own provider may leave it out, its calls are counted then. */
  readonly counts?: () => { readonly requests: number }
  /**
   * One vector a text, in the order of the texts; an empty list costs no request.
   * @throws {EmbeddingError} as its codes say  @throws the signal's reason when it is aborted
   */
  embed(texts: readonly string[], options: EmbedOptions): Promise<Float32Array[]>
}
