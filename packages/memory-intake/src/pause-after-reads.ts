import { setImmediate as nextTurnOfLoop } from 'node:timers/promises'

/** Small files read in one go: about 4 ms in the page cache, so that nothing holds the event loop for long. */
const READS_AT_ONCE = 64

/** To be awaited before each read of a small file: every 64th gives the event loop a turn. */
export function pauseAfterReads(): () => Promise<void> {
  let reads = 0
  return async () => {
    reads += 1
    if (reads % READS_AT_ONCE === 0) await nextTurnOfLoop()
  }
}
