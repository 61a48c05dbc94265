import type { MemoryConfig } from '../config.js'
import { nextDue } from './consolidation-cadence.js'
import { checked, type ValidationCheck } from './validation.js'

/** As the block has it when it is left out. */
const DEFAULTS = { enabled: true, cron: '0 */2 * * *' }

/** The cadence of consolidation, and whether it will run (OPS-9). @param now  epoch milliseconds */
export async function checkConsolidation(
  { consolidation, writeMode }: Pick<MemoryConfig, 'consolidation' | 'writeMode'>,
  now: number,
): Promise<ValidationCheck> {
  const { enabled, cron } = consolidation ?? DEFAULTS
  let next: Date | undefined
  const parsed = await checked('consolidation', () => {
    next = nextDue(cron, now)
    return 'The cadence can be read.'
  })
  if (parsed.status !== 'ok') return parsed
  if (!enabled) return note('consolidation_off', 'Consolidation is switched off: nothing refreshes the projections.')
  if (next === undefined) {
    const message = 'memory.consolidation.cron names a moment that never comes. Mend it, or set `enabled` to false.'
    return { check: 'consolidation', status: 'error', code: 'config_invalid', message }
  }
  const cadence = `\`${cron}\` in UTC, due next at ${next.toISOString()}`
  if (writeMode === 'disabled') {
    return note(
      'consolidation_idle',
      `The cadence is ${cadence}, but with writeMode \`disabled\` nothing is refreshed.`,
    )
  }
  return note(
    'consolidation_not_scheduled',
    `The cadence is ${cadence}, but this version does not schedule it yet: the projections for people are not refreshed.`,
  )
}

const note = (code: string, message: string): ValidationCheck => ({
  check: 'consolidation',
  status: 'note',
  code,
  message,
})
