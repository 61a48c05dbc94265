import { ATTRIBUTION_WORDS, type MemoryHit } from '@mono-agent/memory-bujo'
import { marksOf } from './marks.js'
import { printable, type Style } from './text.js'

/** What a listing shows of a memory; hits and index rows both have it. */
export interface ShownMemory extends Omit<MemoryHit, 'score' | 'source' | 'explanation' | 'provenance'> {
  readonly speaker?: string
  readonly file?: string
}

/**
 * Memories, one block each: when it happened (else when it was recorded), its marks and the sentence, then dimmed what tells
 * it apart: type, recording day, who vouches for it, who spoke, day file, id.
 * @param leads  what stands before each date, of one width: a score, a rank
 */
export function formatMemories(memories: readonly ShownMemory[], style: Style, leads: readonly string[] = []): string {
  return memories
    .map((memory, index) => {
      const lead = leads[index] === undefined ? '' : `${leads[index]}  `
      const date = (memory.occurredAt ?? memory.createdAt ?? '').slice(0, 10).padEnd(10)
      const marks = marksOf(memory).map((mark) => `[${mark}] `)
      const details = [memory.type, recorded(memory), voucherOf(memory), memory.speaker, memory.file, memory.id]
      const indent = ' '.repeat(indentOf(lead))
      const detail = style.dim(printable(details.filter((part) => part !== undefined).join(' · ')))
      return `${lead}${style.strong(date)}  ${marks.join('')}${printable(memory.text)}\n${indent}${detail}`
    })
    .join('\n')
}

/** Columns before the sentence, behind a lead as `formatMemories` puts it. */
export const indentOf = (lead: string): number => lead.length + 'YYYY-MM-DD'.length + 2

function recorded({ createdAt }: ShownMemory): string | undefined {
  return createdAt === undefined ? undefined : `recorded ${createdAt.slice(0, 10)}`
}

/** As agents are told it: `you said` is the owner. */
function voucherOf({ attribution }: Pick<ShownMemory, 'attribution'>): string | undefined {
  return attribution === undefined || attribution === 'unknown' ? undefined : ATTRIBUTION_WORDS[attribution]
}

export const STALE_NOTE =
  'Day files are newer than the index: what was just written or edited may be missing. ' +
  'The writer catches up by itself; a stopped store does at its next start or `rebuild`.'
