import type { IndexedMemory } from '@mono-agent/memory-search'

/** Why Remember must leave a memory as it is. */
export type Protection = 'task' | 'preference' | 'lesson' | 'stated_fact' | 'plain'

/**
 * PURE: whether Remember may replace a memory (REC-27): an ordinary note or event that was captured, or that was remembered
 * with detail. What a user stated, wishes or taught is not the assistant's to replace, whoever wrote the line. A line says by
 * itself where it comes from; of one that does not, nothing is guessed: it may be a person's.
 * @returns undefined if it may
 */
export function protectionOf(memory: IndexedMemory): Protection | undefined {
  const { type, labels = [], replaceable } = memory
  if (type === 'task') return 'task'
  for (const label of labels) {
    if (label.kind !== 'fact') return label.kind
    if (label.attribution === 'user-stated') return 'stated_fact'
  }
  return (replaceable ?? (isCaptured(memory) || isRememberedWithDetail(memory))) ? undefined : 'plain'
}

/** Observations of other tiers have ids of this form as well, and no attribution. */
const CAPTURED_ID = /^r-[0-9a-f]{32}-\d+s?$/

const isCaptured = ({ id, attribution }: IndexedMemory): boolean => CAPTURED_ID.test(id) && attribution !== undefined

const isRememberedWithDetail = ({ id, attribution }: IndexedMemory): boolean =>
  id.startsWith('m-') && attribution === 'assistant-inferred'
