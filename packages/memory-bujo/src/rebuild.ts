import { buildIndex, type RebuildReport } from '@mono-agent/memory-search'
import { authorityCoverOf, turnStateOf } from './capture/commit/index.js'
import { refuseRetainedPlan } from './capture/commit/refuse-retained-plan.js'
import { completeHost } from './host.js'
import { hostPartsOf } from './reader-config.js'
import { withStoppedStore } from './stopped-store.js'
import type { OperatorOptions } from './types.js'
import { calibrateModel } from './vectors/calibrate-model.js'

/**
 * Builds a new index generation from the Markdown, validates it and switches to it (OPS-1, OPS-2). Needs a stopped store;
 * until the switch the present index stays in place. With embeddings, vectors of unchanged words are carried over, and a
 * rebuild that was interrupted goes on where it was. What it was built for does not matter; a file or directory of another
 * kind in the place of a part of the index is removed. While a captured turn has a plan, only bujo may be built (OPS-4).
 * @throws {BujoError} `plan_retained`, `outbox_invalid`, `root_missing`; nothing was changed
 */
export async function rebuildMemoryIndex(options: OperatorOptions): Promise<RebuildReport> {
  const { path, mode = 'lite', onProgress, onVectorProgress, signal } = options
  refuseRetainedPlan(completeHost(hostPartsOf(options)).fs, path, mode) // before anything is touched
  const whenGiven = <K extends string, T>(key: K, value: T | undefined) =>
    (value === undefined ? {} : { [key]: value }) as Partial<Record<K, T>>
  return withStoppedStore({ ...options, rebuildsIndex: true }, async ({ opened, tier, host }) => {
    const { root, lease, intake } = opened
    const { fs, now } = host
    refuseRetainedPlan(fs, root, tier.identity.tier) // an agent may have run in between
    // What a crash cut while a plan was carried out is no damage: the plan finishes it when the store is opened.
    const authorityCover = await authorityCoverOf({ root, fs, lease }, (id) => turnStateOf(intake, id))
    const { embed } = tier
    return buildIndex({
      ...{ root, fs, lease, now, authorityCover },
      identity: tier.identity,
      ...whenGiven('onProgress', onProgress),
      ...(embed === undefined
        ? {}
        : {
            vectors: {
              embed,
              calibrate: () => calibrateModel(embed, signal),
              ...whenGiven('signal', signal),
              ...whenGiven('onProgress', onVectorProgress),
            },
          }),
    })
  })
}
