// What a capture writes, and how it survives a crash (CAP-19).
export { commitCapture, type CommitParts } from './commit-capture.js'
export type { CarriedOut } from './carry-out.js'
export { Outbox, planIds } from './outbox.js'
export { recoverOutbox, turnStateOf, type RecoverParts, type RecoveredOutbox } from './recover-outbox.js'
export type { DecidedCapture } from './plan-commit.js'
export type { CommitPlan, OutboxPlan, RetainedExtraction, RetainedPlan } from './plan-types.js'
