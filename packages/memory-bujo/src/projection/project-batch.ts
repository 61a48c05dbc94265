import { StoreError, type DayChange, type DayFileBatch, type DayFileState } from '@mono-agent/memory-store'
import type { Intake, PendingTurn, Settlement } from '@mono-agent/memory-intake'
import { setImmediate as nextTurnOfLoop } from 'node:timers/promises'
import type { CanonicalWriter } from '../canonical-writer.js'
import type { DraftedObservation } from './draft-observation.js'
import type { SortDrafts, SortedDrafts } from './known-content.js'

export interface ProjectionParts {
  readonly intake: Intake
  readonly writer: CanonicalWriter
  /** What an admitted turn becomes in Markdown. The same turn always gives the same draft: a replay finds its own work. */
  readonly draft: (turn: PendingTurn) => Promise<DraftedObservation>
  /** Which drafts say what is already there. */
  readonly sort: SortDrafts
}

type DraftsByFile = Map<string, DraftedObservation[]>

/**
 * Carries a batch of due turns to its end: one rewrite a day file, one index transaction, one log frame (INT-16).
 * The order is the promise: truth, then index, then settled. A crash between any two is finished by doing all of it
 * again, since `add` finds its own bullets and the index its own rows.
 * @returns credentials redacted
 * @throws what kept a day file from being written; the turns of the other files are settled all the same
 */
export async function projectBatch(parts: ProjectionParts, turns: readonly PendingTurn[]): Promise<number> {
  const drafts: DraftedObservation[] = []
  // One after the other: side by side they would only wait for the same thread.
  for (const turn of turns) {
    drafts.push(await parts.draft(turn))
    await nextTurnOfLoop() // promises alone never give the event loop a turn
  }
  try {
    await carryOut(parts, drafts)
  } catch (error) {
    const groups = [...byFile(drafts).values()]
    if (!isBusy(error) || groups.length === 1) throw error
    await carryOutApart(parts, groups)
  }
  return drafts.reduce((sum, draft) => sum + draft.redacted, 0)
}

async function carryOut(
  { intake, writer, sort }: ProjectionParts,
  drafts: readonly DraftedObservation[],
): Promise<void> {
  await writer.exclusive(async () => {
    const { fresh, known, repeats } = await sort(drafts)
    const files = byFile(fresh)
    const projected = () => intake.markProjected(drafts.map(({ turnId }) => turnId))
    const states = fresh.length === 0 ? [] : await writer.write(changesOf(files), projected)
    if (fresh.length === 0) projected() // nothing to publish: it all stands there
    const written = settlementsOf(files, states)
    await intake.settle([...written, ...known, ...settlementsOfRepeats(repeats, written)])
  })
}

/** Turns that said what another one of the batch said are settled with its memories. */
function settlementsOfRepeats(repeats: SortedDrafts['repeats'], written: readonly Settlement[]): Settlement[] {
  const idsOf = new Map(written.map(({ id, memoryIds }) => [id, memoryIds]))
  return [...repeats].map(([id, first]) => ({ id, memoryIds: idsOf.get(first) ?? [] }))
}

/** What stands in the files, not what was drafted: an earlier attempt, under another release, may have split it otherwise. */
function settlementsOf(files: DraftsByFile, states: readonly DayFileState[]): Settlement[] {
  return states.flatMap(({ file, outcomes }) =>
    (files.get(file) ?? []).map(({ turnId }, position) => {
      const outcome = outcomes[position]
      if (outcome === undefined) throw new RangeError('A change has no outcome.')
      return { id: turnId, memoryIds: outcome.ids }
    }),
  )
}

/** File by file: one that a person keeps saving must not hold up the other days. */
async function carryOutApart(parts: ProjectionParts, groups: readonly DraftedObservation[][]): Promise<void> {
  let busy: StoreError | undefined
  for (const group of groups) {
    try {
      await carryOut(parts, group)
    } catch (error) {
      if (!isBusy(error)) throw error
      busy = error
    }
  }
  if (busy !== undefined) throw busy
}

function isBusy(error: unknown): error is StoreError {
  return error instanceof StoreError && error.code === 'file_busy'
}

/** In admission order within each file. */
function byFile(drafts: readonly DraftedObservation[]): DraftsByFile {
  const files: DraftsByFile = new Map()
  for (const draft of drafts) {
    const group = files.get(draft.file)
    if (group === undefined) files.set(draft.file, [draft])
    else group.push(draft)
  }
  return files
}

/** One change a turn, so that each is there whole or not at all. */
function changesOf(files: DraftsByFile): DayFileBatch[] {
  return [...files].map(([file, group]) => ({
    file,
    changes: group.map(({ bullets }): DayChange => ({ kind: 'add', bullets })),
  }))
}
