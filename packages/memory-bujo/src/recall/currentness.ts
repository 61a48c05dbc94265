import { isDay, parseInstant } from '@mono-agent/memory-store'
import { agreed, keyedFacts, type IndexedMemory } from '@mono-agent/memory-search'
import { civilDay } from './civil-day.js'
import type { Standing, Vantage } from './types.js'

/**
 * How a memory stands at a vantage (REC-4). What was superseded or invalidated is so, whatever dates it has; else it has
 * ended once an end of its own is past: the `validTo` that all its keyed facts agree on, or the `due` of an event. The
 * `due` of a task is when it should be done, no end; that of a note is one only with `intentExpiry` (REC-20). A beginning,
 * past or future, ends nothing.
 */
export function standingOf(memory: IndexedMemory, vantage: Vantage): Standing {
  if (memory.supersededBy !== undefined || memory.status === 'invalidated') return { state: 'superseded' }
  const passed = endsOf(memory, vantage).filter((end) => hasPassed(end, vantage))
  if (passed.length === 0) return { state: 'current' }
  return { state: 'ended', endedOn: passed.map(dayOf).reduce((first, day) => (day < first ? day : first)) }
}

/**
 * Whether an inclusive end is over: a day once the civil day of the vantage is a later one, an instant once it is past, in
 * the offset that it was written with (REC-4).
 * @param end  `YYYY-MM-DD` or RFC 3339; the format lets nothing else in, and of anything else nobody could say when it is over
 */
export function hasPassed(end: string, { at, timeZone }: Vantage): boolean {
  if (isDay(end)) return civilDay(at, timeZone) > end
  const instant = parseInstant(end)
  return instant !== undefined && at > instant
}

/** Whether a beginning has come: its day is here, or its instant. @param start  as in `hasPassed` */
export function hasBegun(start: string, { at, timeZone }: Vantage): boolean {
  if (isDay(start)) return civilDay(at, timeZone) >= start
  const instant = parseInstant(start)
  return instant === undefined || at >= instant
}

/** The day of an end as it was written, whatever zone it was written in. */
export const dayOf = (end: string): string => end.slice(0, 'YYYY-MM-DD'.length)

function endsOf(memory: IndexedMemory, { intentExpiry }: Vantage): string[] {
  const isEnd = memory.type === 'event' || (memory.type === 'note' && intentExpiry)
  const ends = [agreed(keyedFacts(memory).map(({ validTo }) => validTo)), isEnd ? memory.dueAt : undefined]
  return ends.filter((end) => end !== undefined)
}
