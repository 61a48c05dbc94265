import type { RecallOptions, RecallOutcome } from '@mono-agent/memory-store'
import type { IndexReader } from '@mono-agent/memory-search'
import { searchRequestOf } from './recall-request.js'

/**
 * Recall by words alone: neither tail cut nor evidence note (REC-3), and `mode` says which scale the scores are on (SEA-14).
 * @throws as `searchRequestOf`
 */
export function recallLexical(index: IndexReader, query: string, options: RecallOptions): RecallOutcome {
  return { hits: index.search(searchRequestOf(query, options)), mode: 'lexical', sections: [] }
}
