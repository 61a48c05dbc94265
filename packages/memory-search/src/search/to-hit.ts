import type { HitExplanation, MemoryHit } from '@mono-agent/memory-store'
import type { MemoryRow } from '../sqlite/memory-rows.js'

/** A row as callers see it; `explanation` only where they asked for it. */
export function toHit(row: MemoryRow, score: number, explanation?: HitExplanation): MemoryHit {
  return {
    id: row.id,
    score,
    text: row.sentence,
    type: row.type,
    status: row.status,
    createdAt: row.created_at,
    ...(row.occurred_at === null ? {} : { occurredAt: row.occurred_at }),
    ...(row.due_at === null ? {} : { dueAt: row.due_at }),
    ...(row.attribution === null ? {} : { attribution: row.attribution }),
    source: {
      ...(row.conversation_id === null ? {} : { conversationId: row.conversation_id }),
      ...(row.speaker === null ? {} : { speaker: row.speaker }),
      file: row.file,
    },
    ...(explanation === undefined ? {} : { explanation }),
  }
}
