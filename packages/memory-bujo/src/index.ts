export { createMemoryStore } from './create-memory-store.js'
export { createBujoMemoryStore, type BujoStoreOptions } from './create-bujo-memory-store.js'
export { parseMemoryConfig, memoryConfigSchema, type MemoryConfig, type MemoryConfigInput } from './config.js'
export { openMemoryReader } from './read-memory-store.js'
export { rebuildMemoryIndex } from './rebuild.js'
export { rollbackMemoryIndex } from './rollback.js'
export { retryTurns, resolveTurn } from './operator.js'
export { validateMemory, type ValidateOptions } from './maintenance/validate-memory.js'
export type {
  CheckStatus,
  SectionName,
  ValidationCheck,
  ValidationReport,
  ValidationSection,
} from './maintenance/validation.js'
export {
  calibrateMemory,
  type CalibrateOptions,
  type CalibrationReport,
  type LabelledQuestion,
} from './maintenance/calibrate-memory.js'
export { readTier, type StoreTier } from './maintenance/read-tier.js'
export { isLowSignal } from '@mono-agent/memory-intake'
export { composeContext, type ComposedContext } from './recall/compose-context.js'
export { shownText } from './recall/shown-text.js'
// What tools that show memories say it with, so that all do alike.
export { FRAME_CLOSES, FRAME_OPENS } from './recall/frame.js'
export { ATTRIBUTION_WORDS, UNKNOWN_SOURCE } from './recall/line-words.js'
export { plainLine } from './recall/plain-line.js'
export { markDeliveredMemory, withoutDelivered } from './capture/policy/delivered.js'
export { CONTRACT_REASONS, ContractError, contractSchemas, type ContractReason } from './capture/contract/index.js'
export type { LookUpOptions } from './recall/recall-request.js'
export { BUJO_ERRORS, BujoError, type BujoErrorCode } from './errors.js'
export { CHAT_ERRORS, ChatError, type ChatConcern, type ChatErrorCode } from './chat/errors.js'
export type { CaptureStage, ChatCompletion, ChatModel, ChatRequest, ChatUsage } from './chat/chat-model.js'
export type { RuntimeSnapshot } from './runtime-snapshot.js'
export type * from './types.js'
export { MemoryError, parseInstant, parseLabelValue } from '@mono-agent/memory-store'
export type * from '@mono-agent/memory-store'
export type { IntakeInspection, IntakeItem, IntakeLimits } from '@mono-agent/memory-intake'
export type { CatchUpReport, IndexedMemory, IndexStats, RebuildReport, RollbackReport } from '@mono-agent/memory-search'
export { EMBEDDING_ERRORS, type EmbeddingErrorCode } from '@mono-agent/memory-search'
export type { EmbeddingIdentity, EmbeddingKind, EmbeddingProvider, EmbedOptions } from '@mono-agent/memory-search'
export type { Calibration, CalibrationBasis, FloorEffect, FloorRow } from '@mono-agent/memory-search'
