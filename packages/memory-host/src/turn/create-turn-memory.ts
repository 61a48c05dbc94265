import type { MemoryStore } from '@mono-agent/memory-bujo'
import type { HandOff, HostOptions, MemoryTurn, ToolPolicy, TurnContext, TurnMemory } from '../types.js'
import { beginTurn, type SharedParts } from './begin-turn.js'
import { eventsTo } from './events.js'
import { parseTurn } from './parse-turn.js'
import { Sessions } from './sessions.js'
import { TurnLife } from './turn-life.js'

/** What holds for every turn of one memory. */
export interface TurnMemoryOptions extends HostOptions {
  /** Beside what a turn itself says: a tool has to pass both, deny wins (REC-29). */
  readonly tools?: ToolPolicy
  /** Of turns that name none of their own. */
  readonly handOff?: HandOff
}

/**
 * Wraps a store for a harness, one turn at a time (REC-32): `begin` gives the context and the tools, `complete` hands the
 * finished turn over. Turns may run side by side; they share nothing but the store and what their provider sessions hold.
 * A backend without `lookUp` has tools, and nothing automatic. The store stays its owner's to close.
 */
export function createTurnMemory(store: MemoryStore, options: TurnMemoryOptions = {}): TurnMemory {
  const shared: SharedParts = {
    store,
    sessions: new Sessions(),
    emit: eventsTo(options.onEvent),
    tools: options.tools,
    handOff: options.handOff,
    ...(options.randomBytes === undefined ? {} : { randomBytes: options.randomBytes }),
  }
  const underWay = new Set<TurnLife>()
  return {
    async begin(turn: TurnContext): Promise<MemoryTurn> {
      const known = parseTurn(turn)
      const life = new TurnLife()
      underWay.add(life)
      life.atEnd(() => underWay.delete(life))
      return beginTurn(shared, known, life)
    },
    resetSession: (sessionId) => shared.sessions.reset(sessionId),
    dispose() {
      for (const life of [...underWay]) life.end()
      shared.sessions.clear()
    },
  }
}
