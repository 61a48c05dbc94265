import { parseInstant, parseLabelValue } from '@mono-agent/memory-bujo'
import { z } from 'zod'
import type { KnownTurn } from '../policy/known-turn.js'
import type { TurnResult } from '../types.js'

const names = z.array(z.string())

const turnSchema = z.strictObject({
  conversationId: z.string().min(1).refine(isWellFormed, 'must be well-formed UTF-16'),
  message: z.string(),
  ownerText: z.string().optional(),
  attachmentText: z.string().optional(),
  source: z
    .strictObject({ kind: z.enum(['conversation', 'cron', 'webhook', 'peer']), label: z.string().optional() })
    .optional(),
  wake: z.enum(['message', 'process_completion', 'continuation']).default('message'),
  speaker: z
    .strictObject({
      kind: z.enum(['owner', 'user', 'unknown']),
      token: z.string().min(1).optional(),
      name: z.string().optional(),
    })
    .default({ kind: 'unknown' }),
  project: z.string().refine(isProjectSlug, 'must be a slug such as mono-agent').optional(),
  session: z.strictObject({ id: z.string().min(1), state: z.enum(['cold', 'retained']) }).optional(),
  isIsolated: z.boolean().default(false),
  timeZone: z.string().refine(isTimeZone, 'must be an IANA time zone').optional(),
  occurredAt: z
    .string()
    .refine((text) => parseInstant(text) !== undefined, 'must be an RFC 3339 instant with an offset')
    .optional(),
  tools: z.strictObject({ allow: names.optional(), deny: names.optional() }).optional(),
  handOff: z.strictObject({ runHistory: z.string().min(1).optional(), activeChat: z.boolean().optional() }).optional(),
  signal: z.instanceof(AbortSignal).optional(),
})

const followUpSchema = turnSchema.pick({ message: true, ownerText: true })

const resultSchema = z.strictObject({
  runId: z.string(),
  status: z.enum(['succeeded', 'failed', 'cancelled', 'interrupted']),
  summary: z.string(),
  finalAnswer: z.string().optional(),
  captureText: z.string().optional(),
  toolOutcomes: z.array(z.strictObject({ category: z.string(), outcome: z.enum(['succeeded', 'failed']) })).optional(),
})

/** @throws {TypeError} naming every field that is wrong, and none of the values */
export function parseTurn(turn: unknown): KnownTurn {
  return parsed(turnSchema, turn, 'turn') as KnownTurn
}

/** @throws {TypeError} */
export function parseFollowUp(message: unknown, ownerText: unknown): { message: string; ownerText?: string } {
  return parsed(followUpSchema, { message, ownerText }, 'follow-up') as { message: string; ownerText?: string }
}

/** @throws {TypeError} */
export function parseResult(result: unknown): TurnResult {
  return parsed(resultSchema, result, 'result of a turn') as TurnResult
}

/** `undefined` is as good as absent. */
function parsed<Schema extends z.ZodObject>(schema: Schema, value: unknown, what: string): object {
  const outcome = schema.safeParse(value)
  if (outcome.success) {
    return Object.fromEntries(Object.entries(outcome.data).filter(([, field]) => field !== undefined))
  }
  const faults = outcome.error.issues.map(({ path, message }) => [...path.map(String), message].join(': '))
  throw new TypeError(`This is no ${what}: ${faults.join('; ')}. Nothing was done.`)
}

function isWellFormed(text: string): boolean {
  return text.isWellFormed()
}

/** As a label's scope takes it (FMT-6). */
function isProjectSlug(slug: string): boolean {
  const scope = `project:${slug}`
  return parseLabelValue({ v: 1, kind: 'lesson', scope, verified: false }) !== undefined
}

function isTimeZone(zone: string): boolean {
  if (!/^[A-Za-z]/.test(zone)) return false // later versions of Intl take offsets too; those are no zones
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
    return true
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}
