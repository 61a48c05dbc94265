import type { z } from 'zod'
import type { AnswerPath, ContractReason } from './contract-error.js'

export interface Fault {
  readonly reason: ContractReason
  readonly path: AnswerPath
}

/** The first thing that the schema found wrong, as a reason of the contract. Issues of zod quote the answer; this does not. */
export function firstFault(error: z.ZodError, answer: unknown): Fault {
  const issue = error.issues[0]
  if (issue === undefined) throw new Error('The schema refused an answer without an issue.')
  const path = issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part))
  return { reason: reasonOf(issue, valueAt(answer, path)), path }
}

function reasonOf(issue: z.core.$ZodIssue, value: unknown): ContractReason {
  if (issue.code === 'custom') {
    const reason = issue.params?.['reason'] as ContractReason | undefined
    if (reason === undefined) throw new Error('A rule of the schema carries no reason.')
    return reason
  }
  if (issue.code === 'unrecognized_keys') return 'unknown_field'
  if (value === undefined) return 'missing_field'
  if (issue.code === 'invalid_type') return 'wrong_type'
  if (issue.code === 'too_big') return issue.origin === 'array' ? 'too_many' : 'out_of_range'
  if (issue.code === 'too_small') return issue.origin === 'array' ? 'too_few' : 'out_of_range'
  // What is left are closed lists: `invalid_value` of an enum, `invalid_union` of a discriminator.
  return typeof value === 'string' ? 'unknown_value' : 'wrong_type'
}

/** JSON holds no undefined, so what is undefined is not there. */
function valueAt(value: unknown, path: AnswerPath): unknown {
  return path.reduce<unknown>(
    (found, part) =>
      typeof found === 'object' && found !== null && Object.hasOwn(found, part)
        ? (found as Record<string | number, unknown>)[part]
        : undefined,
    value,
  )
}
