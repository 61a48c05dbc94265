import { MemoryError } from '@mono-agent/memory-store'

/** code → meaning and mend; `docs/errors.md` is made from this table. */
export const INTAKE_ERRORS = {
  turn_invalid:
    'A field of the turn is missing, of the wrong type, out of bounds or unknown; the message names it, never its value. Nothing was written. Mend the field and send the turn again.',
  turn_too_large:
    'The record of the turn would exceed 640 KiB. Nothing was written. Send a shorter summary or capture text.',
  run_conflict:
    'This run id was admitted before with a different payload. Nothing was changed. Give each turn a run id of its own, or send the very same payload.',
  intake_full:
    'As many turns are unfinished (pending and dead) as the limit allows. Nothing was written. Where many were handed over at once, wait with `flush()` and send it again. Else mend what keeps them from being processed; `inspect` lists them, `retry` and `resolve` end what is stuck.',
  intake_invalid:
    'The files under `.capture-intake/` contradict each other or were changed from outside. They were left untouched. Bring the directory back whole from the last good state; do not delete single files.',
  intake_busy:
    'A running writer moved the files during each of three reads. Nothing was read halfway. Ask again in a moment.',
  item_unknown:
    'No pending, dead or resolved item has this id: it was never admitted, or its receipt was pruned. Nothing was changed. `inspect` lists the ids.',
  reason_invalid:
    'A reason has 1 to 64 characters of a-z, 0-9, `_` and `-`, and starts with a letter or digit. Nothing was changed.',
  plan_retained:
    'What a model made of this turn waits in `.capture-outbox/`, and its next attempt goes on from there. Nothing was changed. If the turn is dead, `retry` it; then start the agent, or remove the plan knowingly before resolving.',
} as const

export type IntakeErrorCode = keyof typeof INTAKE_ERRORS

/** An admission, transition or opening that was refused. See `INTAKE_ERRORS`. */
export class IntakeError extends MemoryError<IntakeErrorCode> {
  override readonly name = 'IntakeError'
}
