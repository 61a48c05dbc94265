import type { ToolOutcome } from '@mono-agent/memory-store'

/** Whether the host saw a tool of this category fail and later succeed: what makes a lesson verified (CAP-9). */
export function sawRecovery(outcomes: readonly ToolOutcome[], category: string): boolean {
  const own = outcomes.filter((outcome) => outcome.category === category).map(({ outcome }) => outcome)
  const failure = own.indexOf('failed')
  return failure !== -1 && own.lastIndexOf('succeeded') > failure
}
