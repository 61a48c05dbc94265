import type { TurnContext, TurnSpeaker } from '../types.js'

/** A turn as the host gave it, checked once; what it left out is filled in with what counts as unverified. */
export interface KnownTurn extends TurnContext {
  readonly wake: NonNullable<TurnContext['wake']>
  readonly speaker: TurnSpeaker
  readonly isIsolated: boolean
}
