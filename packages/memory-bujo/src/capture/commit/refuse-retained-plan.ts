import type { FileSystem } from '@mono-agent/memory-store'
import type { IndexIdentity } from '@mono-agent/memory-search'
import { BujoError } from '../../errors.js'
import { planIds } from './outbox.js'

/**
 * A tier without captures cannot carry out what one had planned: its index is not built while a plan is there (OPS-4). Within
 * bujo the plan stays as it is until intake takes it up.
 * @param root  resolved, or as the user gave it: nothing is written
 * @throws {BujoError} plan_retained, outbox_invalid
 */
export function refuseRetainedPlan(fs: FileSystem, root: string, tier: IndexIdentity['tier']): void {
  if (tier === 'bujo') return
  const { length } = planIds(fs, root)
  if (length === 0) return
  throw new BujoError(
    'plan_retained',
    `What is planned of ${length} write${length === 1 ? '' : 's'} waits in .capture-outbox/, and ${tier} cannot carry it ` +
      'out. Nothing was changed. Start the store with its present bujo configuration and let it finish, then rebuild.',
  )
}
