import type { BoundSource } from './attribution.js'

/** Least salience of what the assistant alone says (CAP-11). */
export const ASSISTANT_FLOOR = 0.5

/**
 * Whether a memory is too slight for its source. User, tool and document lines have no floor, nor have lines of a plan
 * that was retained without sources, whose attribution is unknown.
 */
export function isBelowFloor(salience: number, { source, attribution }: BoundSource): boolean {
  return source === 'assistant' && attribution !== 'unknown' && salience < ASSISTANT_FLOOR
}
