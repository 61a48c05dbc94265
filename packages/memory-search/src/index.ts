// What callers may rely on; everything else is free to change.
export { openWritableIndex } from './writable-index.js'
export { buildIndex } from './generation/build.js'
export { checkIndexIdentity } from './generation/identity.js'
export { openIndexReader } from './index-reader.js'
export { SEARCH_ERRORS, SearchError, type SearchErrorCode } from './errors.js'
export type {
  CatchUpReport,
  IndexedMemory,
  IndexIdentity,
  IndexReader,
  IndexStats,
  LexicalRequest,
  OpenIndexOptions,
  OpenWritableIndexOptions,
  RebuildReport,
  SearchIndex,
} from './types.js'
