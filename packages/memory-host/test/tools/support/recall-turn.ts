import type { MemoryHit, MemoryLookup, RecallOptions, RecallOutcome } from '@mono-agent/memory-bujo'
import { recallTool } from '../../../src/tools/recall.js'
import type { HandOff, OriginalUnavailable } from '../../../src/types.js'
import { fakeTurn } from './fake-port.js'

export function hit(more: Partial<MemoryHit> = {}): MemoryHit {
  return {
    id: 'm1',
    score: 0.8124,
    text: 'Ana lives in Lund.',
    type: 'note',
    status: 'open',
    createdAt: '2026-05-01T09:00:00.000Z',
    currentness: 'current',
    source: { conversationId: 'web:secret', file: 'daily/2026-05-01.md' },
    ...more,
  }
}

export const outcome = (hits: readonly MemoryHit[], more: Partial<RecallOutcome> = {}): RecallOutcome => ({
  hits,
  mode: 'hybrid',
  sections: [],
  ...more,
})

export type RecallAsked = Parameters<MemoryLookup['recall']>[0]

export interface LookedFor {
  readonly query: string
  readonly options: Pick<RecallOptions, 'kind' | 'about' | 'signal'>
}

interface FakeRecall {
  /** What every lookup answers; a function may throw. */
  readonly answer?: RecallOutcome | (() => RecallOutcome)
  readonly original?: OriginalUnavailable
  readonly handOff?: HandOff
  readonly hasJournal?: boolean
  readonly hasLabels?: boolean
  /** Runs while it is looked up. */
  readonly meanwhile?: () => void
}

/** The tool on a turn whose lookups give one answer; keeps what was asked of them. */
export function recallTurn({
  answer = outcome([hit()]),
  original,
  handOff,
  hasJournal,
  hasLabels = true,
  meanwhile,
}: FakeRecall = {}) {
  const turn = fakeTurn({}, handOff)
  const lookedFor: LookedFor[] = []
  const asked: RecallAsked[] = []
  const lookup: MemoryLookup = {
    mode: 'hybrid',
    recall: (options) => {
      asked.push(options)
      return typeof answer === 'function' ? answer() : answer
    },
    automatic: () => [],
  }
  const port: typeof turn.port = {
    ...turn.port,
    scopes: ['agent', 'user:u1'],
    lookUp: (query, options) => {
      lookedFor.push({ query, options })
      meanwhile?.()
      return Promise.resolve(lookup)
    },
    original: () => {
      meanwhile?.()
      return Promise.resolve(original ?? lookup)
    },
  }
  const tool = recallTool(port, { hasLabels, ...(hasJournal === undefined ? {} : { hasJournal }) })
  return { ...turn, tool, lookedFor, asked, port }
}
