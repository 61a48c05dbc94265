import type { LabelScope, MemoryStore } from '@mono-agent/memory-bujo'
import { normaliseQuery } from '../policy/question.js'
import { advertisedTools } from '../policy/tool-gate.js'
import { journalTool } from '../tools/journal.js'
import type { MemoryTool } from '../tools/memory-tool.js'
import type { HandOff, HostOptions, ToolPolicy, TurnPort } from '../types.js'
import { lookAtStore } from './look-at-store.js'
import { noteAccess } from './note-access.js'
import { toolsOf } from './tools-of.js'

export interface StandaloneToolOptions extends Pick<HostOptions, 'randomBytes'> {
  /** Which tools are handed out; deny wins (REC-29). */
  readonly tools?: ToolPolicy
  readonly handOff?: HandOff
  /** Stamped on what Remember writes. */
  readonly conversationId?: string
  /** Whose preferences and lessons may be shown; default `['agent']`: who has these tools speaks for the owner. */
  readonly scopes?: readonly LabelScope[]
}

/**
 * The tools of a store for a server that knows of no turns. Every call looks at the store anew and counts its own
 * accesses; `useOriginalQuery` is refused, for there is no original query. The store stays its owner's to close.
 */
export function createStandaloneTools(store: MemoryStore, options: StandaloneToolOptions = {}): readonly MemoryTool[] {
  const port = standalonePort(store, options)
  const names = advertisedTools(store, [options.tools])
  return toolsOf(port, names, options).map((tool) =>
    tool.name === 'MemoryJournal' ? renewedWhenFull(tool, () => journalTool(port, options)) : tool,
  )
}

function standalonePort(store: MemoryStore, options: StandaloneToolOptions): TurnPort {
  const { conversationId, scopes = ['agent'], handOff = {} } = options
  let changes = 0
  return {
    store,
    conversationId,
    scopes,
    handOff,
    isEnded: () => false,
    lookUp: (query, asked) => lookAtStore(store, normaliseQuery(query), { ...asked, scopes }),
    original: () => Promise.resolve('no_turn'),
    delivered: (memoryIds) => noteAccess(store, [...new Set(memoryIds)]),
    changed: () => {
      changes += 1
    },
    changes: () => changes,
  }
}

/**
 * The ranges that one request may read are few (REC-23), and a server of this kind never ends one: when they are used up it
 * begins the next, whose cursors are new. Those of the one before are good until then: clients ask for ranges side by side.
 */
function renewedWhenFull(first: MemoryTool, renew: () => MemoryTool): MemoryTool {
  let current = first
  let before: MemoryTool | undefined
  const handle: MemoryTool['handle'] = async (input, options) => {
    const asked = current
    const result = await asked.handle(input, options)
    const code = (result.structured['error'] as { code?: string } | undefined)?.code
    if (code === 'cursor_refused' && before !== undefined) return before.handle(input, options)
    if (code !== 'journal_full') return result
    // Calls that find it full together begin one request between them.
    if (asked === current) [before, current] = [asked, renew()]
    return handle(input, options)
  }
  return { ...first, handle }
}
