import type { Attribution } from '@mono-agent/memory-store'
import type { CaptureTurn, ExtractedMemory, Extraction, MemorySourceKind } from '../types.js'
import { withoutFullStop } from './full-stops.js'
import { isOthersWord, isQuotedFrom, type SpokenTexts } from './quotation.js'

/** A memory as a plan may hold it: one that was retained before sources were asked for has none (CAP-11). */
export type PlannedMemory = Omit<ExtractedMemory, 'source'> & { readonly source?: MemorySourceKind }

export interface PlannedExtraction extends Omit<Extraction, 'memories'> {
  readonly memories: readonly PlannedMemory[]
}

/** What the host can vouch for (CAP-9, CAP-11). */
export interface BoundSource {
  readonly source: MemorySourceKind
  readonly attribution: Attribution
}

const ATTRIBUTION_OF: Readonly<Record<MemorySourceKind, Attribution>> = {
  user: 'user-stated',
  document: 'document',
  assistant: 'assistant-inferred',
  tool: 'assistant-inferred',
}

/**
 * The source of a memory, bounded by what the host knows of the turn: `user` is kept where the quote stands in the words
 * of a verified human, and the sentence is not one that only others said; `tool` where the host saw a tool; else it is the assistant's. Never more than was claimed.
 */
export function boundSource(memory: PlannedMemory, turn: CaptureTurn, spoken: SpokenTexts): BoundSource {
  if (memory.source === undefined) return { source: 'assistant', attribution: 'unknown' }
  const source = isBorneOut(memory.source, memory, turn, spoken) ? memory.source : 'assistant'
  return { source, attribution: ATTRIBUTION_OF[source] }
}

function isBorneOut(
  source: MemorySourceKind,
  { quote, text }: PlannedMemory,
  turn: CaptureTurn,
  spoken: SpokenTexts,
): boolean {
  if (source === 'user') {
    const isQuoted = turn.speakerKind === 'human-turn' && isQuotedFrom('user', quote, spoken)
    return isQuoted && !isOthersWord(withoutFullStop(text), spoken)
  }
  return source !== 'tool' || turn.toolOutcomes.length > 0
}

/** The owner's own words: what owner facts, intentions and own preferences need. */
export function isOwnersWord({ source }: Pick<BoundSource, 'source'>, turn: CaptureTurn): boolean {
  return turn.isOwnerTurn && turn.speakerKind === 'human-turn' && source === 'user'
}
