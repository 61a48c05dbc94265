import { z } from 'zod'

const count = z.int().min(0)
const byStage = z.strictObject({ extract: count, review: count, reconcile: count })

/**
 * What a running store says of itself (OPS-6): counts and states only. `.index/runtime.json` holds the last one that
 * was published; in memory it is exact at once.
 */
export const runtimeSnapshotSchema = z.strictObject({
  schemaVersion: z.literal(1),
  mode: z.enum(['lite', 'journal', 'bujo']),
  state: z.enum(['open', 'closing', 'closed']),
  pid: count,
  epoch: count,
  openedAt: z.iso.datetime(),
  publishedAt: z.iso.datetime(),
  intake: z.strictObject({
    pending: count,
    dead: count,
    resolved: count,
    due: count,
    inTransition: count,
    pruned: count,
    unaccounted: count,
    fill: z.number().min(0),
    /** From 75 % of the bound on (INT-3). */
    isFilling: z.boolean(),
  }),
  projection: z.strictObject({
    batches: count,
    turns: count,
    /** Most turns one batch held since opening. */
    highWater: count,
    failures: count,
    draining: z.boolean(),
  }),
  discards: z.strictObject({ credentials: count }),
  failures: z.strictObject({ listeners: count, checkpoints: count, snapshots: count }),
  /** Of tiers with embeddings: memories that wait for their vector; vectors made, failures and refused texts since opening. */
  vectors: z.strictObject({ waiting: count, written: count, failures: count, refused: count }),
  calls: z.strictObject({ embedding: count, chat: count }),
  /** Of bujo with writeMode `capture`: what curation did since opening, without content (CAP-27). */
  capture: z
    .strictObject({
      calls: byStage,
      tokens: z.strictObject({ prompt: count, completion: count }),
      durationMs: byStage,
      rejections: z.record(z.string(), count),
      dropped: z.record(z.string(), count),
      captured: count,
      actions: z.strictObject({ add: count, noop: count, update: count, supersede: count }),
    })
    .optional(),
})

export type RuntimeSnapshot = z.output<typeof runtimeSnapshotSchema>

/** Older than this is stale (OPS-6). */
export const SNAPSHOT_STALE_MS = 90_000
/** At least this often (OPS-6). */
export const SNAPSHOT_INTERVAL_MS = 30_000
/** At most four times a second on disk (OPS-6). */
export const SNAPSHOT_MIN_GAP_MS = 250

export type SnapshotFault = 'missing' | 'invalid' | 'stale'

/**
 * Reads what is in `runtime.json`.
 * @param bytes  the file, or undefined if there is none
 * @param isAlive  whether a process of this id runs
 */
export function readRuntimeSnapshot(
  bytes: Uint8Array | undefined,
  now: number,
  isAlive: (pid: number) => boolean,
): { readonly snapshot: RuntimeSnapshot } | { readonly fault: SnapshotFault } {
  if (bytes === undefined) return { fault: 'missing' }
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return { fault: 'invalid' } // renamed without fsync: empty or torn after a power loss
  }
  const parsed = runtimeSnapshotSchema.safeParse(value)
  if (!parsed.success) return { fault: 'invalid' }
  const snapshot = parsed.data
  const ageMs = now - Date.parse(snapshot.publishedAt)
  if (snapshot.state === 'closed' || ageMs > SNAPSHOT_STALE_MS || !isAlive(snapshot.pid)) return { fault: 'stale' }
  return { snapshot }
}
