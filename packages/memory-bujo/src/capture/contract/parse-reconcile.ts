import { z } from 'zod'
import type { ReconcileDecision } from '../types.js'
import { MAX_MEMORIES } from './bounds.js'
import { contractError } from './contract-error.js'
import { checkDecisions } from './decisions.js'
import { isSameScript } from './dominant-script.js'
import { place, sentence } from './fields.js'
import { readAnswer } from './read-answer.js'

/** What the reconcile call is asked about, as far as the answer refers to it. A `ReconcileEntry` is one. */
export interface OfferedEntry {
  /** The new memory; its quote is the evidence of whatever words take its place. */
  readonly memory: { readonly quote: string }
  readonly candidates: readonly { readonly alias: string }[]
}

const target = z.string().describe('An alias that is offered for this memory.')

export const reconcileContract = z.strictObject({
  decisions: z
    .array(
      z.discriminatedUnion('action', [
        z.strictObject({ index: place, action: z.literal('ADD') }),
        z.strictObject({ index: place, action: z.literal('NOOP'), target }),
        z.strictObject({ index: place, action: z.enum(['UPDATE', 'SUPERSEDE']), target, text: sentence }),
      ]),
    )
    .max(MAX_MEMORIES)
    .describe('One for each new memory, in their order.'),
})

/**
 * Reads the answer of the reconcile call: one decision an entry, which its place from 0 names, in order, with targets that were offered for it, each
 * the target of one decision only (CAP-15), and replacement texts in the script of the evidence (CAP-29).
 * @param language  `speaker`, or a fixed one, with which scripts are not compared
 * @throws {ContractError}
 */
export function parseReconcile(
  completion: string,
  entries: readonly OfferedEntry[],
  language: string,
): ReconcileDecision[] {
  const { decisions } = readAnswer('reconcile', completion, reconcileContract)
  checkDecisions(
    'reconcile',
    decisions,
    entries.map((_, place) => place),
  )
  const taken = new Set<string>()
  for (const [at, decision] of decisions.entries()) {
    if (decision.action === 'ADD') continue
    const path = ['decisions', at, 'target']
    if (!entries[at]?.candidates.some(({ alias }) => alias === decision.target))
      throw contractError('reconcile', 'target_not_offered', path)
    if (taken.has(decision.target)) throw contractError('reconcile', 'target_repeated', path)
    if (language === 'speaker' && 'text' in decision && !isSameScript(decision.text, entries[at].memory.quote))
      throw contractError('reconcile', 'language_mismatch', ['decisions', at, 'text'])
    taken.add(decision.target)
  }
  return decisions
}
