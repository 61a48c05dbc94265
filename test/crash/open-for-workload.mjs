import { acknowledge } from './acknowledge.mjs'
import { steadyHost } from './host.mjs'
import { createMemoryStore } from './library.mjs'
import { storeRoot } from './paths.mjs'
import { turnOf } from './turns.mjs'

/** The root that the explorer records. */
export const root = storeRoot(process.env.CRASH_ROOT)

const CONFIG = { mode: 'lite', path: root, writeMode: 'append-host-summary' }
let openings = 0

/** Opens the store of this workload; each opening comes an hour after the last. */
export function openStore() {
  return createMemoryStore(CONFIG, steadyHost(openings++))
}

/** Sends one turn and acknowledges it when the promise resolves. */
export async function send(store, runId) {
  await store.persistCompletedTurn(turnOf(runId))
  acknowledge('turn', runId)
}

export const runs = (kind, from, count) => Array.from({ length: count }, (_, i) => `${kind}-${from + i}`)

/** The turns that `workloads/prepare.mjs` has made durable before recording began. */
export const preparedRuns = runs('short', 180, Number(process.env.CRASH_PREPARED ?? 0))
for (const runId of preparedRuns) acknowledge('turn', runId)
