import { setImmediate as nextTurnOfLoop } from 'node:timers/promises'

/** So long a question may wait for work beside it: a third of what the reference path takes at 100,000 memories. */
export const LONGEST_TURN_MS = 100

export interface Turns {
  /** Milliseconds. */
  readonly now: () => number
  /** Lets everything else that waits have its turn. */
  readonly nextTurn: () => Promise<unknown>
}

/**
 * Turns of a thread for work beside its questions: after each slice it asks whether others have the turn now, and they have it
 * once the work went on as long as they did before, or `LONGEST_TURN_MS`. Half of the time at least is so its own where questions
 * that take long come without a pause, as those of the reference path do while there is nothing better: the work that would end
 * that has to come to an end.
 */
export function fairTurns({ now, nextTurn }: Turns = { now: () => performance.now(), nextTurn: nextTurnOfLoop }) {
  let [begun, due] = [now(), 0]
  return async (): Promise<void> => {
    const left = now()
    if (left - begun < due) return
    await nextTurn()
    begun = now()
    due = Math.min(begun - left, LONGEST_TURN_MS)
  }
}
