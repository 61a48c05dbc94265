import { utcDay, type Attribution } from '@mono-agent/memory-store'
import type { IndexedMemory } from '@mono-agent/memory-search'
import { standingOf } from './currentness.js'
import { ATTRIBUTION_WORDS, RECORDED, UNKNOWN_SOURCE } from './line-words.js'
import type { Vantage } from './types.js'

/**
 * What the host says of a memory behind its words, `(recorded 2026-05-01; current; you said)`. Stored text cannot say the like
 * (`shownText`), so the last brackets of a line are the host's.
 */
export function recordedNote(memory: IndexedMemory, states: readonly string[]): string {
  const items = [recordedOn(memory), ...states, attributionWords(memory), sourceWords(memory)]
  return `(${items.filter((item) => item !== undefined).join('; ')})`
}

/** `recorded 2026-05-01`: the UTC day, which is also the day file that it stands in. */
export const recordedOn = ({ createdAt }: Pick<IndexedMemory, 'createdAt'>): string =>
  `${RECORDED} ${utcDay(createdAt)}`

/** Whether a memory still stands: nothing took its place, it has not ended, and nobody closed it. */
export function isStanding(memory: IndexedMemory, vantage: Vantage): boolean {
  return standingOf(memory, vantage).state === 'current' && !isClosed(memory)
}

/**
 * How a memory stands, in words (REC-14). A task is history as anything else, so that nothing looks like an order to do it: as
 * long as it stands it was merely recorded. What somebody closed has ended, on a day that no line keeps.
 */
export function standingWords(memory: IndexedMemory, vantage: Vantage): string {
  const { state, endedOn } = standingOf(memory, vantage)
  if (state === 'ended' && endedOn !== undefined) return `ended ${endedOn}`
  if (state !== 'current') return state
  if (isClosed(memory)) return 'ended'
  return memory.type === 'task' ? 'task/plan recorded' : 'current'
}

/** Done, or moved on to another place: neither stands any more where it was written. */
const isClosed = ({ status }: IndexedMemory): boolean => status === 'done' || status === 'migrated'

/** Who vouches for a memory, in words; undefined where its labels disagree or nobody knows. */
function attributionWords({ attribution, labels = [] }: IndexedMemory): string | undefined {
  const claimed = new Set<Attribution>(labels.flatMap((label) => (label.kind === 'lesson' ? [] : [label.attribution])))
  if (attribution !== undefined) claimed.add(attribution)
  const [only, ...others] = claimed
  return only === undefined || only === 'unknown' || others.length > 0 ? undefined : ATTRIBUTION_WORDS[only]
}

/** A conversation that is known is never named (REC-16). */
const sourceWords = ({ conversationId }: IndexedMemory): string | undefined =>
  conversationId === undefined ? UNKNOWN_SOURCE : undefined
