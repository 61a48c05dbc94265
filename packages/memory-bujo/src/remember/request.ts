import type { RememberRequest } from '@mono-agent/memory-store'
import type { IndexIdentity } from '@mono-agent/memory-search'
import { z } from 'zod'
import { BujoError } from '../errors.js'

/** What a Remember says beyond its words (REC-27). */
export interface RememberDetail {
  /** Id or whole name of a person, as it was given. */
  readonly about?: string
  /** Id of the memory to replace, as it was given. */
  readonly supersedes?: string
  /** A later Remember may replace it though it is neither linked to a person nor replaces anything. */
  readonly isReplaceable: boolean
}

export interface ParsedRequest {
  readonly text: string
  readonly conversationId?: string
  /** Absent: text only. */
  readonly detail?: RememberDetail
}

const requestSchema = z.strictObject({
  text: z.string(),
  conversationId: z.string().optional(),
  about: z.string().optional(),
  supersedes: z.string().optional(),
  replaceable: z.boolean().optional(),
})

/** An unknown field is named by at most this many characters. */
const MAX_NAMED_FIELD = 64

/**
 * Checks the form of a request, once. An unknown field is a mistake, not to be passed over: `superseeds` would leave standing
 * what was to go. `replaceable: false` asks for nothing.
 * @throws {TypeError} naming the first field that is wrong
 * @throws {BujoError} `unsupported_in_tier`, naming the field: lite and journal take words alone
 */
export function parseRequest(request: RememberRequest, tier: IndexIdentity['tier']): ParsedRequest {
  const parsed = requestSchema.safeParse(request)
  if (!parsed.success) throw new TypeError(`${describe(parsed.error.issues[0])}. Nothing was written.`)
  const { text, conversationId, about, supersedes, replaceable } = parsed.data
  for (const [field, value] of Object.entries({ about, supersedes, replaceable })) {
    if (value === undefined || tier === 'bujo') continue
    throw new BujoError(
      'unsupported_in_tier',
      `${field} belongs to bujo; this store is ${tier}. Nothing was written. Send the text alone.`,
    )
  }
  const isPlain = about === undefined && supersedes === undefined && replaceable !== true
  return {
    text,
    ...(conversationId === undefined ? {} : { conversationId }),
    ...(isPlain
      ? {}
      : {
          detail: {
            ...(about === undefined ? {} : { about }),
            ...(supersedes === undefined ? {} : { supersedes }),
            isReplaceable: replaceable === true,
          },
        }),
  }
}

/** Names the field and what it must be; values stay out of messages. */
function describe(issue: z.core.$ZodIssue | undefined): string {
  if (issue?.code === 'unrecognized_keys') {
    return `${JSON.stringify((issue.keys[0] ?? '').slice(0, MAX_NAMED_FIELD))} is no field of a Remember`
  }
  const field = issue?.path.map(String).join('.') ?? ''
  if (issue?.code === 'invalid_type')
    return `${field === '' ? 'A Remember' : field} must be a ${kindOf(issue.expected)}`
  return `A Remember cannot be read`
}

const kindOf = (expected: string): string => (expected === 'object' ? 'plain object' : expected)
