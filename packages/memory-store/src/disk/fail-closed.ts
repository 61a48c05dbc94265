import { basename } from 'node:path'
import { StoreError } from '../errors.js'
import type { WriterLease } from './lease.js'

/**
 * After a failed flush the content could not be published again either: nothing more is written until the root is
 * reopened, and the caller is told so.
 * @param path  only its last part is named
 */
export function failClosed(lease: Pick<WriterLease, 'failClosed'>, cause: unknown, path: string): never {
  if (cause instanceof StoreError && cause.code === 'lease_lost') throw cause
  lease.failClosed(cause)
  throw new StoreError(
    'storage_failed',
    `A flush failed, and ${basename(path)} could not be published again. It may be found, whole, later; nothing more is ` +
      'written. Check the disk, then reopen the store.',
    { cause, outcome: 'unknown' },
  )
}
