import type { CandidateSource, RequiredTags, WordHit } from '../candidates/candidate-source.js'
import type { RowFilter } from '../candidates/row-filter.js'
import { storedCosines, storedVectors } from '../candidates/stored-cosines.js'
import { ftsToken } from '../query/match-expression.js'
import { inverseFrequency } from '../ranking/bm25.js'
import type { Connection } from '../sqlite/connection.js'
import { CANDIDATES, WORD_TIE } from '../sqlite/lexical-candidates.js'
import { firstById } from '../sqlite/memory-rows.js'
import { DISTANCE_TIE } from '../sqlite/semantic-candidates.js'
import { maskOf } from './row-masks.js'
import { hasAtMost, slotsWithin, topSlots, type TopSlots } from './select-top.js'
import type { SidecarMemory } from './sidecar-memory.js'

/** Records whose stored vectors decide who is nearest: the best by estimate, for each that is looked for so many, and at least. */
export const WEIGHED_FOR_EACH = 3.2
export const MIN_WEIGHED = 96
/** Where more than these are about as near, estimates cannot part them: which of them is taken matters little. */
export const MAX_WEIGHED = 640
/**
 * How far below the last place of the first third, in standard errors of the estimates, those must be that are left out: three
 * times as many are looked for as are returned.
 */
export const ERRORS_APART = 1.5

/** No more than so many, as a narrow filter leaves them: all of their stored vectors decide, and estimates nothing. */
export const WEIGHED_ALL = 512

/** In a store of no more, vectors that were read are kept: two thirds of a ranking would be reading them. */
export const SMALL = 2_048

/** Where more than so many tie, their ids and vectors are not read one by one: the exact source compares them in SQLite. */
export const MOST_TIED = 4_096

/**
 * Candidates from a sidecar (SEA-19), within one snapshot of the database that it has caught up with: words as FTS5 weighs
 * them, the nearest by estimate and then by their stored vectors. Made for one query; what it found out is kept until then.
 * @param exact  answers what would have to look at very many records
 */
export function sidecarSource(db: Connection, memory: SidecarMemory, exact: CandidateSource): CandidateSource {
  const { slots, words: index, codes } = memory
  const rowOf = (slot: number): number => slots.rows[slot] as number
  const frequencies = (words: readonly string[]): number[] =>
    words.map((word) => index.frequency(ftsToken(word), slots.live, slots.dead))

  const mask = keptLast((required: RequiredTags, filter: RowFilter | undefined) => ({
    mask: maskOf(db, memory, required, filter),
  }))

  /** bm25 of every slot. */
  const scores = keptLast((words: readonly string[]): Float64Array => {
    const board = memory.lendScores()
    const counts = frequencies(words)
    words.forEach((word, at) => {
      const weight = inverseFrequency(counts[at] as number, slots.count)
      index.addScores(ftsToken(word), weight, board)
    })
    return board.scores
  })

  const estimates = keptLast((vector: Float32Array) => codes?.estimates(vector))
  const read = storedVectors(db)
  const isSmall = slots.count <= SMALL
  const cosineOf = storedCosines(isSmall ? (row) => memory.vectors.get(row, read) : read)

  return {
    lexical(words, required, limit, filter) {
      if (words.length === 0) return []
      const bm25 = scores(words)
      const passing = mask(required, filter).mask
      const top = topSlots(bm25, slots.size, { count: CANDIDATES + 1, least: 0, mask: passing })
      const hits = inOrder(top, (slot) => bm25[slot] as number, rowOf)
      const [last, leftOut] = [hits[limit - 1], hits[CANDIDATES]]
      const asHits = (found: readonly Placed[]): WordHit[] => found.map(({ row, value }) => ({ row, bm25: value }))
      if (last === undefined || leftOut === undefined) return asHits(hits.slice(0, CANDIDATES + 1))
      const margin = WORD_TIE * last.value
      if (last.value - leftOut.value > margin) return asHits(hits.slice(0, CANDIDATES))
      const [least, most] = [last.value - margin, last.value + margin]
      const tied = slotsWithin(bm25, slots.size, { least, most, mask: passing })
      if (tied.length > MOST_TIED) return exact.lexical(words, required, limit, filter)
      const bm25OfRow = new Map(tied.map((slot) => [rowOf(slot), bm25[slot] as number]))
      const first = firstById(db, [...bm25OfRow.keys()], CANDIDATES)
      return [
        ...asHits(hits.filter(({ value }) => value > most)),
        ...first.map((row) => ({ row, bm25: bm25OfRow.get(row) as number })),
      ]
    },

    lexicalOf(words, rows) {
      if (words.length === 0 || rows.length === 0) return []
      const bm25 = scores(words)
      return rows.flatMap((row) => {
        const slot = slots.slotOf(row)
        const value = slot === undefined ? 0 : (bm25[slot] as number)
        return value > 0 ? [{ row, bm25: value }] : []
      })
    },

    tagged(required, limit, filter) {
      const passing = mask(required, filter).mask
      const rows: number[] = []
      for (let slot = 0; slot < slots.size; slot++) {
        if (passing === undefined || passing[slot] === 1) rows.push(rowOf(slot))
      }
      if (rows.length > MOST_TIED) return exact.tagged(required, limit, filter)
      return firstById(db, rows, limit).map((row) => ({ row, bm25: 0 }))
    },

    semantic(vector, required, limit, filter) {
      const near = estimates(vector)
      if (near === undefined) return []
      const passing = mask(required, filter).mask
      const cosineAt = (slot: number): number => cosineOf(rowOf(slot), vector) ?? -Infinity
      const isNarrow = hasAtMost(near, slots.size, WEIGHED_ALL, passing)
      // Where many records are about as near, one that was left out may be among the nearest: then more are weighed.
      const weighed = (count: number): Placed[] | undefined => {
        const top = topSlots(near, slots.size, { count, least: -Infinity, mask: passing })
        if (top.above.length + top.tied.length > MOST_TIED) return undefined
        const placed = inOrder(top, cosineAt, rowOf)
        const counts = placed[Math.ceil(limit / 3) - 1]?.value
        const isEnough = isNarrow || count >= MAX_WEIGHED || !mayMiss(top, near, cosineAt, counts)
        return isEnough ? placed : weighed(2 * count)
      }
      const nearest = weighed(isNarrow ? WEIGHED_ALL : Math.max(MIN_WEIGHED, Math.ceil(WEIGHED_FOR_EACH * limit)))
      if (nearest === undefined) return exact.semantic(vector, required, limit, filter)
      const [last, leftOut] = [nearest[limit - 1], nearest[limit]]
      if (last === undefined || leftOut === undefined || last.value - leftOut.value > DISTANCE_TIE) {
        return nearest.slice(0, limit).map(({ row }) => row)
      }
      const nearer = nearest.filter(({ value }) => value > last.value + DISTANCE_TIE)
      const tied = nearest.filter(({ value }) => Math.abs(value - last.value) <= DISTANCE_TIE)
      const first = firstById(
        db,
        tied.map(({ row }) => row),
        limit - nearer.length,
      )
      return [...nearer.map(({ row }) => row), ...first]
    },

    cosineOf,
    before(row) {
      const slot = slots.slotOf(row)
      const before = slot === undefined ? 0 : (slots.before[slot] as number)
      return before === 0 ? undefined : before
    },
    carried: (tags) => tags.filter((tag) => frequencies([tag])[0] !== 0),
    frequencies,
    records: () => slots.count,
  }
}

/**
 * Whether a record that was not weighed may well be as near as one that counts: the best estimate left out is not above the
 * least one taken, and estimates err as much as those of the weighed ones did.
 * @param last  cosine of the last one that counts; undefined: there are fewer
 */
function mayMiss(
  { above, tied }: TopSlots,
  estimates: Float32Array,
  cosineAt: (slot: number) => number,
  last: number | undefined,
): boolean {
  if (last === undefined) return false
  let [least, squares] = [Infinity, 0]
  const weighed = [...above, ...tied]
  for (const slot of weighed) {
    const estimate = estimates[slot] as number
    least = Math.min(least, estimate)
    squares += (cosineAt(slot) - estimate) ** 2
  }
  return least + ERRORS_APART * Math.sqrt(squares / weighed.length) >= last
}

interface Placed {
  readonly row: number
  readonly value: number
}

/** The greatest value first, then by row. */
const inOrder = (
  { above, tied }: TopSlots,
  valueOf: (slot: number) => number,
  rowOf: (slot: number) => number,
): Placed[] =>
  [...above, ...tied]
    .map((slot) => ({ row: rowOf(slot), value: valueOf(slot) }))
    .sort((a, b) => b.value - a.value || a.row - b.row)

/** Remembers what the last question found out: a query asks the same again and again. Arguments are compared as they are. */
function keptLast<A extends readonly unknown[], R>(find: (...asked: A) => R): (...asked: A) => R {
  let last: { readonly asked: A; readonly found: R } | undefined
  return (...asked) => {
    if (last === undefined || asked.some((argument, at) => argument !== last?.asked[at])) {
      last = { asked, found: find(...asked) }
    }
    return last.found
  }
}
