import { z } from 'zod'
import type { ReviewDecision } from '../types.js'
import { MAX_MEMORIES } from './bounds.js'
import { contractError } from './contract-error.js'
import { checkDecisions } from './decisions.js'
import { place } from './fields.js'
import { readAnswer } from './read-answer.js'

/** A memory that the review call is asked about. */
export interface ReviewLine {
  /** Its place in the extraction; the decision carries it. */
  readonly index: number
  /** As the host bounded it: what the model may decide hangs on it. */
  readonly source: 'user' | 'assistant'
  readonly text: string
  readonly quote: string
}

type ReviewAction = ReviewDecision['action']

/** What may be decided of a line (CAP-12). */
export const REVIEW_ACTIONS: Readonly<Record<ReviewLine['source'], readonly ReviewAction[]>> = {
  assistant: ['keep', 'drop'],
  user: ['keep', 'preference'],
}

export const reviewContract = z.strictObject({
  decisions: z
    .array(z.strictObject({ index: place, action: z.enum(['keep', 'drop', 'preference']) }))
    .max(MAX_MEMORIES)
    .describe('One for each line, in the order of the lines.'),
})

/**
 * Reads the answer of the review call: one decision a line, in order, of those its source allows (CAP-12).
 * @throws {ContractError}
 */
export function parseReview(
  completion: string,
  lines: readonly Pick<ReviewLine, 'index' | 'source'>[],
): ReviewDecision[] {
  const { decisions } = readAnswer('review', completion, reviewContract)
  checkDecisions(
    'review',
    decisions,
    lines.map(({ index }) => index),
  )
  const at = lines.findIndex(
    ({ source }, place) => !REVIEW_ACTIONS[source].includes(decisions[place]?.action as ReviewAction),
  )
  if (at >= 0) throw contractError('review', 'action_not_allowed', ['decisions', at, 'action'])
  return decisions
}
