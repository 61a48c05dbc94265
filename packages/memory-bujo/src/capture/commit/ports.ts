import type { GraphEntity, GraphLine, ReplayEntry, ReplayState } from '@mono-agent/memory-store'
import type { AuthorityFile } from '@mono-agent/memory-search'
import type { FileBase } from './plan-types.js'

/**
 * An append-only canonical file that a plan covers. Between a plan and its end nobody else appends to it; a person may have
 * edited it.
 */
export interface CoveredLog<Line> {
  /** The file as it is: what a plan is made against. @throws {StoreError} canonical_invalid, storage_failed */
  base(): FileBase
  /**
   * The whole lines behind `base`, up to the first broken one, which was never acknowledged. None where the first bytes are
   * no longer those of `base`: `append` then leaves all that is there.
   */
  behind(base: FileBase): readonly Line[]
  /**
   * Cuts back to `base` and appends; where the first bytes are no longer those of `base`, those lines that are missing come
   * to the end. Done again it changes nothing. Resolves when it is on stable storage.
   * @returns the files that hold what was appended, as they are now
   * @throws {StoreError} canonical_invalid, storage_failed, lease_lost, path_unsafe
   */
  append(base: FileBase, lines: readonly Line[]): Promise<readonly AuthorityFile[]>
}

export interface GraphLog extends CoveredLog<GraphLine> {
  /** The entity as the log folds to it. */
  entity(id: string): GraphEntity | undefined
}

export interface ReplayLog extends CoveredLog<ReplayEntry> {
  /** The fold of snapshot and delta. */
  readonly state: ReplayState
}

/** What became of a turn that a plan names. */
export type TurnState = 'unfinished' | 'settled' | 'unknown'
