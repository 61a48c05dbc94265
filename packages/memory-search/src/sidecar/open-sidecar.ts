import { dimensionOf } from '../sqlite/vector-rows.js'
import type { Connection } from '../sqlite/connection.js'
import { SealedCopy, type SealedCopyOptions } from './sealed-copy.js'
import { Sidecar, type SidecarOptions } from './sidecar.js'

export interface OpenSidecarOptions extends Omit<SidecarOptions, 'dimension' | 'copy'> {
  /** Of the file that it is kept in from one opening to the next. */
  readonly copy: SealedCopyOptions
}

/** The sidecar of an open database; it takes memory when it is first asked. Stop it before the connection is closed. */
export function openSidecar(db: Connection, { copy, ...options }: OpenSidecarOptions): Sidecar {
  const dimension = dimensionOf(db)
  return new Sidecar(db, { ...options, dimension, copy: new SealedCopy(db, dimension, copy) })
}
