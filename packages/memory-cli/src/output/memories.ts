import type { MemoryHit } from '@mono-agent/memory-bujo'
import { printable, type Style } from './text.js'

/** What a listing shows of a memory; hits and index rows both have it. */
export interface ListedMemory extends Pick<MemoryHit, 'id' | 'text' | 'type' | 'status' | 'createdAt' | 'occurredAt'> {
  readonly speaker?: string
  readonly file?: string
  readonly supersededBy?: string
  readonly currentness?: MemoryHit['currentness']
}

/**
 * Memories, one block each: when it happened (else when it was recorded) and the sentence, then dimmed what tells it
 * apart. Statuses that are not `open`, and that something took its place, are said before the sentence.
 * @param leads  what stands before each date, of one width: a score, a rank
 */
export function formatMemories(memories: readonly ListedMemory[], style: Style, leads: readonly string[] = []): string {
  return memories
    .map((memory, index) => {
      const lead = leads[index] === undefined ? '' : `${leads[index]}  `
      const date = (memory.occurredAt ?? memory.createdAt ?? '').slice(0, 10).padEnd(10)
      const status = statusOf(memory)
      const details = [memory.type, memory.speaker, memory.file, memory.id].filter((part) => part !== undefined)
      const indent = ' '.repeat(lead.length + date.length + 2)
      const detail = style.dim(printable(details.join(' · ')))
      return `${lead}${style.strong(date)}  ${status}${printable(memory.text)}\n${indent}${detail}`
    })
    .join('\n')
}

function statusOf({ status, supersededBy, currentness }: ListedMemory): string {
  if (supersededBy !== undefined || currentness === 'superseded') return '[superseded] '
  return status === undefined || status === 'open' ? '' : `[${status}] `
}

export const STALE_NOTE =
  'Day files are newer than the index: what was just written or edited may be missing. ' +
  'The writer catches up by itself; a stopped store does at its next start or `rebuild`.'
