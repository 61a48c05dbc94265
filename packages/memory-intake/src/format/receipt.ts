import { z } from 'zod'
import { MAX_RECORD_BYTES } from './admission-record.js'
import { itemBaseShape, itemOutcome, type ResolvedState } from './item-state.js'
import { sealJson, unsealJson } from './sealed-json.js'

const receiptSchema = z.strictObject({
  ...itemBaseShape,
  state: z.literal('resolved'),
  outcome: itemOutcome,
  memoryIds: z.array(z.string()),
  reason: z.string().optional(),
})

/** The file `resolved/<id>.json`: how a turn ended, without any of its content (INT-9). */
export function formatReceipt(state: ResolvedState): Uint8Array {
  return sealJson(state)
}

/** @returns undefined if the bytes are not a receipt as `formatReceipt` writes it */
export function parseReceipt(bytes: Uint8Array): ResolvedState | undefined {
  if (bytes.length > MAX_RECORD_BYTES) return undefined
  const parsed = receiptSchema.safeParse(unsealJson(bytes))
  return parsed.success ? (parsed.data as ResolvedState) : undefined
}
