import { setImmediate as nextTurnOfLoop } from 'node:timers/promises'

/** Up to so long the work goes on as long as others did, and half as long as they did beyond twice of it. */
export const EQUAL_TURN_MS = 100

export interface Turns {
  /** Milliseconds. */
  readonly now: () => number
  /** Lets everything else that waits have its turn. */
  readonly nextTurn: () => Promise<unknown>
}

/**
 * Turns of a thread for work beside its questions. After each slice the work asks whether others have the turn now; they have it
 * once it went on for its share of what they took before. Work without which questions take long, as those of the reference path
 * do while a sidecar is built, so gets a third of the time at least, however few pauses they leave, and a quick question waits
 * for a slice or about as long as it takes.
 */
export function fairTurns({ now, nextTurn }: Turns = { now: () => performance.now(), nextTurn: nextTurnOfLoop }) {
  let [begun, due] = [now(), 0]
  return async (): Promise<void> => {
    const left = now()
    if (left - begun < due) return
    await nextTurn()
    begun = now()
    due = shareOf(begun - left)
  }
}

const shareOf = (others: number): number => Math.min(others, Math.max(EQUAL_TURN_MS, others / 2))
