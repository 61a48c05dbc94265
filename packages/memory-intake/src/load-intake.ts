import { onDisk, openOwned, readPinned, type FileSystem } from '@mono-agent/memory-store'
import { closeFile } from './close-file.js'
import type { AdmissionRecord } from './format/admission-record.js'
import { parseCatalog, type Catalog } from './format/catalog.js'
import type { ResolvedState } from './format/item-state.js'
import { parseSegment, type ParsedSegment } from './format/log-frame.js'
import { parseBody, type LogItem } from './format/log-item.js'
import { parseMarker } from './format/schema-marker.js'
import { PLACES, type IntakePaths } from './intake-paths.js'
import { invalid } from './invalid.js'
import { listItems, type ItemStore } from './item-store.js'
import { pauseAfterFiles } from './pause-after-files.js'
import { planSegments, type Found, type FoundItems, type FoundRoot } from './policy/recovery-plan.js'

const SEGMENT_NAME = /^[1-9]\d{0,14}$/
const SHARD_NAME = /^[0-9a-f]{2}$/

/** A file that is there whole or not at all. */
function loadWhole<T>(fs: FileSystem, path: string, parse: (bytes: Uint8Array) => T | undefined): Found<T> {
  const read = readPinned(fs, path)
  if (read === undefined) return { kind: 'missing' }
  const value = parse(read.bytes)
  return value === undefined ? { kind: 'invalid' } : { kind: 'valid', value }
}

export function loadCatalog(fs: FileSystem, paths: IntakePaths): Found<Catalog> {
  return loadWhole(fs, paths.catalog, parseCatalog)
}

/** Numbers of the segments on disk, ascending. @throws {IntakeError} intake_invalid if something else is there */
export function listSegments(fs: FileSystem, paths: IntakePaths): number[] {
  const names = listItems(fs, paths.log)
  if (names.some((name) => !SEGMENT_NAME.test(name))) throw invalid('log holds a file that is no segment')
  return names.map(Number).sort((a, b) => a - b)
}

/** @throws {IntakeError} intake_invalid if something else is there */
function listShards(fs: FileSystem, paths: IntakePaths): string[] {
  const names = listItems(fs, paths.ledger)
  if (names.some((name) => !SHARD_NAME.test(name))) throw invalid('ledger holds a file that is no shard')
  return names
}

/** What decides whether this root is new, a store, or neither. */
export function findRoot(fs: FileSystem, paths: IntakePaths, items: ItemStore): FoundRoot {
  const marker = loadWhole(fs, paths.marker, parseMarker)
  const catalog = loadCatalog(fs, paths)
  const found = {
    marker,
    catalog,
    hasShards: listShards(fs, paths).length > 0,
    hasRecords: PLACES.some((place) => items.list(place).length > 0),
  }
  if (catalog.kind === 'valid') return { ...found, hasFrames: false } // no longer asked
  const hasFrames = listSegments(fs, paths).some((number) => {
    const { bodies, isDamaged } = readSegment(fs, paths, number)
    return bodies.length > 0 || isDamaged
  })
  return { ...found, hasFrames }
}

/** Segments may be written to while a reader reads them: as many bytes as there are now, no pin. */
function readSegment(fs: FileSystem, paths: IntakePaths, number: number, store?: string): ParsedSegment {
  const path = paths.segment(number)
  const file = openOwned(fs, path, 'read')
  if (file === undefined) throw invalid('a log segment is missing')
  try {
    const bytes = onDisk('read', path, () => {
      const whole = Buffer.alloc(file.stat().size)
      let filled = 0
      while (filled < whole.length) {
        const count = file.read(whole.subarray(filled), filled)
        if (count === 0) break
        filled += count
      }
      return whole.subarray(0, filled)
    })
    return parseSegment(number, bytes, store)
  } finally {
    closeFile(file)
  }
}

export interface LoadedLog {
  readonly frames: readonly LogItem[]
  /** The segments that they come from, ascending. */
  readonly folded: readonly number[]
  /** The last segment that counts; one behind it is an unfinished attempt to start a segment. */
  readonly lastSegment: number
  /** All on disk, those already folded in too. */
  readonly segments: readonly number[]
}

/** @throws {IntakeError} intake_invalid for a gap, a foreign segment, damage before a valid frame */
export function loadLog(fs: FileSystem, paths: IntakePaths, catalog: Catalog): LoadedLog {
  const segments = listSegments(fs, paths)
  const parsed = new Map(
    segments
      .filter((number) => number > catalog.through)
      .map((number) => [number, readSegment(fs, paths, number, catalog.store)] as const),
  )
  const found = [...parsed].map(([number, { store, isDamaged }]) => ({ number, store, isDamaged }))
  const plan = planSegments(catalog, found)
  if (plan.kind === 'refuse') throw invalid(plan.reason)
  const frames: LogItem[] = []
  for (const number of plan.fold) {
    for (const body of parsed.get(number)?.bodies ?? []) {
      const items = parseBody(body)
      if (items === undefined) throw invalid('the log holds an entry of an unknown kind')
      for (const item of items) frames.push(item)
    }
  }
  return { frames, folded: plan.fold, lastSegment: plan.fold.at(-1) ?? catalog.through, segments }
}

/** Records, whole; receipts by name, and whole where they have to be compared with something. */
export interface LoadedItems extends Omit<FoundItems, 'isCommitted'> {
  readonly receiptIds: readonly string[]
}

/** @param isCommitted  by the table of the ledger; a reader without one answers true */
export async function loadItems(
  items: ItemStore,
  frames: readonly LogItem[],
  isCommitted: (id: string) => boolean,
): Promise<LoadedItems> {
  const pause = pauseAfterFiles()
  const records: { place: 'pending' | 'dead'; record: AdmissionRecord }[] = []
  const compared = new Set(frames.map(({ id }) => id))
  for (const place of ['pending', 'dead'] as const) {
    for (const id of items.list(place)) {
      compared.add(id)
      await pause()
      const record = items.readRecord(place, id)
      if (record !== undefined) records.push({ place, record }) // gone between: it moved, and a reader looks again
    }
  }
  const receiptIds = items.list('resolved').filter((id) => items.check('resolved', id))
  const receipts: ResolvedState[] = []
  for (const id of receiptIds) {
    if (!compared.has(id) && isCommitted(id)) continue
    await pause()
    const receipt = items.readReceipt(id)
    if (receipt !== undefined) receipts.push(receipt)
  }
  return { records, receipts, receiptIds, frames }
}
