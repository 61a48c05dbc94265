import type { z } from 'zod'

/** What was given at a path of the block; undefined where nothing was. */
function given(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined,
    input,
  )
}

const oneOf = (values: readonly unknown[]): string => values.map((value) => JSON.stringify(value)).join(', ')

/** The rule and the mend; the value itself is never repeated, for it may be a key. */
function ruleOf(issue: z.core.$ZodIssue, input: unknown): string {
  const isMissing = given(input, issue.path) === undefined
  if (issue.code === 'invalid_value') {
    return isMissing
      ? `is required. Add it: one of ${oneOf(issue.values)}`
      : `has a value that is not allowed. Choose one of ${oneOf(issue.values)}`
  }
  if (issue.code === 'invalid_type') {
    return isMissing ? `is required. Add it (${issue.expected})` : `has another type. Make it of type ${issue.expected}`
  }
  return issue.message
}

/** One line a key: where, the rule, the mend (CFG-1). @param input  the block as it was given */
export function violationLines(issue: z.core.$ZodIssue, input: unknown): string[] {
  const line = (path: readonly PropertyKey[], rule: string) => `  ${['memory', ...path].map(String).join('.')}: ${rule}`
  if (issue.code !== 'unrecognized_keys') return [line(issue.path, ruleOf(issue, input))]
  return issue.keys.map((key) => line([...issue.path, key], 'is no key of this block. Mend its spelling, or remove it'))
}
