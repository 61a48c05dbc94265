import { completeHost, type Host } from './host.js'
import { closeRoot, openRoot, type OpenRoot, type OpenRootOptions } from './open-root.js'
import { hostPartsOf, readerConfig } from './reader-config.js'
import { readingTierOf } from './tiers/reading.js'
import type { ReadingTier } from './tiers/tier.js'
import type { OperatorOptions } from './types.js'

export interface StoppedStore {
  readonly opened: OpenRoot
  readonly tier: ReadingTier
  readonly host: Host
}

/**
 * Runs an operator's job on a store that no agent has open: the lease is held and intake is recovered while it runs.
 * @throws {StoreError} `writer_active` beside a running agent  @throws {BujoError} `root_missing`
 */
export async function withStoppedStore<T>(
  options: OperatorOptions & Pick<OpenRootOptions, 'rebuildsIndex' | 'rollsIndexBack'>,
  job: (store: StoppedStore) => Promise<T>,
): Promise<T> {
  const { path, rebuildsIndex = false, rollsIndexBack = false } = options
  const host = completeHost(hostPartsOf(options))
  const tier = readingTierOf(readerConfig(options), host)
  const opened = await openRoot({ path, identity: tier.identity, host, mustExist: true, rebuildsIndex, rollsIndexBack })
  let result: T
  try {
    result = await job({ opened, tier, host })
  } catch (error) {
    await closeRoot(opened).catch(() => undefined) // the job's own failure is the one to tell
    throw error
  }
  await closeRoot(opened)
  return result
}
