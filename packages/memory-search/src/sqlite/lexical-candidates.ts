import type { RequiredTags, WordHit } from '../candidates/candidate-source.js'
import type { RowFilter } from '../candidates/row-filter.js'
import { matchExpression } from '../query/match-expression.js'
import type { Connection } from './connection.js'
import { rowCondition, type RowCondition } from './row-condition.js'
import { COLUMN_WEIGHTS } from './schema.js'
import { prepared } from './statements.js'

/** Records looked at for each way to be good (words alone, author, time): at least twice what can be asked for. */
export const CANDIDATES = 100

/** `+` keeps SQLite from asking FTS5 for one row of the condition after the other, see `bm25Of`. */
const WORD_ROW = '+memory_words.rowid'

/** Scores closer than this, relatively, are one score: which of them was cut off would be chance. */
export const WORD_TIE = 1e-9

/**
 * The best records by words. If the first one left out ties with the `limit`-th, which of the tied ones came in is chance:
 * then those of them that come first by id stand for all (SEA-16). Thousands of equal records are compared by SQLite and not
 * read.
 * @param limit  1..`CANDIDATES`: places of which none may be chance
 * @returns at most twice `CANDIDATES`
 */
export function bestByWords(
  db: Connection,
  words: readonly string[],
  required: RequiredTags,
  limit: number,
  filter?: RowFilter,
): WordHit[] {
  if (words.length === 0) return []
  const condition = rowCondition(filter, WORD_ROW)
  const select = prepared<unknown[], WordHit>(
    db,
    `select rowid as row, -bm25(memory_words, ${COLUMN_WEIGHTS}) as bm25 from memory_words
     where memory_words match ?${condition.sql} order by bm25 desc limit ?`,
  )
  const expression = matchExpression(words, required)
  const hits = select.all(expression, ...condition.values, CANDIDATES + 1)
  const [last, leftOut] = [hits[limit - 1], hits[CANDIDATES]]
  if (last === undefined || leftOut === undefined) return hits
  const margin = WORD_TIE * last.bm25
  if (last.bm25 - leftOut.bm25 > margin) return hits.slice(0, CANDIDATES)
  const better = hits.filter(({ bm25 }) => bm25 > last.bm25 + margin)
  return [...better, ...firstOfTied(db, expression, condition, [last.bm25 - margin, last.bm25 + margin])]
}

/** The first records by id whose bm25 is within these bounds. */
function firstOfTied(
  db: Connection,
  expression: string,
  condition: RowCondition,
  [least, most]: readonly [number, number],
): WordHit[] {
  // A cross join keeps the order of the tables: the words choose, and each of their records is looked up.
  return prepared<unknown[], WordHit>(
    db,
    `select memories.row as row, -bm25(memory_words, ${COLUMN_WEIGHTS}) as bm25
       from memory_words cross join memories on memories.row = memory_words.rowid
       where memory_words match ?${condition.sql} and bm25 between ? and ? order by memories.id limit ?`,
  ).all(expression, ...condition.values, least, most, CANDIDATES)
}

/** The first records by id that carry all the tags, whatever their words. */
export function firstByTags(db: Connection, required: RequiredTags, limit: number, filter?: RowFilter): WordHit[] {
  const condition = rowCondition(filter, WORD_ROW)
  return prepared<unknown[], WordHit>(
    db,
    `select memories.row as row, 0.0 as bm25 from memory_words join memories on memories.row = memory_words.rowid
       where memory_words match ?${condition.sql} order by memories.id limit ?`,
  ).all(matchExpression([], required), ...condition.values, limit)
}

/**
 * bm25 of these rows; those that hold none of the words are left out. `+` keeps SQLite from asking FTS5 row by row, for each
 * of which FTS5 would count all records of every word again: one walk over the matches, weighed only where they are asked for.
 */
export function bm25Of(db: Connection, words: readonly string[], rows: readonly number[]): WordHit[] {
  if (words.length === 0 || rows.length === 0) return []
  return prepared<[string, string], WordHit>(
    db,
    `select rowid as row, -bm25(memory_words, ${COLUMN_WEIGHTS}) as bm25 from memory_words
     where memory_words match ? and +rowid in (select value from json_each(?))`,
  ).all(matchExpression(words, []), JSON.stringify(rows))
}

/** For each token, the number of records that hold it. */
export function frequencies(db: Connection, tokens: readonly string[]): number[] {
  const frequency = prepared<[string], number>(db, 'select doc from word_frequencies where term = ?').pluck()
  return tokens.map((token) => frequency.get(token) ?? 0)
}

/** Those of the tokens that some record holds. */
export function knownTokens(db: Connection, tokens: readonly string[]): string[] {
  const find = prepared<[string], number>(db, 'select 1 from memory_words where memory_words match ? limit 1').pluck()
  return tokens.filter((token) => find.get(matchExpression([token], [])) !== undefined)
}

/** Records that can be found, whatever their number at the cost of one row. */
export const indexedRecords = (db: Connection): number => wordTotals(db).records

/** Tokens of a record, all columns together, on average; as bm25 has it. */
export function averageLength(db: Connection): number {
  const { records, tokens } = wordTotals(db)
  return records === 0 ? 1 : tokens / records
}

/**
 * FTS5 keeps its sums in one record: the number of rows, then the tokens of each column, as varints; nothing where it never
 * held a row. What a transaction wrote stands there only once FTS5 was told to flush it, as it is by a savepoint.
 */
function wordTotals(db: Connection): { readonly records: number; readonly tokens: number } {
  if (db.inTransaction) {
    prepared(db, 'savepoint words_flushed').run()
    prepared(db, 'release words_flushed').run()
  }
  const block = prepared<[], Buffer>(db, 'select block from memory_words_data where id = 1').pluck().get()
  const [records = 0, ...columns] = varints(block ?? new Uint8Array())
  return { records, tokens: columns.reduce((sum, tokens) => sum + tokens, 0) }
}

/** SQLite's varints: seven bits a byte, the highest first; these are far below the size at which the ninth byte differs. */
export function varints(bytes: Uint8Array): number[] {
  const found: number[] = []
  let value = 0
  for (const byte of bytes) {
    value = value * 128 + (byte & 0x7f)
    if (byte >= 0x80) continue
    found.push(value)
    value = 0
  }
  return found
}
