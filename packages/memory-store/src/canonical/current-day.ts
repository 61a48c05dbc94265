import { identityOf, sameIdentity } from '../disk/file-identity.js'
import { checkOwned } from '../disk/owned-file.js'
import { readPinned } from '../disk/read-pinned.js'
import type { DayContext, DayFileName } from './day-context.js'
import type { KnownDay } from './day-file-cache.js'
import { dayTextOf } from './day-text.js'
import { readSettled } from './settled-read.js'

function idsOf(known: KnownDay): string[] {
  return known.document.bullets.map(({ id }) => id)
}

/**
 * The day file as it was left, if its identity says so, else as it reads once it has settled. A file that neither is nor
 * was there needs no waiting.
 * @throws {StoreError} file_busy, path_unsafe, storage_failed
 */
export async function readCurrent(context: DayContext, { file, path, day }: DayFileName): Promise<KnownDay> {
  const { fs, cache, patience } = context
  const known = cache.get(file)
  const stat = checkOwned(fs, path, 'file')
  if (known !== undefined && sameIdentity(known.identity, stat && identityOf(stat))) return known
  const expected = new Set(known === undefined ? context.indexedIds(file) : idsOf(known))
  const isNew = known === undefined && stat === undefined && expected.size === 0
  const read = isNew ? undefined : await readSettled(() => readPinned(fs, path), expected, patience, file)
  const current = { ...dayTextOf(read, day), isDurable: false }
  if (read === undefined) cache.forget(file)
  else cache.keep(file, current)
  return current
}
