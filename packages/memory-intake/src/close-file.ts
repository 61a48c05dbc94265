import type { OpenFile } from '@mono-agent/memory-store'

/** Closes a file of which everything that counts was read, or flushed: a failure to close it can lose nothing. */
export function closeFile(file: OpenFile | undefined): void {
  try {
    file?.close()
  } catch {
    // There is nothing left to lose, and nobody to tell.
  }
}
