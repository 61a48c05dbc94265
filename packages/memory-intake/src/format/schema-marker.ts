import { z } from 'zod'
import { hex256 } from './item-state.js'
import { sealJson, unsealJson } from './sealed-json.js'

/** Version of everything under the root. */
export const FORMAT_VERSION = 1

/** `.memory-schema`, made last: proves that a catalog has existed (INT-6). */
export interface SchemaMarker {
  readonly store: string
  readonly format: number
  /** Key of the HMACs by which erased sentences are known again (OPS-19); 32 random bytes, hex. */
  readonly tombstoneKey: string
}

const markerSchema = z.strictObject({ store: hex256, format: z.literal(FORMAT_VERSION), tombstoneKey: hex256 })

export function formatMarker(marker: SchemaMarker): Uint8Array {
  return sealJson(marker)
}

/** @returns undefined if the bytes are not a marker of this format version */
export function parseMarker(bytes: Uint8Array): SchemaMarker | undefined {
  const parsed = markerSchema.safeParse(unsealJson(bytes))
  return parsed.success ? parsed.data : undefined
}
