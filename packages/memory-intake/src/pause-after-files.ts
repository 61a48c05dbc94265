import { setImmediate as nextTurnOfLoop } from 'node:timers/promises'

/** Small files read in one go: about 4 ms in the page cache, so that nothing holds the event loop for long. */
const READS_AT_ONCE = 64
/** Files removed in one go: a busy file system takes a millisecond for one. */
export const REMOVALS_AT_ONCE = 8

/** To be awaited before each small file: every so often, by default every 64th, it gives the event loop a turn. */
export function pauseAfterFiles(atOnce = READS_AT_ONCE): () => Promise<void> {
  let files = 0
  return async () => {
    files += 1
    if (files % atOnce === 0) await nextTurnOfLoop()
  }
}
