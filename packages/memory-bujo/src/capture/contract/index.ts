// The three contracts with a chat model (CAP-6, 7, 12, 15): what an answer must be, and why one is refused.
export { OWNER_ENTITY } from './bounds.js'
export { CONTRACT_REASONS, ContractError, type ContractReason } from './contract-error.js'
export { dominantScript, isSameScript, type ScriptName } from './dominant-script.js'
export { parseExtraction, type ExtractionContext } from './parse-extraction.js'
export { contractSchemas, extractionSchema, RECONCILE_SCHEMA, REVIEW_SCHEMA } from './json-schemas.js'
export { evidenceForm, occursIn } from './quotation.js'
export { parseReconcile, type OfferedEntry } from './parse-reconcile.js'
export { parseReview, REVIEW_ACTIONS, type ReviewLine } from './parse-review.js'
