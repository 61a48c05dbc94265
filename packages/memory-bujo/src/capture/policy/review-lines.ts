import { MAX_LABELS } from '@mono-agent/memory-store'
import { REVIEW_ACTIONS, type ReviewLine } from '../contract/parse-review.js'
import type { AdmittedCapture, AdmittedMemory, CaptureTurn, DropReason, ReviewDecision } from '../types.js'
import { isOwnersWord } from './attribution.js'
import { countDrops } from './drop-counts.js'
import { fitsFormat } from './label-format.js'
import { pruneCapture } from './prune.js'
import { isQuotedFrom, spokenTexts, type SpokenTexts } from './quotation.js'
import { scopeOf } from './scope.js'

export type { ReviewLine }

/**
 * The lines of a capture that are reviewed: those of the assistant, which may be dropped, and the owner's own without a
 * preference label, which may get one. Empty: no review.
 */
export function reviewLines(capture: AdmittedCapture, turn: CaptureTurn): readonly ReviewLine[] {
  return capture.memories.flatMap((memory) => {
    const source = reviewedAs(memory, turn)
    const { index, text, quote } = memory
    return source === undefined ? [] : [{ index, source, text, quote }]
  })
}

function reviewedAs(memory: AdmittedMemory, turn: CaptureTurn): ReviewLine['source'] | undefined {
  // A line of a plan retained without sources may be anybody's: its attribution is unknown, and it is kept.
  if (memory.source === 'assistant') return memory.attribution === 'unknown' ? undefined : 'assistant'
  const isLabelled = memory.labels.some(({ kind }) => kind === 'preference')
  return isOwnersWord(memory, turn) && !isLabelled ? 'user' : undefined
}

/**
 * Carries out a review. A decision that its line does not allow (any longer: decisions are retained, rules may change)
 * keeps the line as it is. Text, source, entities and salience never change.
 */
export function applyReview(
  capture: AdmittedCapture,
  decisions: readonly ReviewDecision[],
  turn: CaptureTurn,
): AdmittedCapture {
  const spoken = spokenTexts(turn)
  const actions = new Map(decisions.map(({ index, action }) => [index, action]))
  const memories: AdmittedMemory[] = []
  const drops: DropReason[] = []
  for (const memory of capture.memories) {
    const action = allowedAction(actions.get(memory.index), memory, turn)
    if (action === 'drop') drops.push('review')
    else if (action === 'preference') {
      const labelled = withPreference(memory, turn, spoken)
      if (labelled === undefined) drops.push('label_not_allowed')
      memories.push(labelled ?? memory)
    } else memories.push(memory)
  }
  return { ...pruneCapture(capture, memories), dropped: countDrops(drops, capture.dropped) }
}

function allowedAction(
  action: ReviewDecision['action'] | undefined,
  memory: AdmittedMemory,
  turn: CaptureTurn,
): ReviewDecision['action'] {
  const source = reviewedAs(memory, turn)
  return action !== undefined && source !== undefined && REVIEW_ACTIONS[source].includes(action) ? action : 'keep'
}

/** Under the gates of any preference label, with the line's own quote as its evidence. */
function withPreference(memory: AdmittedMemory, turn: CaptureTurn, spoken: SpokenTexts): AdmittedMemory | undefined {
  const scope = scopeOf('agent', turn, memory.source === 'user')
  const { attribution } = memory
  if (scope === undefined || !isQuotedFrom(memory.source, memory.quote, spoken)) return undefined
  const label = { kind: 'preference', scope, attribution } as const
  const hasRoom = memory.labels.length < MAX_LABELS && fitsFormat(label)
  return hasRoom ? { ...memory, labels: [...memory.labels, label] } : undefined
}
