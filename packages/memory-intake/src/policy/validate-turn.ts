import { isWellFormed, parseInstant, type CompletedTurn } from '@mono-agent/memory-store'
import { z } from 'zod'
import { IntakeError } from '../errors.js'

/** UTF-8 bytes of a run id. */
export const MAX_RUN_ID_BYTES = 512
/** An unknown field is named by at most this many characters. */
const MAX_NAMED_FIELD = 64

const wellFormed = z.string().refine(isWellFormed, 'must be well-formed UTF-16')

const turnSchema = z.strictObject({
  runId: wellFormed.refine((text) => {
    const bytes = Buffer.byteLength(text)
    return bytes >= 1 && bytes <= MAX_RUN_ID_BYTES
  }, `must have 1 to ${MAX_RUN_ID_BYTES} UTF-8 bytes`),
  conversationId: wellFormed,
  summary: z.string(),
  captureText: z.string().optional(),
  captureSpeakerKind: z.enum(['human-turn', 'trigger', 'unknown']).optional(),
  captureEvidence: z
    .strictObject({
      userText: z.string().optional(),
      ownerTurn: z.boolean().optional(),
      senderToken: z.string().optional(),
      toolOutcomes: z
        .array(z.strictObject({ category: z.string(), outcome: z.enum(['succeeded', 'failed']) }))
        .optional(),
    })
    .optional(),
  source: z
    .strictObject({
      kind: z.enum(['conversation', 'cron', 'webhook', 'peer']),
      label: z.string().optional(),
    })
    .optional(),
  occurredAt: z
    .string()
    .refine((text) => parseInstant(text) !== undefined, 'must be an RFC 3339 instant with an offset')
    .optional(),
  timeZone: z.string().refine(isTimeZone, 'must be an IANA time zone').optional(),
  speaker: z.string().optional(),
  finalAnswer: z.string().optional(),
})

/** Making a formatter takes 50 µs, and hosts send the same few zones over and over. */
const knownZones = new Set<string>()
const MAX_KNOWN_ZONES = 1_024

function isTimeZone(zone: string): boolean {
  if (knownZones.has(zone)) return true
  if (!/^[A-Za-z]/.test(zone)) return false // later versions of Intl take offsets too; those are no zones
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
  if (knownZones.size < MAX_KNOWN_ZONES) knownZones.add(zone)
  return true
}

/** Names the field and what it must be; values stay out of messages. */
function describe(issue: z.core.$ZodIssue): string {
  const path = issue.path.map(String)
  switch (issue.code) {
    case 'unrecognized_keys': {
      const field = [...path, (issue.keys[0] ?? '').slice(0, MAX_NAMED_FIELD)].join('.')
      return `${JSON.stringify(field)} is no field of a turn`
    }
    case 'invalid_type':
      return path.length === 0
        ? 'the turn must be an object'
        : `${path.join('.')} must be ${/^[aeiou]/.test(issue.expected) ? 'an' : 'a'} ${issue.expected}`
    case 'invalid_value':
      return `${path.join('.')} must be one of ${issue.values.map(String).join(', ')}`
    default:
      return `${path.join('.')} ${issue.message}`
  }
}

/** `undefined` is as good as absent, at every level. */
function withoutUndefined<T>(value: T): T {
  if (Array.isArray(value)) return value.map(withoutUndefined) as T
  if (typeof value !== 'object' || value === null) return value
  const defined = Object.entries(value).filter(([, field]) => field !== undefined)
  return Object.fromEntries(defined.map(([key, field]) => [key, withoutUndefined(field)])) as T
}

/**
 * Checks a turn as a host hands it over, once: types, bounds, well-formed ids, RFC 3339, IANA zone, no unknown field.
 * @returns a copy without `undefined` properties; nothing else is changed and no default filled in
 * @throws {IntakeError} turn_invalid, naming the first field that is wrong
 */
export function validateTurn(turn: unknown): CompletedTurn {
  const parsed = turnSchema.safeParse(turn)
  if (parsed.success) return withoutUndefined(parsed.data) as CompletedTurn
  const [issue] = parsed.error.issues
  throw new IntakeError(
    'turn_invalid',
    `The turn is invalid: ${issue === undefined ? 'it cannot be read' : describe(issue)}. Nothing was written. Mend it and send it again.`,
    { outcome: 'not_written' },
  )
}
