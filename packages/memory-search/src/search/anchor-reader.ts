import { anchorShare, queryAnchors } from '../query/anchors.js'
import { MAX_QUERY_LENGTH } from '../query/match-expression.js'
import { anchorWords, nameShares } from '../query/name-anchors.js'
import { entityNames } from '../sqlite/about-entities.js'
import type { Connection } from '../sqlite/connection.js'
import type { RowCandidate } from './candidate-rows.js'

/** What candidates hold of the exact things that a query names (SEA-13). */
export interface AnchorReader {
  /** Share of its numbers, dates and identifiers, 0..1. */
  share(candidate: RowCandidate): number
  /** Share of its names, 0..1; undefined where none of them is one of the candidate's. */
  names(candidate: RowCandidate): number | undefined
  /** It holds all of both; false where the query has neither (REC-3). */
  holdsAll(candidate: RowCandidate): boolean
}

/** @param candidates  all of the query: a word is a name if an entity of any of them bears it */
export function anchorReader(db: Connection, query: string, candidates: readonly RowCandidate[]): AnchorReader {
  const anchors = queryAnchors(query)
  const rows = candidates.map(({ row }) => row)
  const asked = new Set(anchorWords(query.slice(0, MAX_QUERY_LENGTH)))
  // A name without any of these words counts for nothing.
  const isAsked = (name: string): boolean => anchorWords(name).some((word) => asked.has(word))
  const nameShare = nameShares(query, asked.size === 0 ? new Map() : entityNames(db, rows, isAsked))
  const shares = new Map<number, number>()
  const share = ({ row, sentence }: RowCandidate): number => {
    const known = shares.get(row) ?? anchorShare(anchors, sentence)
    shares.set(row, known)
    return known
  }
  const names = ({ row }: RowCandidate): number | undefined => nameShare.get(row)
  const hasNames = nameShare.size > 0
  return {
    share,
    names,
    holdsAll: (candidate) =>
      (anchors.length > 0 || hasNames) &&
      (anchors.length === 0 || share(candidate) === 1) &&
      (!hasNames || names(candidate) === 1),
  }
}
