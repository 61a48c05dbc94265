import { listDayFiles } from '@mono-agent/memory-store'
import type { FileSystem } from '@mono-agent/memory-store'
import { applyAuthorityDrift, findAuthorityDrift, NO_DRIFT, type AuthorityDrift } from './authority-drift.js'
import type { AuthorityGroup, AuthorityPlace } from './canonical/authority-files.js'
import { requireDaily } from './canonical/daily-directory.js'
import { linesOfIds, lookAt, problemsOf, readDaySource, type DaySource } from './canonical/day-sources.js'
import { mustRead } from './canonical/drift.js'
import { applyChanges } from './sqlite/apply-changes.js'
import { BodyTexts } from './sqlite/body-texts.js'
import type { Connection } from './sqlite/connection.js'
import { compareFile, dropFile, type FileChanges } from './sqlite/file-changes.js'
import { recordedFiles, removeFileRow, writeDaily, writeFileRow } from './sqlite/file-table.js'
import { marksOfFile } from './sqlite/memory-rows.js'
import { prepared } from './sqlite/statements.js'
import type { CatchUpReport } from './types.js'

/** Files looked at between two yields: 200 lstats take about two milliseconds. */
const LOOKS = 200

/** Sentences analyzed between two yields: about ten milliseconds. */
const ANALYZED = 100

export interface CatchUpOptions {
  readonly root: string
  readonly fs: FileSystem
  readonly now: () => number
  readonly yieldTurn: () => Promise<void>
  /** Relative to the root; all day files when absent. */
  readonly files?: readonly string[] | undefined
  /** Awaited before rows change; not called where all files are as recorded. */
  readonly beforeChange?: (changed: 'days' | 'authority') => Promise<void>
  /** Looks at graph and replay authority too (bujo). */
  readonly place?: AuthorityPlace
  /** Of these the rows are compared with their files. */
  readonly verified?: ReadonlySet<AuthorityGroup>
}

interface Drift {
  readonly sources: readonly DaySource[]
  readonly gone: readonly string[]
}

/** Looks at the files and reads those that are not known to be as recorded; nothing is written yet. */
async function findDrift(db: Connection, options: CatchUpOptions): Promise<Drift> {
  const { fs, root, yieldTurn, files } = options
  const recorded = recordedFiles(db)
  const onDisk = listDayFiles(fs, root)
  const wanted = files === undefined ? undefined : new Set(files)
  const isWanted = (path: string): boolean => wanted?.has(path) ?? true
  const sources: DaySource[] = []
  const there = new Set<string>()
  for (const [at, path] of onDisk.filter(isWanted).entries()) {
    if (at % LOOKS === LOOKS - 1) await yieldTurn()
    const found = lookAt(fs, root, path)
    if (found === undefined) continue // removed since it was listed: gone
    there.add(path)
    if (!mustRead(found, recorded.get(path))) continue
    const source = readDaySource(fs, root, path)
    if (source === undefined) there.delete(path)
    else sources.push(source)
    await yieldTurn()
  }
  return { sources, gone: [...recorded.keys()].filter((path) => isWanted(path) && !there.has(path)) }
}

/**
 * Brings the index up to what the day files say (SEA-6): all of it in one transaction, so that a bullet that went from one
 * file to another is never there twice or not at all. Awaits only before that transaction.
 * @throws {SearchError} canonical_mismatch: `daily/` is gone or another directory took its place (`requireDaily`); nothing
 *   was dropped
 */
export async function catchUp(db: Connection, options: CatchUpOptions): Promise<CatchUpReport> {
  const { fs, root, now } = options
  requireDaily(db, fs, root)
  const { sources, gone } = await findDrift(db, options)
  const announced = findAuthority(db, options)
  if (gone.length > 0 || differentOf(db, sources).length > 0) await options.beforeChange?.('days')
  else if (announced.changed.size > 0) await options.beforeChange?.('authority')
  const texts = await analyzeAhead(db, { sources, gone }, options.yieldTurn)
  const recordedAt = now()
  // Once more: if the directory went meanwhile, its files were found gone one by one.
  const daily = requireDaily(db, fs, root)
  // Graph and replay once more too, and without a wait before the transaction: what was recorded meanwhile is not undone.
  const authority = findAuthority(db, { ...options, verified: new Set() })
  const isAnnounced = authority.changed.size === 0 || announced.changed.size > 0
  return db
    .transaction(() => {
      writeDaily(db, daily)
      if (isAnnounced) applyAuthorityDrift(db, authority, recordedAt) // else the next time
      return applyDrift(db, sources, gone, recordedAt, texts)
    })
    .immediate()
}

const findAuthority = (db: Connection, { place, verified }: CatchUpOptions): AuthorityDrift =>
  place === undefined ? NO_DRIFT : findAuthorityDrift(db, place, verified)

/** Those that are not what was recorded: a file that was only touched is. */
function differentOf(db: Connection, sources: readonly DaySource[]): DaySource[] {
  const recorded = recordedFiles(db)
  return sources.filter(({ path, digest }) => recorded.get(path)?.digest !== digest)
}

/** The words of what is new, in slices: the transaction cannot be interrupted, and they are most of its work. */
async function analyzeAhead(
  db: Connection,
  { sources, gone }: Drift,
  yieldTurn: () => Promise<void>,
): Promise<BodyTexts> {
  const texts = new BodyTexts()
  for (const { path, document } of sources) {
    await analyzeChanges(db, [compareFile(path, marksOfFile(db, path), document.bullets)], texts, yieldTurn)
    await yieldTurn()
  }
  for (const file of gone) await analyzeChanges(db, [dropFile(db, file)], texts, yieldTurn)
  return texts
}

/** Finds the words of what changes bring, and of what they take away, into `texts`, in slices. */
export async function analyzeChanges(
  db: Connection,
  changes: readonly FileChanges[],
  texts: BodyTexts,
  yieldTurn: () => Promise<void>,
): Promise<void> {
  const sentenceOf = prepared<[number], string>(db, 'select sentence from memories where row = ?').pluck()
  let analyzed = 0
  const analyze = async (sentence: string): Promise<void> => {
    texts.of(sentence)
    if (++analyzed % ANALYZED === 0) await yieldTurn()
  }
  for (const { added, changed, removed } of changes) {
    for (const { bullet } of [...added, ...changed.map(({ placed }) => placed)]) await analyze(bullet.sentence)
    for (const { row } of [...changed, ...removed]) await analyze(sentenceOf.get(row) ?? '')
  }
}

function applyDrift(
  db: Connection,
  sources: readonly DaySource[],
  gone: readonly string[],
  recordedAt: number,
  texts: BodyTexts,
): CatchUpReport {
  // Looked up here and not before the awaits: a file may have been recorded meanwhile.
  const different = differentOf(db, sources)
  const changes = [
    ...gone.map((file) => dropFile(db, file)),
    ...different.map(({ path, document }) => compareFile(path, marksOfFile(db, path), document.bullets)),
  ]
  const counts = applyChanges(db, changes, texts)
  for (const path of gone) removeFileRow(db, path)
  for (const { path, identity, digest } of sources) writeFileRow(db, { path, identity, digest, recordedAt })
  const problems = different.map(problemsOf)
  return {
    filesRead: different.length + gone.length,
    ...counts,
    missingIdentity: problems.flatMap(({ missingIdentity }) => missingIdentity),
    duplicateIds: [...problems.flatMap(({ duplicateIds }) => duplicateIds), ...copiesIn(db, different)],
  }
}

/** Lines of these files whose id counts elsewhere. */
function copiesIn(db: Connection, sources: readonly DaySource[]): string[] {
  const copies = prepared<[string], string>(db, 'select id from memories where file = ? and is_duplicate = 1').pluck()
  return sources.flatMap((source) => linesOfIds(source, new Set(copies.all(source.path))))
}
