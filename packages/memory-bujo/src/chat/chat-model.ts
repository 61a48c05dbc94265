/** Which of the three calls of a capture this is. */
export type CaptureStage = 'extract' | 'review' | 'reconcile'

export interface ChatRequest {
  readonly stage: CaptureStage
  /** Rules; ours alone. */
  readonly system: string
  /** Delimited data of the turn and of the store: untrusted. */
  readonly user: string
  /** JSON Schema that the answer must keep, for services that can be held to one; the parser stays the authority (CAP-6). */
  readonly schema: { readonly name: string; readonly schema: Readonly<Record<string, unknown>> }
  /** Aborting it cancels the call, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal
}

export interface ChatUsage {
  readonly promptTokens?: number
  readonly completionTokens?: number
}

export interface ChatCompletion {
  /** As the model said it; a reasoning field that the provider declares apart is not in it. */
  readonly text: string
  /** As far as the provider reports it. */
  readonly usage?: ChatUsage
}

/** The port to a chat model (CAP-23). One request, one answer, no failover. */
export interface ChatModel {
  /** `provider:model`, for people and logs. */
  readonly id: string
  /**
   * @throws {ChatError} `chat_timeout` after the configured time, which is not a cancellation; others as their codes say
   * @throws the signal's reason when it is aborted
   */
  complete(request: ChatRequest): Promise<ChatCompletion>
}
