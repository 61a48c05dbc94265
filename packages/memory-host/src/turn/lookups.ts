import type { MemoryLookup } from '@mono-agent/memory-bujo'
import { normaliseQuery } from '../policy/question.js'
import type { OriginalUnavailable, TurnPort } from '../types.js'
import { lookAtStore, type LookOptions } from './look-at-store.js'
import { waitFor } from './wait-for.js'

/** Lookups that a turn keeps; of more, those made first are made again when they are asked for. */
export const MAX_LOOKUPS = 64

type Filters = Pick<LookOptions, 'kind' | 'about' | 'signal'>

/**
 * The looks at the store that one turn shares (REC-13): equal normalised queries with equal filters have one, finished or
 * under way. A failed one is not kept. The signal of a caller ends its waiting. The end of the turn ends all waiting, and
 * the work where the store heeds its signal.
 */
export class Lookups {
  readonly #kept = new Map<string, Promise<MemoryLookup>>()
  readonly #turnEnd = new AbortController()
  #changes = 0

  /** @param question  the turn's own, normalised; may be empty */
  constructor(
    private readonly store: TurnPort['store'],
    private readonly scopes: TurnPort['scopes'],
    private readonly question: string,
  ) {}

  async lookUp(query: string, { kind, about, signal }: Filters): Promise<MemoryLookup> {
    const filters = { ...(kind === undefined ? {} : { kind }), ...(about === undefined ? {} : { about }) }
    return this.#shared(normaliseQuery(query), filters, signal)
  }

  /** For automatic context: what is known to come from the conversation is told apart (REC-16). */
  async ofQuestion(conversationId: string, signal: AbortSignal | undefined): Promise<MemoryLookup> {
    return this.#shared(this.question, { apartFrom: conversationId }, signal)
  }

  /** The look made for the turn's question, or that would have been (REC-12). */
  async original(signal?: AbortSignal): Promise<MemoryLookup | OriginalUnavailable> {
    const unavailable = this.#unavailable()
    if (unavailable !== undefined) return unavailable
    const lookup = await this.#shared(this.question, {}, signal)
    return this.#unavailable() ?? lookup // a write while it was under way counts as one before it
  }

  /** A write changed the store: what was seen before is over. */
  changed(): void {
    this.#changes += 1
    this.#kept.clear()
  }

  /** How many writes there were. */
  changes(): number {
    return this.#changes
  }

  end(): void {
    this.#kept.clear()
    this.#turnEnd.abort()
  }

  #unavailable(): OriginalUnavailable | undefined {
    if (this.#turnEnd.signal.aborted) return 'ended'
    if (this.#changes > 0) return 'written'
    return this.question === '' ? 'empty' : undefined
  }

  async #shared(query: string, options: LookOptions, signal: AbortSignal | undefined): Promise<MemoryLookup> {
    signal?.throwIfAborted()
    const key = JSON.stringify([query, options.kind ?? null, options.about ?? null])
    const lookup = this.#kept.get(key) ?? this.#start(key, query, options)
    return waitFor(lookup, [this.#turnEnd.signal, ...(signal === undefined ? [] : [signal])])
  }

  #start(key: string, query: string, options: LookOptions): Promise<MemoryLookup> {
    const { signal } = this.#turnEnd
    const lookup = lookAtStore(this.store, query, { ...options, scopes: this.scopes, signal })
    this.#kept.set(key, lookup)
    lookup.catch(() => {
      if (this.#kept.get(key) === lookup) this.#kept.delete(key) // the next to ask tries again
    })
    this.#forgetOldest()
    return lookup
  }

  #forgetOldest(): void {
    for (const key of this.#kept.keys()) {
      if (this.#kept.size <= MAX_LOOKUPS) return
      if (key !== JSON.stringify([this.question, null, null])) this.#kept.delete(key)
    }
  }
}
