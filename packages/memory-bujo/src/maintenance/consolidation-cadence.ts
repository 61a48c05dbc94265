import { Cron } from 'croner'
import { BujoError } from '../errors.js'

const FIELDS = 5

/**
 * When a cadence is due next: five fields, in UTC (OPS-10).
 * @param after  epoch milliseconds
 * @returns undefined if never again, such as on 30 February
 * @throws {BujoError} `config_invalid`; the expression is not repeated
 */
export function nextDue(expression: string, after: number): Date | undefined {
  try {
    // The library knows nicknames as well, and more fields: those are no cadence here.
    if (expression.trim().split(/\s+/).length !== FIELDS) throw new TypeError(`There are not ${FIELDS} fields.`)
    const cron = new Cron(expression, { mode: '5-part', timezone: 'UTC', paused: true })
    return cron.nextRun(new Date(after)) ?? undefined
  } catch (error) {
    throw new BujoError(
      'config_invalid',
      'memory.consolidation.cron: is no five-field cron expression (minute, hour, day, month, day of week; UTC, ' +
        'without `H`). Mend it, such as `0 */2 * * *`.',
      { cause: error },
    )
  }
}
