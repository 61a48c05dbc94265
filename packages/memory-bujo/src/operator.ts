import { withStoppedStore } from './stopped-store.js'
import type { OperatorOptions } from './types.js'

/**
 * Makes one dead or delayed turn, or all of them, due at the next start (INT-12). Needs a stopped store.
 * @param id  64 hex digits of the turn; all when absent
 * @returns `changed: false` if there was nothing to do
 */
export function retryTurns(
  options: OperatorOptions,
  id?: string,
): Promise<{ readonly changed: boolean; readonly ids: readonly string[] }> {
  return withStoppedStore(options, ({ opened }) => opened.intake.retry(id))
}

/**
 * Ends a turn that cannot be processed, without claiming success; it stays a duplicate for ever (INT-12). Needs a
 * stopped store.
 * @param reason  1..64 characters of `[a-z0-9][a-z0-9_-]*`
 */
export function resolveTurn(
  options: OperatorOptions,
  id: string,
  reason: string,
): Promise<{ readonly changed: boolean }> {
  return withStoppedStore(options, ({ opened }) => opened.intake.resolve(id, reason))
}
