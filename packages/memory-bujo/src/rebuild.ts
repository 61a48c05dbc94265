import { buildIndex, type RebuildReport } from '@mono-agent/memory-search'
import { withStoppedStore } from './stopped-store.js'
import type { OperatorOptions } from './types.js'

/**
 * Builds a new index generation from the Markdown, validates it and switches to it (OPS-1, OPS-2). Needs a stopped store;
 * until the switch the present index stays in place. What it was built for does not matter; a file or directory of another
 * kind in the place of a part of the index is removed.
 */
export function rebuildMemoryIndex(options: OperatorOptions): Promise<RebuildReport> {
  return withStoppedStore({ ...options, rebuildsIndex: true }, ({ opened, tier, host }) =>
    buildIndex({
      root: opened.root,
      fs: host.fs,
      lease: opened.lease,
      identity: tier.identity,
      now: host.now,
      ...(options.onProgress === undefined ? {} : { onProgress: options.onProgress }),
    }),
  )
}
