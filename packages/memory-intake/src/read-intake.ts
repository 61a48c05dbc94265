import { checkOwned, errnoOf, type FileSystem } from '@mono-agent/memory-store'
import { IntakeError } from './errors.js'
import type { Catalog } from './format/catalog.js'
import type { ItemState } from './format/item-state.js'
import { intakeDirectories, intakePaths, type IntakePaths } from './intake-paths.js'
import { invalid } from './invalid.js'
import { ItemStore } from './item-store.js'
import { findRoot, loadCatalog, loadItems, loadLog } from './load-intake.js'
import { describeItem, itemUnknown } from './operator.js'
import { correctedDueAt } from './policy/backoff.js'
import { planItems, planRoot } from './policy/recovery-plan.js'
import type { IntakeInspection, ReadIntakeOptions } from './types.js'

/** Each read that a checkpoint disturbs is begun anew, this often in all. */
const MAX_READS = 3

/**
 * Looks at the intake of a root beside a running writer, or without one: takes no lease, writes nothing, reads no shard.
 * What is logged but not folded in counts; a torn end of the log is normal.
 * @param id  only this item
 * @throws {IntakeError} intake_invalid, item_unknown; intake_busy if a checkpoint disturbed each of three reads
 * @throws {StoreError} path_unsafe, storage_failed
 */
export async function readIntake(options: ReadIntakeOptions, id?: string): Promise<IntakeInspection> {
  const { fs, root, now = Date.now } = options
  const paths = intakePaths(root)
  for (let reads = 0; reads < MAX_READS; reads++) {
    const states = await readStates(fs, paths, reads === MAX_READS - 1)
    if (states !== undefined) return inspection(states, now(), id)
  }
  throw new IntakeError(
    'intake_busy',
    `A running writer moved the files of intake during each of ${MAX_READS} reads. Ask again in a moment.`,
  )
}

/** Undefined if the catalog moved meanwhile, and with it records and log. */
async function readStates(
  fs: FileSystem,
  paths: IntakePaths,
  isLast: boolean,
): Promise<readonly ItemState[] | undefined> {
  // No command follows a link (OPS-15), not even to look.
  for (const directory of intakeDirectories(paths)) checkOwned(fs, directory, 'directory')
  const items = new ItemStore(fs, paths)
  const before = loadCatalog(fs, paths)
  if (before.kind !== 'valid') {
    const plan = planRoot(findRoot(fs, paths, items))
    if (plan.kind === 'make') return []
    if (loadCatalog(fs, paths).kind === 'valid') return undefined // it was being made
    throw invalid(plan.kind === 'refuse' ? plan.reason : 'the catalog is missing')
  }
  let states: readonly ItemState[]
  try {
    const folded = await fold(fs, paths, items, before.value, isLast)
    if (folded === undefined) return undefined
    states = folded
  } catch (error) {
    // A file that went away under us, or two states that were mixed: only a catalog that stood still is believed.
    if (hasMoved(fs, paths, before.value)) return undefined
    if (errnoOf(error) === 'ENOENT') return undefined
    throw error
  }
  return hasMoved(fs, paths, before.value) ? undefined : states
}

function hasMoved(fs: FileSystem, paths: IntakePaths, before: Catalog): boolean {
  const after = loadCatalog(fs, paths)
  return after.kind !== 'valid' || after.value.store !== before.store || after.value.through !== before.through
}

/** Undefined if a record is missing that may be moving from one directory to another just now. */
async function fold(
  fs: FileSystem,
  paths: IntakePaths,
  items: ItemStore,
  catalog: Catalog,
  isLast: boolean,
): Promise<readonly ItemState[] | undefined> {
  // Directories before log: what a checkpoint moves meanwhile is in the log still.
  const { records, receiptIds } = await loadItems(items, [], () => true)
  const { frames } = loadLog(fs, paths, catalog)
  const compared = new Set([...frames.map(({ id }) => id), ...records.map(({ record }) => record.state.id)])
  const receipts = receiptIds.flatMap((id) => items.readReceipt(id) ?? [])
  const admitted = new Set(frames.filter(({ kind }) => kind === 'admit').map(({ id }) => id))
  const known = new Set([...admitted, ...records.map(({ record }) => record.state.id), ...receiptIds])
  if (!isLast && frames.some(({ id }) => !known.has(id))) return undefined
  const plan = planItems({
    records,
    receipts: receipts.filter(({ id }) => compared.has(id)),
    frames,
    // The ledger is not read: what the log admits is new, and all else was there before.
    isCommitted: (id) => !admitted.has(id),
  })
  if (plan.kind === 'refuse') throw invalid(plan.reason)
  const folded = [...plan.items.values()].map(({ state }) => state)
  return [...folded, ...receipts.filter(({ id }) => !plan.items.has(id))]
}

function inspection(states: readonly ItemState[], now: number, id: string | undefined): IntakeInspection {
  const count = (state: ItemState['state']): number => states.filter((item) => item.state === state).length
  const isDue = (state: ItemState): boolean => {
    if (state.state !== 'pending') return false
    if (state.nextAttemptAt === undefined) return true
    return correctedDueAt(Date.parse(state.nextAttemptAt), state.attempts, now) <= now
  }
  const counts = {
    pending: count('pending'),
    dead: count('dead'),
    resolved: count('resolved'),
    due: states.filter(isDue).length,
  }
  const wanted = id === undefined ? states : states.filter((state) => state.id === id)
  if (id !== undefined && wanted.length === 0) throw itemUnknown()
  const items = [...wanted].sort((a, b) => a.order - b.order).map((state) => describeItem(state, isDue(state)))
  return { counts, items }
}
