import type { CompletedTurn, MemoryStore } from '@mono-agent/memory-bujo'
import { HostError } from '../errors.js'
import { completedTurn } from '../policy/completed-turn.js'
import type { KnownTurn } from '../policy/known-turn.js'
import { ownerTextOf, type OwnerText } from '../policy/owner-text.js'
import type { MemoryTool } from '../tools/memory-tool.js'
import type { MemoryTurn, TurnContextText, TurnOutcome, TurnResult } from '../types.js'
import type { Receipts } from './automatic-context.js'
import type { Delivered } from './delivered.js'
import type { Emit } from './events.js'
import { failureCode, outcomeOf } from './failure.js'
import type { Lookups } from './lookups.js'
import { parseFollowUp, parseResult } from './parse-turn.js'
import type { SessionView } from './sessions.js'
import type { TurnLife } from './turn-life.js'

/** What a turn is made of once it has begun. */
export interface TurnParts {
  readonly store: MemoryStore
  readonly turn: KnownTurn
  readonly ownerText: OwnerText
  readonly context: TurnContextText
  readonly tools: readonly MemoryTool[]
  readonly lookups: Lookups
  readonly delivered: Delivered
  readonly session: SessionView | undefined
  readonly receipts: Receipts
  readonly emit: Emit
  readonly life: TurnLife
}

/** One turn under way. */
export class Turn implements MemoryTurn {
  readonly #followUps: OwnerText[] = []
  readonly context: TurnContextText
  readonly tools: readonly MemoryTool[]

  constructor(private readonly parts: TurnParts) {
    this.context = parts.context
    this.tools = parts.tools
  }

  followUp(message: string, ownerText?: string): void {
    const given = parseFollowUp(message, ownerText)
    this.#assertUnderWay()
    const words = ownerTextOf(given.message, given.ownerText)
    if (words.origin === 'ignored') this.parts.emit({ kind: 'owner_text_ignored' })
    this.#followUps.push(words)
  }

  async complete(given: TurnResult): Promise<TurnOutcome> {
    const result = parseResult(given)
    this.#assertUnderWay()
    this.end() // before anything is waited for: a second call must find it ended
    const { store, turn, session, receipts } = this.parts
    if (result.status !== 'succeeded') return { status: 'not_admitted', reason: result.status }
    if (turn.isIsolated) return { status: 'not_admitted', reason: 'isolated' }
    // The provider holds what it was sent, whatever becomes of the admission.
    session?.commit(receipts.lines, receipts.profile)
    if (store.persistCompletedTurn === undefined) return { status: 'not_admitted', reason: 'read_only' }
    try {
      return await store.persistCompletedTurn(this.#completed(result))
    } catch (error) {
      return this.#degraded(error)
    }
  }

  end(): void {
    this.parts.life.end()
  }

  #completed(result: TurnResult): CompletedTurn {
    const { turn, ownerText, delivered } = this.parts
    return completedTurn({ turn, ownerText, followUps: this.#followUps, delivered: delivered.lines() }, result)
  }

  #degraded(error: unknown): TurnOutcome {
    const failure = { code: failureCode(error), outcome: outcomeOf(error) }
    this.parts.emit({ kind: 'memory_degraded', ...failure })
    return { status: 'degraded', ...failure }
  }

  #assertUnderWay(): void {
    if (!this.parts.life.isEnded) return
    throw new HostError('turn_ended', 'The turn had ended before this call. Nothing was done. Begin a new turn.', {
      outcome: 'not_written',
    })
  }
}
