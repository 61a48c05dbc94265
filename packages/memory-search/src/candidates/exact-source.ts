import { ftsToken } from '../query/match-expression.js'
import type { Connection } from '../sqlite/connection.js'
import { bestByWords, bm25Of, firstByTags, frequencies, knownTokens } from '../sqlite/lexical-candidates.js'
import { nearestRows } from '../sqlite/semantic-candidates.js'
import { rowBefore } from '../sqlite/context-columns.js'
import type { CandidateSource } from './candidate-source.js'
import { storedCosines, storedVectors } from './stored-cosines.js'

/** The reference path (SEA-11): always correct, its cost grows with the store. @param records  that can be found */
export const exactSource = (db: Connection, records: number): CandidateSource => ({
  lexical: (words, required, limit, filter) => bestByWords(db, words, required, limit, filter),
  lexicalOf: (words, rows) => bm25Of(db, words, rows),
  tagged: (required, limit, filter) => firstByTags(db, required, limit, filter),
  semantic: (vector, required, limit, filter) => nearestRows(db, vector, required, limit, filter),
  cosineOf: storedCosines(storedVectors(db)),
  before: rowBefore(db),
  carried: (tags) => knownTokens(db, tags),
  frequencies: (words) => frequencies(db, words.map(ftsToken)),
  records: () => records,
})
