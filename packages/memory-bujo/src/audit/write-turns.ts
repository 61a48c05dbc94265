import { utcDay, writeAuditLines, type AuditLine, type FileSystem, type WriterLease } from '@mono-agent/memory-store'
import type { PendingTurn } from '@mono-agent/memory-intake'
import { setImmediate as nextTurnOfLoop } from 'node:timers/promises'
import type { CanonicalWriter } from '../canonical-writer.js'
import { cleanObservation } from '../projection/clean-observation.js'

export interface AuditParts {
  readonly root: string
  readonly fs: FileSystem
  readonly lease: WriterLease
  readonly writer: Pick<CanonicalWriter, 'exclusive'>
}

/**
 * Writes one audit line a turn, one publication a day (FMT-9); lines that are there already stay as they are.
 * @returns credentials taken out
 */
export async function writeTurns(parts: AuditParts, turns: readonly PendingTurn[]): Promise<number> {
  const lines: AuditLine[] = []
  let redacted = 0
  for (const { id, admittedAt, turn } of turns) {
    const clean = await cleanObservation(turn.summary)
    redacted += clean.redacted
    if (clean.text !== '') {
      lines.push({
        turnId: id,
        day: utcDay(turn.occurredAt ?? admittedAt),
        text: clean.text,
        createdAt: admittedAt,
        ...(turn.occurredAt === undefined ? {} : { occurredAt: turn.occurredAt }),
        conversationId: turn.conversationId,
      })
    }
    await nextTurnOfLoop() // promises alone never give the event loop a turn
  }
  if (lines.length > 0) await parts.writer.exclusive(() => writeAuditLines(parts, lines))
  return redacted
}
