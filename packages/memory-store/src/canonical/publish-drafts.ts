import { dirname } from 'node:path'
import type { FileIdentity } from '../disk/file-identity.js'
import type { OpenFile } from '../disk/file-system.js'
import { checkOwned } from '../disk/owned-file.js'
import { readUnmoved, type PinnedRead } from '../disk/read-pinned.js'
import { discardTemporary, stageFiles } from '../disk/staged-file.js'
import { onDisk, storageError } from '../disk/storage-error.js'
import { ensureDirectory } from '../disk/sync-directories.js'
import type { WriteOutcome } from '../errors.js'
import { parseDayFile } from '../format/daily-file.js'
import type { DayContext } from './day-context.js'
import type { DayDraft } from './day-draft.js'
import { replaceDayFile, type Replacement } from './replace-day-file.js'
import { fileBusy, readSettled, SETTLE_MS } from './settled-read.js'

/** A draft on stable storage. */
export interface PublishedDay {
  readonly draft: DayDraft
  readonly identity: FileIdentity
}

interface Placed {
  readonly draft: DayDraft
  readonly replacement: Replacement
}

function closeOlds(placed: readonly Placed[]): void {
  for (const { draft, replacement } of placed) {
    if (replacement.kind === 'edited') onDisk('close', draft.rewrite.path, () => replacement.old.close(), 'unknown')
  }
}

/** A directory that was there until a moment ago is not made again: its other files are not in it. */
async function ensureDirectories({ fs, assertDailyInPlace }: DayContext, drafts: readonly DayDraft[]): Promise<void> {
  assertDailyInPlace()
  for (const directory of new Set(drafts.map(({ rewrite }) => dirname(rewrite.path)))) {
    if (checkOwned(fs, directory, 'directory') === undefined) await ensureDirectory(fs, directory)
  }
}

/** All bytes are on stable storage before the first rename, so that the renames are not spread over the flushes. */
async function placeDrafts(
  { fs, lease }: DayContext,
  drafts: readonly DayDraft[],
  outcome: WriteOutcome,
): Promise<Placed[]> {
  const contents = drafts.map(({ rewrite, bytes }) => ({ path: rewrite.path, bytes }))
  const staged = await stageFiles(fs, lease, contents, outcome)
  const placed: Placed[] = []
  for (const [index, draft] of drafts.entries()) {
    const file = staged[index]
    if (file === undefined) throw new RangeError('A staged file is missing.')
    try {
      placed.push({ draft, replacement: replaceDayFile(fs, lease, file, draft.read) })
    } catch (error) {
      for (const { temporary } of staged.slice(index + 1)) discardTemporary(fs, temporary)
      closeOlds(placed)
      throw error
    }
  }
  return placed
}

function identityAfter(replacement: Replacement): FileIdentity | undefined {
  return replacement.kind === 'replaced' || replacement.kind === 'edited' ? replacement.identity : undefined
}

function remember(context: DayContext, { draft, replacement }: Placed, isDurable: boolean): void {
  const identity = identityAfter(replacement)
  if (identity === undefined) return
  const { rewrite, digest, document } = draft
  context.cache.keep(rewrite.file, { identity, digest, document, isDurable })
}

/** Flushes each directory once; a file whose directory fails is in doubt, and failing twice is final. */
async function flushPlaced(context: DayContext, placed: readonly Placed[]): Promise<void> {
  for (const directory of new Set(placed.map(({ draft }) => dirname(draft.rewrite.path)))) {
    const here = placed.filter(({ draft }) => dirname(draft.rewrite.path) === directory)
    try {
      await context.fs.syncDirectory(directory)
    } catch (error) {
      const again = here.find(({ draft }) => draft.rewrite.isInDoubt)
      if (again !== undefined) throw storageError(error, 'flush the directory of', again.draft.rewrite.path, 'unknown')
      for (const { draft } of here) draft.rewrite.isInDoubt = true
      continue
    }
    for (const one of here) {
      one.draft.rewrite.isInDoubt = false
      remember(context, one, true)
    }
  }
}

/** The person's text in the replaced file, once they are done writing it. */
async function takeLateEdit(
  context: DayContext,
  draft: DayDraft,
  old: OpenFile,
  ours: FileIdentity | undefined,
): Promise<void> {
  const { rewrite, read } = draft
  const readOld = (): PinnedRead => {
    const unmoved = onDisk('read', rewrite.path, () => readUnmoved(old))
    if (unmoved === undefined) throw fileBusy(rewrite.file)
    return unmoved
  }
  const expected = new Set(read.document.bullets.map(({ id }) => id))
  const settled = await readSettled(readOld, expected, context.patience, rewrite.file)
  if (settled === undefined) throw new RangeError('An open file cannot be absent.')
  // Of a second late edit the first is part of what was published: then only its new bullets are taken over.
  const replaced = rewrite.late === undefined ? ours : undefined
  rewrite.late = { document: parseDayFile(settled.bytes), before: read.document, ours: replaced }
  rewrite.drifted = true
}

/**
 * Writes the drafts: staged, looked at once more, renamed, the replaced files looked at once more, directories flushed.
 * @param outcome  of the whole work, should nothing be renamed in this round
 * @returns those on stable storage; the others' rewrites say why they need another round
 * @throws {StoreError} file_busy, storage_failed, lease_lost, path_unsafe
 */
export async function publishDrafts(
  context: DayContext,
  drafts: readonly DayDraft[],
  outcome: WriteOutcome,
): Promise<PublishedDay[]> {
  if (drafts.length === 0) return []
  context.lease.assertHeld()
  await ensureDirectories(context, drafts)
  const placed = await placeDrafts(context, drafts, outcome)
  try {
    for (const one of placed) remember(context, one, false)
    const renamed = placed.filter(({ replacement }) => replacement.kind === 'replaced' || replacement.kind === 'edited')
    await flushPlaced(context, renamed)
    for (const { draft, replacement } of placed) {
      if (replacement.kind === 'edited') await takeLateEdit(context, draft, replacement.old, replacement.identity)
      if (replacement.kind === 'moved') draft.rewrite.drifted = true
    }
  } finally {
    closeOlds(placed)
  }
  if (placed.some(({ replacement }) => replacement.kind === 'held')) await context.patience.sleep(SETTLE_MS)
  return placed.flatMap(({ draft, replacement }) =>
    replacement.kind === 'replaced' && !draft.rewrite.isInDoubt ? [{ draft, identity: replacement.identity }] : [],
  )
}
