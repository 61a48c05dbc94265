// What callers may rely on; everything else is free to change.
export { openWritableIndex } from './writable-index.js'
export { buildIndex } from './generation/build.js'
export { checkRollback, rollbackIndex } from './generation/rollback.js'
export { checkIndexIdentity, prepareRebuild } from './generation/identity.js'
export { openIndexReader } from './index-reader.js'
export { SEARCH_ERRORS, SearchError, type SearchErrorCode } from './errors.js'
export type {
  AuthorityFile,
  CapturedAuthority,
  CatchUpReport,
  IndexedMemory,
  IndexIdentity,
  ChronologyPlace,
  ChronologyRecord,
  IndexedEntity,
  IndexReader,
  MemoryFilter,
  RankedMemory,
  Ranking,
  RankRequest,
  RelatedEntity,
  IndexStats,
  KeptIndex,
  NearMemory,
  OpenIndexOptions,
  OpenReaderOptions,
  OpenWritableIndexOptions,
  Predecessor,
  RebuildReport,
  RollbackReport,
  SearchIndex,
  SearchRequest,
  Supersession,
} from './types.js'
export { agreed, attributionOf, hitOf, keyedFacts, validityOf } from './search/to-hit.js'
export { UNCALIBRATED } from './calibration/uncalibrated.js'
export type { Calibration, CalibrationBasis } from './calibration/calibration.js'
export { isLive } from './sqlite/memory-rows.js'
export { nameKey } from './query/name-tokens.js'
export type { MissingVector, NewVector } from './sqlite/vector-rows.js'
export type {
  EmbeddingIdentity,
  EmbeddingKind,
  EmbeddingProvider,
  EmbedOptions,
} from './embedding/embedding-provider.js'
export {
  createEmbeddingProvider,
  completeEmbeddingProvider,
  type HostEmbeddings,
} from './embedding/create-embedding-provider.js'
export type { CompleteEmbeddingProvider, EmbeddingCounts } from './embedding/complete-source.js'
export type { EmbeddingConfig, EmbeddingParts } from './embedding/service-config.js'
export { checkEmbeddingService, type EmbeddingCheck } from './embedding/check-embedding-service.js'
export { embedTexts, type TextOutcomes } from './embedding/embed-texts.js'
export { guardProvider } from './embedding/guard-provider.js'
export { identityOfConfig } from './embedding/fingerprint.js'
export { isEnglishCentred, MULTILINGUAL_MODELS } from './embedding/model-families.js'
export { EMBEDDING_ERRORS, EmbeddingError, type EmbeddingConcern, type EmbeddingErrorCode } from './embedding/errors.js'
export { shippedCalibration } from './calibration/shipped.js'
export { measureModel, type Measurement } from './calibration/measure.js'
export { chooseFloors, type ChosenFloors } from './calibration/choose-floors.js'
export {
  noiseFloorOf,
  proposeCalibration,
  type CalibrationProposal,
  type FloorEffect,
  type FloorRow,
  type MeasuredQueries,
} from './calibration/propose-calibration.js'
export { sampleQueryScores, sampleStoreScores, type StoreScores } from './calibration/store-samples.js'
export { openStoreVectors, type StoreVectors } from './store-vectors.js'
export { readIndexManifest, type IndexManifest } from './generation/read-manifest.js'
export type { AuthorityCover } from './canonical/authority-files.js'
export { requireNativeModules } from './sqlite/native-modules.js'
export { CALIBRATION_SENTENCES, type SentenceSet } from './calibration/sentences/sentence-set.js'
export { rankLanguages, type LanguageRanking, type ScoreDocuments } from './calibration/language-ranking.js'
export { MAX_BATCH } from './embedding/complete-source.js'
// What requests to any model service are made with: the chat models of the tiers above use it too.
export { sleepOnTimer, withDeadline, type Sleep } from './service/deadline.js'
export { withGuardedFetch, type Fetch, type ServiceFailures } from './service/guarded-fetch.js'
export { declaredKey, type DeclaredKey, type KeyDeclaration } from './service/api-key.js'
export { isOpenAiItself, plainEndpoint } from './service/endpoint.js'
// Two spellings of one word, for whoever compares what is stored.
export { fold } from './query/fold.js'
