import { HAS_POSIX_FILES } from './file-system.js'
import { errnoOf } from './storage-error.js'

const REFUSALS: ReadonlySet<string | undefined> = new Set(['EPERM', 'EACCES', 'EBUSY'])

/** Is this Windows refusing to replace or remove a file that another program has open? It may be granted later. */
export function isHeldOpen(error: unknown, hasPosixFiles = HAS_POSIX_FILES): boolean {
  return !hasPosixFiles && REFUSALS.has(errnoOf(error))
}
