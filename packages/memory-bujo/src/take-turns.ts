import type { Stepwise } from '@mono-agent/memory-store'
import { setImmediate as nextTurnOfLoop } from 'node:timers/promises'

/** Carries a computation out, giving the event loop a turn between its parts. */
export async function takeTurns<Result>(steps: Stepwise<Result>): Promise<Result> {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    await nextTurnOfLoop()
  }
}
