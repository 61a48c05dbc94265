import { canonicalJson } from '@mono-agent/memory-store'
import { z } from 'zod'
import { PAYLOAD_RECIPE, payloadHash } from './canonical-turn.js'
import { failureCategory, instant, itemBaseShape, type UnfinishedState } from './item-state.js'
import { sealText, unsealJson } from './sealed-json.js'

/** The file `pending/<id>.json` or `dead/<id>.json` may not exceed this (INT-3). */
export const MAX_RECORD_BYTES = 640 * 1024
/** Of those, kept free for everything but the payload: id, hashes, instants, counters. */
export const RECORD_ENVELOPE_BYTES = 1024
/** Longest canonical payload, UTF-8 bytes. */
export const MAX_PAYLOAD_BYTES = MAX_RECORD_BYTES - RECORD_ENVELOPE_BYTES

/** An unfinished item with its payload. */
export interface AdmissionRecord {
  readonly state: UnfinishedState
  /** Canonical payload, recipe 1. */
  readonly turn: string
}

const recipe = z.literal(PAYLOAD_RECIPE)
const turn = z.record(z.string(), z.unknown())
const recordSchema = z.discriminatedUnion('state', [
  z.strictObject({
    ...itemBaseShape,
    state: z.literal('pending'),
    nextAttemptAt: instant.optional(),
    failure: failureCategory.optional(),
    recipe,
    turn,
  }),
  z.strictObject({ ...itemBaseShape, state: z.literal('dead'), failure: failureCategory, recipe, turn }),
])

export function formatRecord({ state, turn: canonical }: AdmissionRecord): Uint8Array {
  // "turn" sorts behind every other key, and its text is canonical already: no need to parse and write it once more.
  const envelope = canonicalJson({ ...state, recipe: PAYLOAD_RECIPE })
  return sealText(`${envelope.slice(0, -1)},"turn":${canonical}}`)
}

/** @returns undefined if the bytes are not a record as `formatRecord` writes it */
export function parseRecord(bytes: Uint8Array): AdmissionRecord | undefined {
  if (bytes.length > MAX_RECORD_BYTES) return undefined
  const parsed = recordSchema.safeParse(unsealJson(bytes))
  if (!parsed.success) return undefined
  const { recipe: _recipe, turn: payload, ...state } = parsed.data
  const canonical = canonicalJson(payload)
  return payloadHash(canonical) === state.payloadHash ? { state: state as UnfinishedState, turn: canonical } : undefined
}
