import { contentHash } from '@mono-agent/memory-store'
import type { Settlement } from '@mono-agent/memory-intake'
import { isLive, type IndexedMemory, type SearchIndex } from '@mono-agent/memory-search'
import type { CanonicalWriter } from '../canonical-writer.js'
import type { DraftedObservation } from './draft-observation.js'

/** Drafts apart by what has to be done for them. */
export interface SortedDrafts {
  /** To be written; the first of each content. */
  readonly fresh: readonly DraftedObservation[]
  /** Turns whose content stands in Markdown already. */
  readonly known: readonly Settlement[]
  /** Turns that say what a fresh draft of the same batch says: by their id, the id of its turn. */
  readonly repeats: ReadonlyMap<string, string>
}

/** Decides, within the canonical section, which drafts say what is already there. */
export type SortDrafts = (drafts: readonly DraftedObservation[]) => Promise<SortedDrafts>

/** Lite writes every turn: the same words said twice are two observations. */
export const everyDraftIsFresh: SortDrafts = (fresh) => Promise.resolve({ fresh, known: [], repeats: new Map() })

/**
 * Repeated content converges on one Markdown line and one index row (CAP-2), of whatever conversation. Found by the content
 * identity that observations carry, and by the words of a single sentence, so that what lite or Remember wrote counts too.
 * The index is believed only after the day files of its hits were looked at: a person may have removed the line.
 */
export function sortByContent(index: SearchIndex, writer: Pick<CanonicalWriter, 'catchUp'>): SortDrafts {
  return async (drafts) => {
    const files = new Set(drafts.flatMap((draft) => saying(index, draft).map(({ file }) => file)))
    if (files.size > 0) await writer.catchUp([...files])
    const fresh: DraftedObservation[] = []
    const known: Settlement[] = []
    const repeats = new Map<string, string>()
    const firstOf = new Map<string, string>()
    for (const draft of drafts) {
      const memory = saying(index, draft)[0]
      const first = draft.contentId === undefined ? undefined : firstOf.get(draft.contentId)
      if (memory !== undefined)
        known.push({ id: draft.turnId, memoryIds: idsFrom(index, memory, draft.bullets.length) })
      else if (first !== undefined) repeats.set(draft.turnId, first)
      else {
        fresh.push(draft)
        if (draft.contentId !== undefined) firstOf.set(draft.contentId, draft.turnId)
      }
    }
    return { fresh, known, repeats }
  }
}

/**
 * Live memories that begin or are what a draft says, the earliest first. A line that a person reworded keeps the identity
 * of what it once said, so the words must be there as well.
 */
function saying(index: SearchIndex, { contentId, bullets }: DraftedObservation): IndexedMemory[] {
  const [first] = bullets
  if (contentId === undefined || first === undefined) return []
  const hash = contentHash(first.sentence)
  const found = bullets.length === 1 ? index.findByContentHash(hash) : index.findByContentId(contentId)
  return found.filter(({ status, contentHash: held }) => held === hash && isLive(status))
}

const FIRST_OF_TURN = /^(r-[0-9a-f]{32}-)1$/

/** The memory and those that the rest of its observation became. */
function idsFrom(index: SearchIndex, { id }: IndexedMemory, bullets: number): string[] {
  const prefix = FIRST_OF_TURN.exec(id)?.[1]
  if (prefix === undefined) return [id]
  const ids = Array.from({ length: bullets }, (_, at) => `${prefix}${at + 1}`)
  return ids.filter((candidate) => candidate === id || index.get(candidate) !== undefined)
}
