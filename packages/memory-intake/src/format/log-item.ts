import { canonicalJson } from '@mono-agent/memory-store'
import { z } from 'zod'
import { PAYLOAD_RECIPE } from './canonical-turn.js'
import { failureCategory, hex256, instant, itemOutcome, positive, type ItemOutcome } from './item-state.js'
import type { FailureCategory } from '@mono-agent/memory-store'

export interface AdmitItem {
  readonly kind: 'admit'
  readonly id: string
  readonly order: number
  readonly admittedAt: string
  readonly payloadHash: string
  /** Canonical payload, recipe 1. */
  readonly turn: string
}

/** What a change leaves behind, in absolute terms: applying it twice, or over a newer record, comes to the same. */
interface ChangeBase {
  readonly id: string
  readonly revision: number
  readonly at: string
}
export interface AttemptItem extends ChangeBase {
  readonly kind: 'attempt'
  readonly attempts: number
  readonly failure: FailureCategory
  readonly nextAttemptAt: string
}
export interface DeadItem extends ChangeBase {
  readonly kind: 'dead'
  readonly attempts: number
  readonly failure: FailureCategory
}
export interface RetryItem extends ChangeBase {
  readonly kind: 'retry'
}
export interface SettledItem extends ChangeBase {
  readonly kind: 'settled'
  readonly outcome: ItemOutcome
  readonly memoryIds: readonly string[]
  readonly reason?: string
}

export type ChangeItem = AttemptItem | DeadItem | RetryItem | SettledItem
export type LogItem = AdmitItem | ChangeItem

const change = { id: hex256, revision: positive, at: instant }
const attempts = z.int().min(1).max(16)
const itemSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('admit'),
    id: hex256,
    order: positive,
    admittedAt: instant,
    payloadHash: hex256,
    recipe: z.literal(PAYLOAD_RECIPE),
    turn: z.record(z.string(), z.unknown()),
  }),
  z.strictObject({
    kind: z.literal('attempt'),
    ...change,
    attempts,
    failure: failureCategory,
    nextAttemptAt: instant,
  }),
  z.strictObject({ kind: z.literal('dead'), ...change, attempts, failure: failureCategory }),
  z.strictObject({ kind: z.literal('retry'), ...change }),
  z.strictObject({
    kind: z.literal('settled'),
    ...change,
    outcome: itemOutcome,
    memoryIds: z.array(z.string()),
    reason: z.string().optional(),
  }),
])
const bodySchema = z.array(itemSchema).min(1)

/** Canonical JSON of one item. */
export function formatLogItem(item: LogItem): string {
  if (item.kind !== 'admit') return canonicalJson(item)
  const { turn, ...envelope } = item
  // As in a record: "turn" sorts last and is canonical text already.
  return `${canonicalJson({ ...envelope, recipe: PAYLOAD_RECIPE }).slice(0, -1)},"turn":${turn}}`
}

/** The body of a frame: one group. */
export function formatBody(items: readonly string[]): string {
  return `[${items.join(',')}]`
}

/** @returns undefined if the body is whole, by its digest, but not one that this version writes */
export function parseBody(body: string): LogItem[] | undefined {
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch {
    return undefined // the caller refuses the segment
  }
  const parsed = bodySchema.safeParse(value)
  if (!parsed.success) return undefined
  return parsed.data.map((item) => {
    if (item.kind !== 'admit') return item as ChangeItem
    const { recipe: _recipe, ...rest } = item
    return { ...rest, turn: canonicalJson(item.turn) }
  })
}
