import { utcDay } from '@mono-agent/memory-store'
import { ATTRIBUTION_WORDS, RECORDED } from './line-words.js'
import type { StatedFact } from './types.js'

/**
 * What the host says of a fact behind its words: who vouches for it, when it was recorded, and where it is not current,
 * why. Nothing of it is stored text.
 */
export function factMarks(fact: StatedFact): string {
  const { attribution, memory } = fact
  const state = stateWords(fact)
  return [
    ...(attribution === 'unknown' ? [] : [ATTRIBUTION_WORDS[attribution]]),
    `${RECORDED} ${utcDay(memory.createdAt)}`,
    ...(state === undefined ? [] : [state]),
  ].join(', ')
}

function stateWords({ isCurrent, memory, endedOn, validFrom }: StatedFact): string | undefined {
  if (isCurrent) return undefined
  if (memory.supersededBy !== undefined || memory.status === 'invalidated') return 'superseded'
  if (endedOn !== undefined) return `ended ${endedOn}`
  return validFrom === undefined ? 'not current' : `from ${validFrom}`
}
