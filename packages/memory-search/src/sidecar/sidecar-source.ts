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
import type { CodeStore } from './vectors/code-store.js'
import { byValue, MOST_TIED, weighNearest, type NearestAsked, type Placed } from './weigh-nearest.js'

/** No more than so many, as a narrow filter leaves them: all of their stored vectors decide, and estimates nothing. */
export const WEIGHED_ALL = 512

/** In a store of no more, vectors that were read are kept: two thirds of a ranking would be reading them. */
export const SMALL = 2_048

/**
 * Candidates from a sidecar (SEA-19), within one snapshot of the database that it has caught up with: words as FTS5 weighs
 * them, the nearest by estimate and then by their stored vectors. Made for one query; what it found out is kept until then.
 * @param exact  answers what would have to look at very many records
 */
export function sidecarSource(db: Connection, memory: SidecarMemory, exact: CandidateSource): CandidateSource {
  const { slots, words: index, codes } = memory
  const rowOf = (slot: number): number => slots.rows[slot] as number
  const frequencies = (words: readonly string[]): number[] =>
    words.map((word) => index.frequency(ftsToken(word), slots.live, slots.dead, memory.board))

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

  const estimates = keptLast((of: CodeStore, vector: Float32Array) => of.estimates(vector))
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
      for (let slot = 0; slot < slots.size && rows.length <= MOST_TIED; slot++) {
        if (passing === undefined || passing[slot] === 1) rows.push(rowOf(slot))
      }
      if (rows.length > MOST_TIED) return exact.tagged(required, limit, filter)
      return firstById(db, rows, limit).map((row) => ({ row, bm25: 0 }))
    },

    semantic(vector, required, limit, filter) {
      if (codes === undefined) return []
      const near = estimates(codes, vector)
      const passing = mask(required, filter).mask
      const cosineAt = (slot: number): number => cosineOf(rowOf(slot), vector) ?? -Infinity
      const errorOf = (slot: number): number => codes.errorOf(slot)
      const ofAll = { estimates: near, size: slots.size, mask: passing, sought: limit, errorOf, rowOf, cosineAt }
      const nearest = hasAtMost(near, slots.size, WEIGHED_ALL, passing) ? allByCosine(ofAll) : weighNearest(ofAll)
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

/** The greatest value first, then by row. */
const inOrder = (
  { above, tied }: TopSlots,
  valueOf: (slot: number) => number,
  rowOf: (slot: number) => number,
): Placed[] => [...above, ...tied].map((slot) => ({ row: rowOf(slot), value: valueOf(slot) })).sort(byValue)

/** Of few records, without an estimate. */
function allByCosine({ estimates, size, mask, rowOf, cosineAt }: NearestAsked): Placed[] {
  const all = topSlots(estimates, size, { count: WEIGHED_ALL, least: -Infinity, mask })
  return inOrder(all, cosineAt, rowOf)
}

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
