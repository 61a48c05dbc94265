import type { MemoryStore } from '@mono-agent/memory-bujo'
import { automaticBlocks } from '../policy/automatic-gate.js'
import type { KnownTurn } from '../policy/known-turn.js'
import { manualWriteGuidance } from '../policy/manual-write-guidance.js'
import { ownerTextOf, type OwnerText } from '../policy/owner-text.js'
import { questionOf } from '../policy/question.js'
import { scopesOf } from '../policy/scopes.js'
import { advertisedTools } from '../policy/tool-gate.js'
import type { HandOff, HostOptions, ToolPolicy, TurnPort } from '../types.js'
import { automaticContext, NO_CONTEXT, type AutomaticContext } from './automatic-context.js'
import { bytesBehind, contextText } from './context-text.js'
import { Delivered } from './delivered.js'
import type { Emit } from './events.js'
import { failureCode } from './failure.js'
import { Lookups } from './lookups.js'
import { Turn } from './memory-turn.js'
import { noteAccess } from './note-access.js'
import type { Sessions, SessionView } from './sessions.js'
import { toolsOf } from './tools-of.js'
import type { TurnLife } from './turn-life.js'

/** Of a backend that names no limit. */
const DEFAULT_MAX_CONTEXT_BYTES = 64_000

/** What all turns of one memory share. */
export interface SharedParts extends Pick<HostOptions, 'randomBytes'> {
  readonly store: MemoryStore
  readonly sessions: Sessions
  readonly emit: Emit
  readonly tools: ToolPolicy | undefined
  readonly handOff: HandOff | undefined
}

/** Makes the context and the tools of a turn; whatever the store's state is, there is a turn. */
export async function beginTurn(shared: SharedParts, turn: KnownTurn, life: TurnLife): Promise<Turn> {
  const { store, emit } = shared
  const ownerText = ownerTextOf(turn.message, turn.ownerText)
  if (ownerText.origin === 'ignored') emit({ kind: 'owner_text_ignored' })
  const question = questionOf(ownerText.text, turn.attachmentText)
  const lookups = new Lookups(store, scopesOf(turn), question)
  life.atEnd(() => lookups.end())
  const delivered = new Delivered()
  const port = portOf(shared, turn, { lookups, delivered, life })
  const toolNames = advertisedTools(store, [shared.tools, turn.tools])
  const tools = toolsOf(port, toolNames, shared)
  const guidance = manualWriteGuidance(turn, store.capabilities, toolNames) ?? ''
  // A turn beside the conversation goes to a session of its own.
  const session = turn.session === undefined || turn.isIsolated ? undefined : shared.sessions.open(turn.session)
  const looking = { question, ownerText, lookups, session, guidance }
  const automatic = await lookForContext(shared, turn, looking)
  const { text, memoryIds, offered, receipts } = automatic
  noteAccess(store, delivered.addMemories(memoryIds))
  for (const lines of [text, ...offered]) delivered.addText(lines)
  const context = contextText([text, guidance], memoryIds)
  return new Turn({ store, turn, ownerText, context, tools, lookups, delivered, session, receipts, emit, life })
}

interface Looking {
  readonly question: string
  readonly ownerText: OwnerText
  readonly lookups: Lookups
  readonly session: SessionView | undefined
  readonly guidance: string
}

/** Never fails: a turn without automatic context is still a turn. */
async function lookForContext(
  { store, emit }: SharedParts,
  turn: KnownTurn,
  { question, ownerText, lookups, session, guidance }: Looking,
): Promise<AutomaticContext> {
  const permitted = automaticBlocks(turn, ownerText.text)
  if (permitted.length === 0) return NO_CONTEXT
  if (session !== undefined && session.served === undefined) {
    emit({ kind: 'session_receipts_lost' })
    return NO_CONTEXT
  }
  try {
    const lookup = await lookups.ofQuestion(turn.conversationId, turn.signal)
    if (lookup.mode === 'lexical' && question !== '') {
      emit({ kind: 'memory_lexical_only', reason: lookup.degraded?.reason ?? 'words_only' })
    }
    const limit = store.capabilities?.maxContextBytes ?? DEFAULT_MAX_CONTEXT_BYTES
    const automatic = automaticContext(lookup, {
      conversationId: turn.conversationId,
      permitted,
      scopes: scopesOf(turn),
      ownerText: ownerText.text,
      maxBytes: Math.max(0, limit - bytesBehind(guidance)),
      session,
    })
    if (automatic.text !== '') emit(recalled(automatic))
    return automatic
  } catch (error) {
    const code = turn.signal?.aborted === true ? 'aborted' : failureCode(error)
    emit({ kind: 'memory_recall_unavailable', code })
    return NO_CONTEXT
  }
}

function recalled({ blocks, memoryIds, bytes }: AutomaticContext): Parameters<Emit>[0] {
  const sources = blocks.map(({ kind, lines }) => ({ kind, lines: lines.length }))
  return { kind: 'memory_recalled', blocks: sources, memories: memoryIds.length, bytes }
}

interface TurnState {
  readonly lookups: Lookups
  readonly delivered: Delivered
  readonly life: TurnLife
}

/** What the tools of the turn share. */
function portOf({ store, handOff }: SharedParts, turn: KnownTurn, { lookups, delivered, life }: TurnState): TurnPort {
  return {
    store,
    conversationId: turn.conversationId,
    scopes: scopesOf(turn),
    handOff: turn.handOff ?? handOff ?? {},
    isEnded: () => life.isEnded,
    lookUp: (query, options) => lookups.lookUp(query, options),
    original: (signal) => lookups.original(signal),
    delivered(memoryIds, text) {
      noteAccess(store, delivered.addMemories(memoryIds))
      delivered.addText(text)
    },
    changed: () => lookups.changed(),
    changes: () => lookups.changes(),
  }
}
