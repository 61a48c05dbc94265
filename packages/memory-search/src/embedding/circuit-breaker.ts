import { EmbeddingError } from './errors.js'

/** Failures, one after the other, that open the circuit (SEA-4). */
export const FAILURES_TO_OPEN = 3
/** How long no request is sent before one may try (SEA-4). */
export const OPEN_MS = 30_000

/** `trial`: the wait is over, and one request at a time may find out. */
export type CircuitState = 'closed' | 'open' | 'trial'

/** Leave to send one request; exactly one of the three is called, once. */
export interface Passage {
  /** The service did its work, or refused one text alone: it lives. */
  answered(): void
  failed(error: EmbeddingError): void
  /** The caller gave up: nothing is known about the service. */
  abandoned(): void
}

/**
 * Spares a service that is down, and its callers the waiting (SEA-4). What a request brings that set out before the state
 * last changed is not counted: it tells of a time that is over.
 */
export class CircuitBreaker {
  #failures = 0
  #openUntil: number | undefined
  #isTrying = false
  #epoch = 0
  #lastFailure: EmbeddingError | undefined

  /** @param monotonicNow milliseconds */
  constructor(private readonly monotonicNow: () => number) {}

  get state(): CircuitState {
    if (this.#openUntil === undefined) return 'closed'
    return this.monotonicNow() < this.#openUntil ? 'open' : 'trial'
  }

  /** @throws {EmbeddingError} `embedding_circuit_open`, whose cause is the last failure */
  enter(): Passage {
    const { state } = this
    if (state === 'open' || (state === 'trial' && this.#isTrying)) throw this.#openError()
    this.#isTrying = state === 'trial'
    const epoch = this.#epoch
    const current = (then: () => void) => () => {
      if (epoch === this.#epoch) then()
    }
    return {
      answered: current(() => this.#close()),
      failed: (error) => current(() => this.#fail(error))(),
      abandoned: current(() => {
        this.#isTrying = false
      }),
    }
  }

  #close(): void {
    this.#failures = 0
    if (this.#openUntil === undefined) return
    this.#openUntil = undefined
    this.#change()
  }

  #fail(error: EmbeddingError): void {
    this.#failures += 1
    this.#lastFailure = error
    if (this.#failures < FAILURES_TO_OPEN) return // those before a trial count on: it opens again at once
    this.#openUntil = this.monotonicNow() + OPEN_MS
    this.#change()
  }

  #change(): void {
    this.#epoch += 1
    this.#isTrying = false
  }

  #openError(): EmbeddingError {
    const last = this.#lastFailure
    return new EmbeddingError('embedding_circuit_open', {
      cause: last,
      ...(last === undefined ? {} : { detail: `last failure: ${last.code}` }),
      ...(last?.status === undefined ? {} : { status: last.status }),
    })
  }
}
