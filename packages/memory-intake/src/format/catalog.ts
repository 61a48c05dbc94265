import { z } from 'zod'
import { hex256 } from './item-state.js'
import { LEDGER_ENTRY_BYTES, SHARD_COUNT } from './ledger-entry.js'
import { sealJson, unsealJson } from './sealed-json.js'

/** 256 slots of at most 83 bytes, and 200 bytes around them, stay below this. */
export const MAX_CATALOG_BYTES = 32 * 1024

/** How much of a shard counts: its first `length` bytes, of this SHA-256 (64 hex). */
export interface ShardMark {
  readonly length: number
  readonly digest: string
}

/** The commit point of a checkpoint (INT-5). */
export interface Catalog {
  /** 32 random bytes, hex: which store this is. */
  readonly store: string
  /** Highest admission number given, 0 if none. */
  readonly order: number
  /** The last log segment folded into records and ledger, 0 if none. */
  readonly through: number
  /** Receipts removed because newer ones took their place. */
  readonly pruned: number
  /** 256 entries; undefined where no shard exists yet. */
  readonly shards: readonly (ShardMark | undefined)[]
}

const slot = z.tuple([z.int().min(LEDGER_ENTRY_BYTES).multipleOf(LEDGER_ENTRY_BYTES), hex256]).nullable()
const count = z.int().min(0)
const catalogSchema = z.strictObject({
  store: hex256,
  order: count,
  through: count,
  pruned: count,
  shards: z.array(slot).length(SHARD_COUNT),
})

export function formatCatalog(catalog: Catalog): Uint8Array {
  const shards = catalog.shards.map((mark) => (mark === undefined ? null : [mark.length, mark.digest]))
  return sealJson({ ...catalog, shards })
}

/** @returns undefined if the bytes are not a catalog as `formatCatalog` writes it */
export function parseCatalog(bytes: Uint8Array): Catalog | undefined {
  if (bytes.length > MAX_CATALOG_BYTES) return undefined
  const parsed = catalogSchema.safeParse(unsealJson(bytes))
  if (!parsed.success) return undefined
  const shards = parsed.data.shards.map((mark) => (mark === null ? undefined : { length: mark[0], digest: mark[1] }))
  return { ...parsed.data, shards }
}

export function emptyCatalog(store: string): Catalog {
  return { store, order: 0, through: 0, pruned: 0, shards: Array.from({ length: SHARD_COUNT }, () => undefined) }
}

/** Ledger entries that a catalog commits. */
export function countEntries(shards: Catalog['shards']): number {
  return shards.reduce((sum, mark) => sum + (mark?.length ?? 0), 0) / LEDGER_ENTRY_BYTES
}
