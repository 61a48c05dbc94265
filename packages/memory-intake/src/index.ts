// What callers may rely on; everything else is free to change.
export { openIntake, DEFAULT_LIMITS } from './open-intake.js'
export { readIntake } from './read-intake.js'
export { isLowSignal } from './policy/low-signal.js'
export { MAX_ATTEMPTS } from './policy/backoff.js'
export { validateTurn } from './policy/validate-turn.js'
export { turnId } from './format/canonical-turn.js'
export { INTAKE_ERRORS, IntakeError, type IntakeErrorCode } from './errors.js'
export type * from './types.js'
