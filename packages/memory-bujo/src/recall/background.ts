import type { ContextBlock } from '@mono-agent/memory-store'
import { GUIDANCE_RANKS } from './guidance-floor.js'
import { guidanceLines, type GuidanceRequest } from './guidance.js'
import { isExpiredIntent } from './intent-expiry.js'

const HEADING = 'Preferences & lessons that may apply; may contradict each other, verify:'

/**
 * Labelled background of a turn (REC-18): the guidance of deliberate recall, from the same floor, without what automatic
 * reads leave out (REC-20). Undefined where nothing is eligible.
 */
export function background(asked: Omit<GuidanceRequest, 'kind' | 'isAboutEntity'>): ContextBlock | undefined {
  const ranked = asked.ranked.slice(0, GUIDANCE_RANKS).filter(({ memory }) => !isExpiredIntent(memory, asked.vantage))
  const lines = guidanceLines({ ...asked, ranked })
  return lines.length === 0 ? undefined : { kind: 'background', heading: HEADING, lines }
}
