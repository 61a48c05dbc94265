import type { MemoryHit } from '@mono-agent/memory-bujo'

export type Marked = Pick<MemoryHit, 'type' | 'status' | 'currentness' | 'endedOn' | 'validFrom' | 'validTo' | 'dueAt'>

/**
 * What is said before the sentence of a memory, as `MemoryRecall` says it (REC-11): its status unless it is open, and that
 * it was superseded or has ended; of what stands only for how long it is meant to.
 */
export function marksOf(memory: Marked): string[] {
  const { status } = memory
  return [...(status === undefined || status === 'open' ? [] : [status]), ...validityOf(memory)]
}

function validityOf({ type, currentness, endedOn, validFrom, validTo, dueAt }: Marked): string[] {
  if (currentness === 'superseded') return ['superseded']
  if (currentness === 'ended') return [endedOn === undefined ? 'ended' : `ended ${endedOn}`]
  return [
    ...(validFrom === undefined ? [] : [`from ${validFrom}`]),
    ...(validTo === undefined ? [] : [`until ${validTo}`]),
    ...(dueAt === undefined ? [] : [`${type === 'event' ? 'on' : 'due'} ${dueAt}`]),
  ]
}
