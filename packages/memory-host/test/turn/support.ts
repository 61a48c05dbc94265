import type {
  Admission,
  CompletedTurn,
  ContextBlock,
  MemoryLookup,
  MemoryStore,
  StoreCapabilities,
} from '@mono-agent/memory-bujo'
import {
  createTurnMemory,
  type HostEvent,
  type TurnContext,
  type TurnMemory,
  type TurnResult,
} from '../../src/index.js'
import type { TurnMemoryOptions } from '../../src/index.js'

export const CAPABILITIES: StoreCapabilities = {
  recall: true,
  chronology: true,
  remember: 'detail',
  skippedSources: [],
  labels: true,
  maxContextBytes: 64_000,
}

/** A question long enough for possibly relevant lines. */
export const QUESTION = 'Where did we put the spare key of the cellar?'

export const line = (id: string, text: string): ContextBlock['lines'][number] => ({ text, memoryIds: [id] })

export const block = (kind: ContextBlock['kind'], ...lines: ContextBlock['lines']): ContextBlock => ({
  kind,
  heading: `${kind}:`,
  lines,
})

export interface ScriptedStore extends MemoryStore {
  /** What every lookup offers; may be changed between turns. */
  blocks: readonly ContextBlock[]
  mode: MemoryLookup['mode']
  degraded: string | undefined
  /** Fails the next lookups with it. */
  failure: Error | undefined
  /** Lookups wait for it. */
  gate: Promise<void> | undefined
  readonly queries: string[]
  readonly lookOptions: object[]
  readonly requests: Parameters<MemoryLookup['automatic']>[0][]
  readonly accesses: (readonly string[])[]
  readonly turns: CompletedTurn[]
  persist: (turn: CompletedTurn) => Promise<Admission>
}

/** A store that offers what it is told to, filtered by the kinds that it is asked for. */
export function scriptedStore(more: Partial<MemoryStore> = {}): ScriptedStore {
  const store: ScriptedStore = {
    capabilities: CAPABILITIES,
    blocks: [],
    mode: 'hybrid',
    degraded: undefined,
    failure: undefined,
    gate: undefined,
    queries: [],
    lookOptions: [],
    requests: [],
    accesses: [],
    turns: [],
    persist: () => Promise.resolve({ status: 'admitted', id: '0'.repeat(64) }),
    async lookUp(query, options = {}) {
      store.queries.push(query)
      store.lookOptions.push(options)
      await store.gate
      if (store.failure !== undefined) throw store.failure
      const { mode, degraded } = store
      return {
        mode,
        ...(degraded === undefined ? {} : { degraded: { reason: degraded } }),
        recall: () => ({ hits: [], mode, sections: [] }),
        automatic(request) {
          store.requests.push(request)
          return store.blocks.filter(({ kind }) => request.blocks.includes(kind))
        },
      }
    },
    recallWithOutcome: () => Promise.reject(new Error('The lookup is for that.')),
    load: () => Promise.reject(new Error('The lookup is for that.')),
    chronology: () => Promise.reject(new Error('No test asks for it.')),
    remember: (request) => Promise.resolve({ status: 'stored', id: 'm-new', text: request.text }),
    noteAccess: (ids) => void store.accesses.push(ids),
    persistCompletedTurn(turn) {
      store.turns.push(turn)
      return store.persist(turn)
    },
    close: () => Promise.resolve(),
    ...more,
  }
  return store
}

export interface Watched {
  readonly memory: TurnMemory
  readonly events: HostEvent[]
}

export function watch(store: MemoryStore, options: TurnMemoryOptions = {}): Watched {
  const events: HostEvent[] = []
  return { memory: createTurnMemory(store, { onEvent: (event) => void events.push(event), ...options }), events }
}

/** A turn that its verified owner began in a conversation. */
export const ownersTurn = (more: Partial<TurnContext> = {}): TurnContext => ({
  conversationId: 'web:1',
  message: QUESTION,
  speaker: { kind: 'owner', token: 'morgan' },
  ...more,
})

export const succeeded = (runId: string, more: Partial<TurnResult> = {}): TurnResult => ({
  runId,
  status: 'succeeded',
  summary: 'Morgan asked for the key; it hangs behind the door.',
  ...more,
})
