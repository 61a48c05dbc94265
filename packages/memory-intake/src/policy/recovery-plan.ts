import type { IntakeState } from '@mono-agent/memory-store'
import type { AdmissionRecord } from '../format/admission-record.js'
import type { Catalog, ShardMark } from '../format/catalog.js'
import type { ItemState, ResolvedState } from '../format/item-state.js'
import type { LogItem } from '../format/log-item.js'
import type { SchemaMarker } from '../format/schema-marker.js'
import { admittedState, applyChange } from './transitions.js'

/** What a file turned out to be. */
export type Found<T> = { readonly kind: 'missing' | 'invalid' } | { readonly kind: 'valid'; readonly value: T }

/** Opening goes no further and touches nothing: `intake_invalid`. */
export interface Refusal {
  readonly kind: 'refuse'
  readonly reason: string
}
const refuse = (reason: string): Refusal => ({ kind: 'refuse', reason })

export interface FoundRoot {
  readonly marker: Found<SchemaMarker>
  readonly catalog: Found<Catalog>
  readonly hasShards: boolean
  readonly hasRecords: boolean
  /** A whole frame in any segment. */
  readonly hasFrames: boolean
}

export type RootPlan =
  | { readonly kind: 'make' }
  | { readonly kind: 'open'; readonly catalog: Catalog; readonly makeMarker: boolean }
  | Refusal

/** A root is new while it has no marker and nothing admitted; everything else must have its catalog (INT-6). */
export function planRoot({ marker, catalog, hasShards, hasRecords, hasFrames }: FoundRoot): RootPlan {
  if (marker.kind === 'invalid') return refuse('the schema marker is not as it was written')
  if (catalog.kind === 'valid') {
    if (marker.kind === 'valid' && marker.value.store !== catalog.value.store) {
      return refuse('schema marker and catalog belong to different stores')
    }
    return { kind: 'open', catalog: catalog.value, makeMarker: marker.kind === 'missing' }
  }
  const isUsed = marker.kind === 'valid' || hasShards || hasRecords || hasFrames
  return isUsed ? refuse(`the catalog is ${catalog.kind}`) : { kind: 'make' }
}

export type ShardPlan =
  | { readonly kind: 'absent' }
  /** The first `mark.length` bytes must have its digest; bytes behind them, if `cut`, go. */
  | { readonly kind: 'verify'; readonly mark: ShardMark; readonly cut: boolean }
  /** Bytes that no catalog commits: a checkpoint was cut. */
  | { readonly kind: 'cut' }
  | Refusal

/** @param size  bytes of the shard file; undefined if there is none */
export function planShard(mark: ShardMark | undefined, size: number | undefined): ShardPlan {
  if (mark === undefined) return size === undefined || size === 0 ? { kind: 'absent' } : { kind: 'cut' }
  if (size === undefined) return refuse('a ledger shard is missing')
  if (size < mark.length) return refuse('a ledger shard is shorter than the catalog says')
  return { kind: 'verify', mark, cut: size > mark.length }
}

export interface FoundSegment {
  readonly number: number
  /** That its header names; undefined without a whole header. */
  readonly store: string | undefined
  readonly isDamaged: boolean
}

export type SegmentPlan =
  | {
      readonly kind: 'fold'
      /** Numbers, ascending. A last segment that was cut while it was made is not among them: its number is used again. */
      readonly fold: readonly number[]
    }
  | Refusal

/** Which log segments count: all behind `through`, without a gap, each whole up to a tail that nobody was told about. */
export function planSegments(
  { store, through }: Pick<Catalog, 'store' | 'through'>,
  found: readonly FoundSegment[],
): SegmentPlan {
  const live = found.filter(({ number }) => number > through).sort((a, b) => a.number - b.number)
  const fold: number[] = []
  for (const [index, segment] of live.entries()) {
    const isLast = index === live.length - 1
    if (segment.number !== through + 1 + index) return refuse('a log segment is missing')
    if (segment.isDamaged) return refuse('a log segment holds invalid bytes before a valid frame')
    if (segment.store === store) fold.push(segment.number)
    else if (segment.store !== undefined) return refuse('catalog and log belong to different stores')
    else if (index === 0 || !isLast) return refuse('a log segment has no header')
  }
  return fold.length === 0 ? refuse('a log segment is missing') : { kind: 'fold', fold }
}

export interface FoundItems {
  readonly records: readonly { readonly place: 'pending' | 'dead'; readonly record: AdmissionRecord }[]
  /** Those that were read: of items that also have a record, frames, or no ledger entry. */
  readonly receipts: readonly ResolvedState[]
  readonly frames: readonly LogItem[]
  readonly isCommitted: (id: string) => boolean
}

export interface RecoveredItem {
  readonly state: ItemState
  /** Canonical payload; always there while the item is unfinished. */
  readonly turn?: string
  /** The item's copies on disk: the one that counted first. */
  readonly places: readonly IntakeState[]
  /** Has its ledger entry. */
  readonly isCommitted: boolean
  /** Frames came behind what the copies hold. */
  readonly isChanged: boolean
}

export type ItemsPlan = { readonly kind: 'items'; readonly items: ReadonlyMap<string, RecoveredItem> } | Refusal

/** Folds frames over records and receipts. Of two copies without frames the higher revision counts. */
export function planItems({ records, receipts, frames, isCommitted }: FoundItems): ItemsPlan {
  const items = new Map<string, RecoveredItem>()
  const copies = [
    ...records.map(({ place, record }) => ({ place, ...record })),
    ...receipts.map((state) => ({ place: 'resolved' as const, state })),
  ]
  const touched = new Set(frames.map(({ id }) => id))
  for (const copy of copies) {
    const merged = mergeCopy(items.get(copy.state.id), copy, isCommitted(copy.state.id), touched.has(copy.state.id))
    if (merged === undefined) return refuse('an item has two copies of one revision')
    items.set(copy.state.id, merged)
  }
  for (const frame of frames) {
    const item = items.get(frame.id)
    if (frame.kind === 'admit') {
      if (isCommitted(frame.id)) return refuse('the log admits a turn that the ledger holds already')
      // A second time: the first failed as unknown and the turn was sent again, so the later frame counts.
      const admitted = { state: admittedState(frame), turn: frame.turn, isCommitted: false, isChanged: true }
      items.set(frame.id, { ...admitted, places: item?.places ?? [] })
    } else if (item !== undefined) {
      items.set(frame.id, { ...item, state: applyChange(item.state, frame), isChanged: true })
    } else if (!isCommitted(frame.id)) {
      return refuse('the log changes a turn that was never admitted')
    } // else its record was removed by hand: it shows in the balance, and there is nothing left to change
  }
  for (const { state, turn } of items.values()) {
    if (state.state !== 'resolved' && turn === undefined) return refuse('the payload of an unfinished turn is missing')
  }
  return { kind: 'items', items }
}

interface Copy {
  readonly place: IntakeState
  readonly state: ItemState
  readonly turn?: string
}

function mergeCopy(
  known: RecoveredItem | undefined,
  { place, state, turn }: Copy,
  isCommitted: boolean,
  hasFrames: boolean,
): RecoveredItem | undefined {
  const payload = turn ?? known?.turn
  const base = { isCommitted, isChanged: false, ...(payload === undefined ? {} : { turn: payload }) }
  if (known === undefined) return { ...base, state, places: [place] }
  if (known.state.revision === state.revision && !hasFrames) return undefined
  return known.state.revision > state.revision
    ? { ...base, state: known.state, places: [...known.places, place] }
    : { ...base, state, places: [place, ...known.places] }
}
