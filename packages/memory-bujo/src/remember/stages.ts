import { MemoryError, withOutcome, type WriteOutcome, type WriterLease } from '@mono-agent/memory-store'

/** How far a Remember came: what its failure means depends on it. `published`: it may stand, or will. */
export type Stage = 'looking' | 'publishing' | 'published'

/** Carries a write out, and gives what it throws the outcome that follows from how far it came. */
export async function inStages<T>(
  lease: Pick<WriterLease, 'assertHeld'>,
  write: (reach: (stage: Stage) => void) => Promise<T>,
): Promise<T> {
  let stage: Stage = 'looking'
  try {
    return await write((reached) => {
      stage = reached
    })
  } catch (error) {
    throw withOutcome(error, outcomeOf(error, stage, lease))
  }
}

function outcomeOf(error: unknown, stage: Stage, lease: Pick<WriterLease, 'assertHeld'>): WriteOutcome {
  if (stage === 'looking') return 'not_written'
  const isCertain = stage === 'publishing' && error instanceof MemoryError && error.outcome === 'not_written'
  // A lease that ended says the same of every write, also of one that had replaced the file by then.
  return isCertain && isHeld(lease) ? 'not_written' : 'unknown'
}

function isHeld(lease: Pick<WriterLease, 'assertHeld'>): boolean {
  try {
    lease.assertHeld()
    return true
  } catch {
    return false // the failure that led here is the one to tell
  }
}
