import { layout } from '@mono-agent/memory-store'
import {
  AUTHORITY_GROUPS,
  AUTHORITY_PATHS,
  readAuthorityFile,
  readGraph,
  readReplay,
  type AuthorityGroup,
  type AuthorityPlace,
  type AuthorityRead,
} from './canonical/authority-files.js'
import { lookAt } from './canonical/day-sources.js'
import { mustRead } from './canonical/drift.js'
import { searchError } from './errors.js'
import {
  addAuthority,
  equalsAuthority,
  graphRows,
  holdsRows,
  replaceAuthority,
  replayRows,
} from './sqlite/authority-rows.js'
import type { AuthorityRow } from './sqlite/authority-rows.js'
import type { Connection } from './sqlite/connection.js'
import { recordedAuthority, removeAuthorityRow, writeAuthorityRow, type RecordedFile } from './sqlite/file-table.js'
import type { CapturedAuthority, IndexIdentity, OpenWritableIndexOptions } from './types.js'

/** What of graph and replay authority is not as it was recorded. */
export interface AuthorityDrift {
  /** What groups hold now that hold something else than their rows. */
  readonly changed: ReadonlyMap<AuthorityGroup, readonly AuthorityRow[]>
  /** Files to record anew, as they were read. */
  readonly read: readonly AuthorityRead[]
  readonly gone: readonly string[]
}

export const NO_DRIFT: AuthorityDrift = { changed: new Map(), read: [], gone: [] }

/**
 * Looks at the files beside the day files, and reads those that are not known to be as recorded (SEA-6). A group of which
 * one differs is read whole.
 * @param verified  groups that are read and compared with their rows whatever their files look like
 * @throws {SearchError} canonical_mismatch: a file is gone of which the index has rows, or rows of unchanged files are others
 * @throws {StoreError} canonical_invalid: one cannot be read as what it must be
 */
export function findAuthorityDrift(
  db: Connection,
  place: AuthorityPlace,
  verified: ReadonlySet<AuthorityGroup> = new Set(),
): AuthorityDrift {
  const recorded = recordedAuthority(db)
  const groups = Object.keys(AUTHORITY_GROUPS) as AuthorityGroup[]
  const found = groups.map((group) => findInGroup(db, place, group, recorded, verified.has(group)))
  return {
    changed: new Map(found.flatMap(({ changed }) => [...changed])),
    read: found.flatMap(({ read }) => read),
    gone: found.flatMap(({ gone }) => gone),
  }
}

function findInGroup(
  db: Connection,
  place: AuthorityPlace,
  group: AuthorityGroup,
  recorded: ReadonlyMap<string, RecordedFile>,
  isVerified: boolean,
): AuthorityDrift {
  const { fs, root } = place
  const paths: readonly string[] = AUTHORITY_GROUPS[group]
  const read = new Map<string, AuthorityRead>()
  const gone: string[] = []
  const readOne = (path: string): AuthorityRead | undefined => {
    const file = read.get(path) ?? readAuthorityFile(place, path, recorded.get(path)?.digest)
    if (file !== undefined) read.set(path, file)
    return file
  }
  for (const path of paths) {
    const look = lookAt(fs, root, path)
    if (look !== undefined && (isVerified || mustRead(look, recorded.get(path)))) readOne(path)
    else if (look === undefined && recorded.has(path)) gone.push(path)
  }
  requireNoLoss(db, group, gone, recorded)
  const differs = [...read.values()].some(({ path, digest }) => recorded.get(path)?.digest !== digest)
  if (!differs && !isVerified) return { ...NO_DRIFT, read: [...read.values()], gone }
  const rows = rowsOfGroup(group, readOne)
  if (differs) return { changed: new Map([[group, rows]]), read: [...read.values()], gone }
  if (!equalsAuthority(db, group, rows)) throw searchError('canonical_mismatch', `rows of ${paths.join(', ')}`)
  return { ...NO_DRIFT, read: [...read.values()], gone }
}

/** A file that is gone is not a person's deletion of all that it said, unless it said nothing. */
function requireNoLoss(
  db: Connection,
  group: AuthorityGroup,
  gone: readonly string[],
  recorded: ReadonlyMap<string, RecordedFile>,
): void {
  const lost = gone.find((path) => (recorded.get(path)?.identity.size ?? 0) > 0)
  if (lost !== undefined && holdsRows(db, group)) throw searchError('canonical_mismatch', `${lost} is gone`)
}

/**
 * To be called before anything is written to them: an append would begin a lost file anew, and the rows would follow it.
 * @throws {SearchError} canonical_mismatch: one is gone of which the index has rows
 */
export function requireAuthorityInPlace(db: Connection, { fs, root }: AuthorityPlace): void {
  const recorded = recordedAuthority(db)
  for (const [group, paths] of Object.entries(AUTHORITY_GROUPS) as [AuthorityGroup, readonly string[]][]) {
    const gone = paths.filter((path) => recorded.has(path) && lookAt(fs, root, path) === undefined)
    requireNoLoss(db, group, gone, recorded)
  }
}

/** What the files of a group say now, as rows. */
function rowsOfGroup(group: AuthorityGroup, read: (path: string) => AuthorityRead | undefined): AuthorityRow[] {
  if (group === 'graph') return graphRows(readGraph(read(layout.graph)))
  return replayRows(readReplay(read(layout.replaySnapshot), read(layout.replayDelta)))
}

/** Brings rows and recorded files up to what was found, within the caller's transaction. */
export function applyAuthorityDrift(db: Connection, { changed, read, gone }: AuthorityDrift, recordedAt: number): void {
  for (const [group, rows] of changed) replaceAuthority(db, group, rows)
  for (const path of gone) removeAuthorityRow(db, path)
  for (const { path, identity, digest, isWhole } of read) {
    // What a plan covers is looked at again whatever it looks like: the plan may be carried out, or be gone.
    writeAuthorityRow(db, { path, identity, digest, recordedAt: isWhole ? recordedAt : 0 })
  }
}

/**
 * Folds what a capture wrote into the rows, within the transaction of its day files (CAP-19). Where a file was not what
 * the rows were made from, say because a person had edited it, its group is read whole instead.
 */
export function recordAuthority(
  db: Connection,
  place: AuthorityPlace,
  { graph, replay, files }: CapturedAuthority,
  recordedAt: number,
): void {
  const recorded = recordedAuthority(db)
  if (files.some(({ path, base }) => recorded.get(path)?.digest !== base)) {
    applyAuthorityDrift(db, findAuthorityDrift(db, place), recordedAt)
    return
  }
  addAuthority(db, graph, replay)
  for (const { path, identity, digest } of files) writeAuthorityRow(db, { path, identity, digest, recordedAt })
}

/** Fills a new database. @throws {StoreError} canonical_invalid */
export function fillAuthority(db: Connection, place: AuthorityPlace, recordedAt: number): void {
  db.transaction(() => applyAuthorityDrift(db, findAuthorityDrift(db, place), recordedAt))()
}

/**
 * Proves that rows and recorded files are what the files say now, to the last value (OPS-1, FMT-8).
 * @param place  undefined: there is nothing of it in this tier
 * @throws {SearchError} source_changed: a file is another one than was recorded; canonical_mismatch: the rows are others
 */
export function requireAuthority(db: Connection, place: AuthorityPlace | undefined): void {
  if (place === undefined) {
    if (holdsAuthority(db)) throw searchError('canonical_mismatch', 'graph or lifecycle of another tier')
    return
  }
  const { changed, gone } = findAuthorityDrift(db, place, new Set(['graph', 'replay']))
  const foreign = [...recordedAuthority(db).keys()].filter((path) => !AUTHORITY_PATHS.includes(path))
  const others = [...changed.keys(), ...gone, ...foreign]
  if (others.length > 0) throw searchError('source_changed', others.join(', '))
}

const holdsAuthority = (db: Connection): boolean =>
  recordedAuthority(db).size > 0 || holdsRows(db, 'graph') || holdsRows(db, 'replay')

/** True when one of the files is not as it was recorded. */
export function isAuthorityStale(db: Connection, place: AuthorityPlace): boolean {
  const recorded = recordedAuthority(db)
  return AUTHORITY_PATHS.some((path) => {
    const look = lookAt(place.fs, place.root, path)
    const record = recorded.get(path)
    if (look === undefined) return record !== undefined
    return mustRead(look, record) && readAuthorityFile(place, path)?.digest !== record?.digest
  })
}

/** Where graph and replay authority are; only bujo reads them. */
export const authorityPlaceOf = ({
  root,
  fs,
  identity,
  authorityCover,
}: Pick<OpenWritableIndexOptions, 'root' | 'fs' | 'identity' | 'authorityCover'>): AuthorityPlace | undefined =>
  identity.tier === 'bujo' ? { root, fs, cover: authorityCover } : undefined

/** Lite and journal know nothing of lifecycle and edges and would answer as if there were none (FMT-8). @throws {SearchError} lifecycle_unexpected */
export function requireOwnTables(db: Connection, { tier }: IndexIdentity): void {
  if (tier === 'bujo') return
  if (holdsAuthority(db)) throw searchError('lifecycle_unexpected')
}
