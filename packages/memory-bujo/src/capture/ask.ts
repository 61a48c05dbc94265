import type { ChatModel, ChatRequest } from '../chat/chat-model.js'
import { ContractError } from './contract/contract-error.js'
import type { CaptureMetrics } from './metrics.js'

export interface AskParts {
  readonly metrics: CaptureMetrics
  /** Monotonic milliseconds. */
  readonly monotonicNow: () => number
}

/** One call, and what the contract makes of its answer. */
export interface Question<T> extends ChatRequest {
  /** @throws {ContractError} */
  readonly parse: (completion: string) => T
}

/**
 * Asks a model once; an answer that breaks the contract is a failure of this attempt, never an empty success (CAP-6).
 * @throws {ContractError}  @throws {ChatError}  @throws the signal's reason
 */
export async function ask<T>(model: ChatModel, question: Question<T>, { metrics, monotonicNow }: AskParts): Promise<T> {
  const { parse, ...request } = question
  const started = monotonicNow()
  const told = await model.complete(request).then(
    (completion) => ({ completion }),
    (error: unknown) => ({ error }),
  )
  const usage = 'completion' in told ? told.completion.usage : undefined
  metrics.called(request.stage, monotonicNow() - started, usage)
  if ('error' in told) throw told.error
  try {
    return parse(told.completion.text)
  } catch (error) {
    if (error instanceof ContractError) metrics.rejected(error.reason)
    throw error
  }
}
