import { EmbeddingError } from '@mono-agent/memory-search'
import type { FailureCategory } from '@mono-agent/memory-store'
import { ChatError } from '../chat/errors.js'
import { ContractError } from './contract/contract-error.js'

/** What a failed capture is put down to (INT-11). */
export function failureOf(error: unknown): FailureCategory {
  if (error instanceof ContractError) return 'model_output'
  return error instanceof ChatError || error instanceof EmbeddingError ? 'provider' : 'processing'
}
