export { createMemoryStore } from './create-memory-store.js'
export { createBujoMemoryStore, type BujoStoreOptions } from './create-bujo-memory-store.js'
export { parseMemoryConfig, memoryConfigSchema, type MemoryConfig, type MemoryConfigInput } from './config.js'
export { openMemoryReader } from './read-memory-store.js'
export { rebuildMemoryIndex } from './rebuild.js'
export { rollbackMemoryIndex } from './rollback.js'
export { retryTurns, resolveTurn } from './operator.js'
export { validateMemory, type ValidateOptions } from './maintenance/validate-memory.js'
export type * from './maintenance/validation.js'
export {
  calibrateMemory,
  type CalibrateOptions,
  type CalibrationReport,
  type LabelledQuestion,
} from './maintenance/calibrate-memory.js'
export { readTier, type StoreTier } from './maintenance/read-tier.js'
export { isLowSignal } from '@mono-agent/memory-intake'
export { markDeliveredMemory } from './capture/policy/delivered.js'
export { BUJO_ERRORS, BujoError, type BujoErrorCode } from './errors.js'
export { CHAT_ERRORS, ChatError, type ChatConcern, type ChatErrorCode } from './chat/errors.js'
export type { CaptureStage, ChatCompletion, ChatModel, ChatRequest, ChatUsage } from './chat/chat-model.js'
export type { RuntimeSnapshot } from './runtime-snapshot.js'
export type * from './types.js'
export { MemoryError } from '@mono-agent/memory-store'
export type * from '@mono-agent/memory-store'
export type { IntakeInspection, IntakeItem, IntakeLimits } from '@mono-agent/memory-intake'
export type { CatchUpReport, IndexedMemory, IndexStats, RebuildReport, RollbackReport } from '@mono-agent/memory-search'
export { EMBEDDING_ERRORS, type EmbeddingErrorCode, type EmbeddingProvider } from '@mono-agent/memory-search'
export type { Calibration, CalibrationBasis, FloorEffect, FloorRow } from '@mono-agent/memory-search'
