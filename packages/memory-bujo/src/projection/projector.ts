import type { Events } from '../events.js'
import type { Host } from '../host.js'
import { projectBatch, type ProjectionParts } from './project-batch.js'
import { createTurnWorker, type TurnWorker } from './turn-worker.js'

/** Turns in one batch: enough that a bulk import rewrites a day file seldom, few enough to bound memory. */
const MAX_BATCH = 512

export interface ProjectorParts extends ProjectionParts {
  readonly events: Events
}

/** Runs due turns of lite and journal to their end: drafts, day files, index, settled. */
export function createProjector(parts: ProjectorParts, host: Pick<Host, 'now' | 'monotonicNow' | 'sleep'>): TurnWorker {
  const { intake, events } = parts
  const job = {
    maxBatch: MAX_BATCH,
    carryOut: (turns: Parameters<typeof projectBatch>[1]) => projectBatch(parts, turns),
    categoryOf: () => 'processing' as const,
  }
  return createTurnWorker({ intake, events, job }, host)
}
