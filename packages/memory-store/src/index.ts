// What callers may rely on; everything else is free to change.
export { MemoryError, STORE_ERRORS, StoreError, withOutcome } from './errors.js'
export type { MemoryErrorOptions, StoreErrorCode, WriteOutcome } from './errors.js'
export type * from './types.js'

// format: text and values, pure
export {
  auditLineId,
  formatAuditLine,
  parseAuditLine,
  type AuditLine,
  type ParsedAuditLine,
} from './format/audit-line.js'
export { bulletDigest, formatBullet, parseBullet, type Bullet, type ParsedBullet } from './format/bullet.js'
export { changeBullet, newBullet, type BulletChanges, type NewBulletFields } from './format/compose-bullet.js'
export { MAX_CONVERSATION_ID_BYTES, MAX_SPEAKER_BYTES, UNJUDGED_SALIENCE } from './format/bullet-fields.js'
export type { BulletFields } from './format/bullet-fields.js'
export { canonicalJson } from './format/canonical-json.js'
export { contentHash, normaliseContent } from './format/content-hash.js'
export { formatDayFile, parseDayFile } from './format/daily-file.js'
export { emptyDayDocument, lineOfBullet, type DayDocument, type DayProblem } from './format/day-document.js'
export { applyDayChanges } from './format/day-changes.js'
export type { DayChange, DayChangeOutcome } from './format/day-changes.js'
export { fingerprint, type FingerprintedFile } from './format/fingerprint.js'
export {
  formatGraphLine,
  isEntityType,
  isRelationName,
  MAX_ENTITY_NAME,
  MAX_ENTITY_SUMMARY_BYTES,
  MAX_RELATION_NAME,
  MAX_RELATION_SUPPORT,
  parseGraphLine,
  parseGraphLog,
} from './format/graph-log.js'
export { foldGraph, GraphState } from './format/graph-state.js'
export { formatLineLog, type LogDamage, type ParsedLog } from './format/line-log.js'
export { formatReplayEntry, parseReplayEntry, parseReplayLog } from './format/replay-log.js'
export {
  formatReplaySnapshot,
  isCompactionDue,
  MIN_FOLDED_DELTA_BYTES,
  parseReplaySnapshot,
  type ParsedSnapshot,
} from './format/replay-snapshot.js'
export {
  admitEntries,
  MAX_THREADS,
  REPLAY_BOUNDS,
  ReplayState,
  THREADS_UP_TO,
  type AdmittedEntries,
  type RefusedEntry,
  type ReplayBounds,
  type ReplayRefusal,
} from './format/replay-state.js'
export type { GraphAssociation, GraphEntity, GraphLine, GraphRelation } from './format/graph-types.js'
export type { ReplayAuthority, ReplayEntry, SupersedeEntry, TerminalEntry, ThreadEntry } from './format/replay-types.js'
export { cutAtGrapheme } from './format/grapheme.js'
export { isDay, normaliseInstant, parseInstant, utcDay } from './format/instant.js'
export { MAX_LABEL_BYTES, MAX_LABELS } from './format/labels.js'
export {
  isEntityId,
  isFactKey,
  isFactValue,
  isProjectScope,
  MAX_FACT_TEXT,
  parseLabelValue,
} from './format/label-schema.js'
export type {
  FactKey,
  FactLabel,
  FactValue,
  LabelScope,
  LessonLabel,
  MemoryLabel,
  PreferenceLabel,
} from './format/label-schema.js'
export { dayOfFile, GITIGNORE, isCanonicalPath, layout, type IntakeState, type RootPath } from './format/layout.js'
export { isLayoutDirectory, isLayoutPath, LAYOUT_DIRECTORIES } from './format/layout-path.js'
export { logicalConversation } from './format/logical-conversation.js'
export { normaliseObservation, normaliseStepwise, splitObservation } from './format/observation.js'
export {
  conversationOf,
  OBSERVATION_SALIENCE,
  observationBulletId,
  observationBullets,
  observationBulletsStepwise,
} from './format/observation-bullets.js'
export type { Stepwise } from './format/stepwise.js'
export type { Observation } from './format/observation-bullets.js'
export {
  checkSentence,
  MAX_SENTENCE_BYTES,
  REFUSED_CHARACTERS,
  SENTENCE_FAULTS,
  TAG_CHARACTERS,
  TAG_FLAG,
  type SentenceFault,
} from './format/sentence.js'
export { sha256Hex } from './format/sha256.js'
export { isWellFormed, toWellFormed } from './format/well-formed.js'
export { formatTemporaryName, parseTemporaryName, type TemporaryName } from './format/temporary-name.js'

// disk: the one way to it, ownership, publication, appends, the lease
export {
  HAS_POSIX_FILES,
  nodeFileSystem,
  type FileStat,
  type FileSystem,
  type OpenFile,
  type OpenMode,
} from './disk/file-system.js'
export { identityOf, sameIdentity, type FileIdentity } from './disk/file-identity.js'
export { checkOwned, openOwned, type OwnedKind } from './disk/owned-file.js'
export { readPinned, type PinnedRead } from './disk/read-pinned.js'
export { publishFile, publishFiles, replaceFile, type FileContent } from './disk/publish-file.js'
export { appendCovered } from './disk/append-file.js'
export { writeBytes } from './disk/write-bytes.js'
export { errnoOf, flushed, onDisk, storageError } from './disk/storage-error.js'
export { listNames } from './disk/list-names.js'
export { ensureDirectory, syncDirectories } from './disk/sync-directories.js'
export { listTemporaries, removeOldTemporaries, type TemporaryFile } from './disk/temporary-files.js'
export { locateRoot, prepareRoot } from './disk/root-directory.js'
export type { WriterLease } from './disk/lease.js'
export { acquireWriterLease } from './disk/writer-lease.js'
export { readEpoch } from './disk/writer-epoch.js'

// canonical: the only writers of day, audit, graph and replay files
export { readAuditIds, writeAuditLines, type AuditRoot } from './canonical/audit-files.js'
export { createCanonicalQueue, type CanonicalQueue } from './canonical/canonical-queue.js'
export { loadGraphFile, openGraphFile, type GraphContent, type GraphFile } from './canonical/graph-file.js'
export { AUTHORITY_FILES, listCanonicalFiles } from './canonical/list-canonical-files.js'
export type { CanonicalFile, LogBase } from './canonical/log-content.js'
export type { LogOptions } from './canonical/log-writer.js'
export { loadReplayFiles, type ReplayContent } from './canonical/replay-content.js'
export { openReplayFiles, type ReplayAppend, type ReplayFiles } from './canonical/replay-files.js'
export { listDayFiles } from './canonical/list-day-files.js'
export { openDayFiles, type DayFiles, type DayFilesOptions } from './canonical/day-files.js'
export type { DayFileBatch, DayFileDelta, DayFileState } from './canonical/day-file-state.js'
