import { layout, MemoryError, readPinned, sha256Hex, type FileSystem, type LogBase } from '@mono-agent/memory-store'
import type { AuthorityCover } from '@mono-agent/memory-search'
import { join } from 'node:path'
import { Outbox, type OutboxParts } from './outbox.js'
import type { WritingPlan } from './plan-types.js'
import type { TurnState } from './turn-state.js'

/**
 * How much of graph and delta counts before the plan under way is carried out: what an append that was cut left behind that
 * is no damage, and the plan writes it again (FMT-7). Nothing where there is no such plan, and where the outbox cannot be
 * trusted: then nothing covers a torn end.
 */
export async function authorityCoverOf(
  parts: OutboxParts,
  turnState: (id: string) => Promise<TurnState>,
): Promise<AuthorityCover> {
  const plan = planUnderWay(new Outbox(parts))
  if (plan === undefined) return {}
  if (plan.stage === 'commit' && (await turnState(plan.id)) !== 'unfinished') return {}
  const { fs, root } = parts
  const { graph, replay } = plan
  return {
    ...(begins(fs, join(root, layout.graph), graph.base) ? { graph: graph.base.length } : {}),
    ...(begins(fs, join(root, layout.replayDelta), replay.base) ? { replayDelta: replay.base.length } : {}),
  }
}

function planUnderWay(outbox: Outbox): WritingPlan | undefined {
  try {
    return outbox.loadAll().find((plan) => plan.stage !== 'retained')
  } catch (error) {
    if (error instanceof MemoryError && error.code === 'outbox_invalid') return undefined // said before a capture goes on
    throw error
  }
}

/** Edited by hand it no longer does: then all of the file counts. */
function begins(fs: FileSystem, path: string, { length, digest }: LogBase): boolean {
  const bytes = readPinned(fs, path)?.bytes ?? new Uint8Array()
  return bytes.length >= length && sha256Hex(bytes.subarray(0, length)) === digest
}
