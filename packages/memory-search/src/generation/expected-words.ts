import { searchError } from '../errors.js'
import type { Connection } from '../sqlite/connection.js'
import { walkWords, WALK_START, type WalkPlace } from '../sqlite/context-columns.js'
import type { WordColumns } from '../sqlite/full-text.js'
import { varints } from '../sqlite/lexical-candidates.js'
import { SLICE } from './fill.js'
import { WordSum } from './word-sum.js'

const NO_COLUMNS = [0, 0, 0, 0] as const

const lengthsOf = (columns: WordColumns): number[] => columns.map((text) => (text === '' ? 0 : text.split(' ').length))

const isSame = (one: readonly number[], other: readonly number[] | undefined): boolean =>
  one.length === other?.length && one.every((value, at) => value === other[at])

/**
 * What the full-text index must hold by the memories as they are, for `requireIntegrity` to compare, and proves what bm25 is made
 * of besides: the length of each record, their number and the sum of their lengths. In slices; nobody else may write meanwhile.
 * @throws {SearchError} fts_mismatch
 */
export async function expectedWords(db: Connection, yieldTurn: () => Promise<void>): Promise<WordSum> {
  const stored = db.prepare<[number], Buffer>('select sz from memory_words_docsize where id = ?').pluck()
  const sum = new WordSum()
  let records = 0
  let tokens: readonly number[] = NO_COLUMNS
  let place: WalkPlace | undefined = WALK_START
  while (place !== undefined) {
    const step = walkWords(db, place, SLICE)
    for (const { row, columns } of step?.rows ?? []) {
      const lengths = lengthsOf(columns)
      const found = stored.get(row)
      if (found === undefined || !isSame(lengths, varints(found)))
        throw searchError('fts_mismatch', 'length of a record')
      sum.addRecord(row, columns)
      tokens = tokens.map((count, at) => count + (lengths[at] ?? 0))
      records++
    }
    place = step?.next
    await yieldTurn()
  }
  const indexed = db.prepare('select count(*) from memory_words_docsize').pluck().get()
  if (indexed !== records) throw searchError('fts_mismatch', 'number of rows')
  const totals = varints(
    db.prepare<[], Buffer>('select block from memory_words_data where id = 1').pluck().get() ?? NOTHING,
  )
  // An index that never held a row keeps no sums.
  if (totals.length > 0 ? !isSame([records, ...tokens], totals) : records > 0) throw searchError('fts_mismatch', 'sums')
  return sum
}

const NOTHING = new Uint8Array()
