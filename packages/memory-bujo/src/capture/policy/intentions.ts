import { isDay, parseInstant, type MemoryStatus } from '@mono-agent/memory-store'
import type { CaptureTurn, IntentState } from '../types.js'
import { isOwnersWord, type BoundSource, type PlannedMemory } from './attribution.js'

const STATUS_OF: Readonly<Record<IntentState, MemoryStatus>> = {
  planned: 'scheduled',
  pending: 'open',
  done: 'done',
  abandoned: 'dropped',
}

/** RFC 3339 writes an unknown offset as `-00:00`. */
const END_OF_DAY = /^\d{4}-\d{2}-\d{2}T23:59:59\.999(?:Z|(?!-00:00)[+-](\d{2}):(\d{2}))$/
/** The widest offset any zone has. */
const MAX_OFFSET_MINUTES = 14 * 60
const OFFSET_STEP_MINUTES = 15

/** What becomes of a proposed intention (CAP-24). */
export type Intention =
  | { readonly kind: 'none' }
  /** The memory is kept as an ordinary note. `isEndUncertain`: its end is kept nowhere. */
  | { readonly kind: 'refused'; readonly isEndUncertain: boolean }
  | {
      readonly kind: 'accepted'
      readonly state: IntentState
      readonly status: MemoryStatus
      /** Inclusive civil end. */
      readonly dueAt?: string
    }

/**
 * Judges a proposal: only the owner's own words on a verified owner turn can intend something, and the end must be certain.
 * @param isHonoured  the switch, or that the plan was retained while it was on
 */
export function judgeIntention(
  memory: PlannedMemory,
  bound: BoundSource,
  turn: CaptureTurn,
  isHonoured: boolean,
): Intention {
  const { intentState: state, validTo, due } = memory
  if (state === undefined || !isHonoured) return { kind: 'none' }
  if (validTo !== undefined && !isCivilEnd(validTo)) return { kind: 'refused', isEndUncertain: true }
  if (!isOwnersWord(bound, turn)) return { kind: 'refused', isEndUncertain: false }
  const dueAt = validTo ?? due
  return { kind: 'accepted', state, status: STATUS_OF[state], ...(dueAt === undefined ? {} : { dueAt }) }
}

/** A day, or the last millisecond of one in a zone whose offset is certain. */
function isCivilEnd(end: string): boolean {
  if (isDay(end)) return true
  const match = END_OF_DAY.exec(end)
  if (match === null || parseInstant(end) === undefined) return false
  const minutes = Number(match[1] ?? 0) * 60 + Number(match[2] ?? 0)
  return minutes <= MAX_OFFSET_MINUTES && minutes % OFFSET_STEP_MINUTES === 0
}
