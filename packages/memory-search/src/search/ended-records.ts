import { contentHash } from '@mono-agent/memory-store'
import type { EndedRecord } from '../candidates/source-as-of.js'
import type { RowFilter } from '../candidates/row-filter.js'
import { analyze } from '../query/analyzer.js'
import { memoryTags } from '../query/tags.js'
import type { Connection } from '../sqlite/connection.js'
import { CONTEXT_LENGTH, neighbours, rowBefore } from '../sqlite/context-columns.js'
import { endedRows } from '../sqlite/ended-rows.js'
import type { RankRequest } from '../types.js'

/** What ended since an instant, as the candidates of a request. */
export interface Ended {
  readonly records: readonly EndedRecord[]
  /** Rows whose sentence is the query itself. */
  readonly exact: readonly number[]
}

/** @param asOf  as `spelledInstant` writes it */
export function endedRecords(db: Connection, request: RankRequest, asOf: string, filter: RowFilter): Ended {
  const rows = endedRows(db, { asOf, filter, conversationId: request.conversationId })
  const around = neighbours(db)
  const rowBeforeOf = rowBefore(db)
  const tokens = new Map<string, readonly string[]>([['', []]])
  const tokensOf = (sentence: string): readonly string[] => {
    const known = tokens.get(sentence) ?? analyze(sentence)
    tokens.set(sentence, known)
    return known
  }
  const records = rows.map((row): EndedRecord => {
    const vector = request.endedVectors?.get(row.content_hash)
    const before = rowBeforeOf(row.row)
    const context = row.conversation_id === null ? [] : around.before(row.row)
    return {
      row: row.row,
      id: row.id,
      columns: [
        tokensOf(row.sentence),
        ...Array.from({ length: CONTEXT_LENGTH }, (_, at) => tokensOf(context[at] ?? '')),
        memoryTags({
          createdAt: row.created_at,
          occurredAt: row.occurred_at ?? undefined,
          speaker: row.speaker ?? undefined,
          conversationId: row.conversation_id ?? undefined,
        }),
      ],
      ...(vector === undefined ? {} : { vector }),
      ...(before === undefined ? {} : { before }),
    }
  })
  const asked = rows.length === 0 ? undefined : contentHash(request.query)
  return { records, exact: rows.filter((row) => row.content_hash === asked).map(({ row }) => row) }
}
