import { IntakeError } from './errors.js'

/** @param reason  a clause without names, ids or text: `a log segment is missing` */
export function invalid(reason: string): IntakeError {
  return new IntakeError(
    'intake_invalid',
    `Intake cannot be trusted: ${reason}. Nothing was changed. Bring .capture-intake and .memory-schema back whole, as ` +
      'they were together; do not delete single files.',
  )
}
