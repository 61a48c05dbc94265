import type { ChatModel } from '../chat/chat-model.js'
import type { MemoryConfig } from '../config.js'
import type { CapturePolicy } from './types.js'

/** What a bujo store is opened with, besides what every tier is. */
export interface BujoSettings {
  readonly writeMode: MemoryConfig['writeMode']
  readonly llm: ChatModel
  /** For reconcile alone (CAP-23). */
  readonly reconcileModel?: ChatModel
  readonly policy: CapturePolicy
}
