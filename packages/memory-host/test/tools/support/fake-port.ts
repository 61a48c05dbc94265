import type { ChronologyEntry, ChronologyRequest, ChronologySnapshot, MemoryStore } from '@mono-agent/memory-bujo'
import type { HandOff, TurnPort } from '../../../src/types.js'

export interface FakeTurn {
  readonly port: TurnPort
  readonly delivered: { readonly ids: readonly string[]; readonly text: string }[]
  /** Ends it, as the turn does. */
  end(): void
}

/** The side of a turn that its tools see, with a store of which a test gives what it needs. */
export function fakeTurn(store: Partial<MemoryStore>, handOff: HandOff = {}): FakeTurn {
  const delivered: FakeTurn['delivered'] = []
  let changes = 0
  let isEnded = false
  const port: TurnPort = {
    store: store as MemoryStore,
    conversationId: 'web:1',
    scopes: ['agent'],
    handOff,
    isEnded: () => isEnded,
    lookUp: () => Promise.reject(new Error('not asked for here')),
    original: () => Promise.resolve('empty'),
    delivered: (ids, text) => void delivered.push({ ids, text }),
    changed: () => void (changes += 1),
    changes: () => changes,
  }
  return { port, delivered, end: () => void (isEnded = true) }
}

export const RANGE = { fromDate: '2026-05-01', throughDate: '2026-05-03', timeZone: 'Europe/Berlin' }
export const INTERVAL = { from: '2026-04-30T22:00:00.000Z', before: '2026-05-03T22:00:00.000Z' }

const START = Date.parse('2026-05-01T09:00:00.000Z')

export function entry(index: number, more: Partial<ChronologyEntry> = {}): ChronologyEntry {
  const at = new Date(START + index * 60_000).toISOString()
  return {
    id: `m-${index}`,
    at,
    createdAt: at,
    text: `Entry ${index}.`,
    type: 'note',
    status: 'open',
    currentness: 'current',
    day: '2026-05-01',
    ...more,
  }
}

export const entries = (count: number, more: Partial<ChronologyEntry> = {}): ChronologyEntry[] =>
  Array.from({ length: count }, (_, index) => entry(index, more))

export const snapshotOf = (
  given: readonly ChronologyEntry[],
  coverage: ChronologySnapshot['coverage'] = { complete: true },
): ChronologySnapshot => ({ interval: INTERVAL, entries: given, coverage })

/** A store with a chronology of these entries, whatever is asked; it keeps what it was asked. */
export function chronicle(given: readonly ChronologyEntry[], coverage?: ChronologySnapshot['coverage']) {
  const asked: ChronologyRequest[] = []
  return {
    asked,
    chronology: (request: ChronologyRequest) => {
      asked.push(request)
      return Promise.resolve(snapshotOf(given, coverage))
    },
  }
}
