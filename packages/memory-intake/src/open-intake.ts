import {
  ensureDirectory,
  flushed,
  onDisk,
  openOwned,
  publishFile,
  removeOldTemporaries,
  syncDirectories,
} from '@mono-agent/memory-store'
import { AdmissionLog } from './admission-log.js'
import { closeFile } from './close-file.js'
import { emptyCatalog, formatCatalog, type Catalog } from './format/catalog.js'
import { FORMAT_VERSION, formatMarker } from './format/schema-marker.js'
import { intakeDirectories, intakePaths, type IntakePaths } from './intake-paths.js'
import { invalid } from './invalid.js'
import { ItemBook } from './item-book.js'
import { ItemStore } from './item-store.js'
import { Ledger } from './ledger.js'
import { findRoot, listSegments, loadItems, loadLog } from './load-intake.js'
import { planItems, planRoot } from './policy/recovery-plan.js'
import { balance } from './policy/retention.js'
import { ReceiptShelf } from './receipt-shelf.js'
import { RunningIntake } from './running-intake.js'
import type { Intake, IntakeLimits, OpenIntakeOptions } from './types.js'

/** Bounds that a host may raise (INT-3). */
export const DEFAULT_LIMITS: IntakeLimits = { maxUnfinished: 4_096, maxReceipts: 4_096 }

/** 32 bytes: the store id, and the key of the tombstones. */
const SECRET_BYTES = 32

/**
 * Opens the intake of a root for writing: makes it if the root is new, else recovers it, whatever crash was before
 * (INT-7). Admission is possible when this resolves. Refusing writes nothing.
 * @throws {IntakeError} intake_invalid if files contradict each other
 * @throws {StoreError} path_unsafe, storage_failed, lease_lost; what `prepareNewRoot` throws
 */
export async function openIntake(options: OpenIntakeOptions): Promise<Intake> {
  const { fs, lease, root } = options
  const paths = intakePaths(root)
  const items = new ItemStore(fs, paths)
  lease.assertHeld()
  // A killed writer's renames may be in the cache only; what is built on them must not outlive them.
  await syncDirectories(fs, [root, ...intakeDirectories(paths), paths.outbox])
  const plan = planRoot(findRoot(fs, paths, items))
  if (plan.kind === 'refuse') throw invalid(plan.reason)
  if (plan.kind === 'make') return makeRoot(options, paths, items)
  const intake = await recoverRoot(options, paths, items, plan.catalog)
  try {
    if (plan.makeMarker) await publishMarker(options, paths, plan.catalog.store)
    removeOldTemporaries(fs, lease, [root, ...intakeDirectories(paths)])
  } catch (error) {
    await intake.close()
    throw error
  }
  return intake
}

async function publishMarker({ fs, lease, randomHex }: OpenIntakeOptions, paths: IntakePaths, store: string) {
  const marker = { store, format: FORMAT_VERSION, tombstoneKey: randomHex(SECRET_BYTES) }
  await publishFile(fs, lease, paths.marker, formatMarker(marker))
}

/** Catalog before marker: whatever a crash leaves on the way is still a new root, and is made again. */
async function makeRoot(options: OpenIntakeOptions, paths: IntakePaths, items: ItemStore): Promise<Intake> {
  const { fs, lease, randomHex, prepareNewRoot } = options
  for (const directory of intakeDirectories(paths)) await ensureDirectory(fs, directory)
  for (const number of listSegments(fs, paths)) {
    lease.assertHeld()
    onDisk('remove', paths.segment(number), () => fs.remove(paths.segment(number))) // of a creation that was cut
  }
  await flushed('flush', paths.log, () => fs.syncDirectory(paths.log))
  const store = randomHex(SECRET_BYTES)
  const log = new AdmissionLog({ fs, lease, paths, store, segments: [], lastSegment: 0 })
  try {
    await log.rotate()
    await prepareNewRoot?.()
    const catalog = emptyCatalog(store)
    await publishFile(fs, lease, paths.catalog, formatCatalog(catalog))
    await publishMarker(options, paths, store)
    removeOldTemporaries(fs, lease, [paths.root, ...intakeDirectories(paths)])
    const empty = { book: new ItemBook(0), ledger: new Ledger(fs, paths), shelf: new ReceiptShelf(items, []) }
    return new RunningIntake({
      ...options,
      ...empty,
      paths,
      items,
      log,
      catalog,
      limits: limitsOf(options),
      unaccounted: 0,
    })
  } catch (error) {
    log.close()
    throw error
  }
}

function limitsOf({ limits }: OpenIntakeOptions): IntakeLimits {
  return { ...DEFAULT_LIMITS, ...limits }
}

/**
 * A killed writer's last bytes may be in the cache only. The next segment, once durable, would prove that those before it
 * are whole.
 */
async function flushLog({ fs }: OpenIntakeOptions, paths: IntakePaths, segments: readonly number[]): Promise<void> {
  for (const number of segments) {
    const path = paths.segment(number)
    const file = openOwned(fs, path, 'write')
    if (file === undefined) throw invalid('a log segment is missing')
    try {
      await flushed('flush', path, () => file.sync())
    } finally {
      closeFile(file)
    }
  }
}

/** Reads and judges everything before the first write: a refusal leaves all as it was. */
async function recoverRoot(
  options: OpenIntakeOptions,
  paths: IntakePaths,
  items: ItemStore,
  catalog: Catalog,
): Promise<RunningIntake> {
  const { fs, lease } = options
  const ledger = new Ledger(fs, paths)
  const uncommittedShards = await ledger.load(catalog.shards)
  const { frames, folded, lastSegment, segments } = loadLog(fs, paths, catalog)
  const loaded = await loadItems(items, frames, (id) => ledger.mayHold(id))
  const plan = planItems({ ...loaded, isCommitted: (id) => ledger.find(id) !== undefined })
  if (plan.kind === 'refuse') throw invalid(plan.reason)

  const book = ItemBook.recovered(plan.items, catalog.order)
  const shelf = new ReceiptShelf(
    items,
    loaded.receiptIds.filter((id) => !plan.items.has(id)),
  )
  const { pending, dead, settled } = book.counts()
  const uncommitted = [...plan.items.values()].filter(({ isCommitted }) => !isCommitted).length
  const { unaccounted, resurrected } = balance({
    entries: ledger.entries + uncommitted,
    pending,
    dead,
    resolved: shelf.size + settled,
    pruned: catalog.pruned,
  })

  for (const directory of intakeDirectories(paths)) await ensureDirectory(fs, directory)
  await flushLog(options, paths, folded)
  await ledger.cut(lease, uncommittedShards)
  const log = new AdmissionLog({ fs, lease, paths, store: catalog.store, segments, lastSegment })
  const limits = limitsOf(options)
  const intake = new RunningIntake({ ...options, paths, items, log, catalog, limits, unaccounted, book, ledger, shelf })
  try {
    await intake.removeResurrected(resurrected)
    await intake.checkpointAtOpening()
  } catch (error) {
    log.close()
    throw error
  }
  return intake
}
