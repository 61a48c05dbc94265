import type { CompletedTurn } from '@mono-agent/memory-bujo'
import { z } from 'zod'
import type { Entry } from './entry.js'
import { parseJsonObject } from './json-object.js'

const toolOutcome = z.strictObject({ category: z.string(), outcome: z.enum(['succeeded', 'failed']) })

/** The shape of a completed turn; its limits belong to the intake, which says `turn_invalid`. */
const turnLine = z.strictObject({
  runId: z.string(),
  conversationId: z.string().optional(),
  summary: z.string(),
  captureText: z.string().optional(),
  captureSpeakerKind: z.enum(['human-turn', 'trigger', 'unknown']).optional(),
  captureEvidence: z
    .strictObject({
      userText: z.string().optional(),
      ownerTurn: z.boolean().optional(),
      senderToken: z.string().optional(),
      toolOutcomes: z.array(toolOutcome).optional(),
    })
    .optional(),
  source: z
    .strictObject({ kind: z.enum(['conversation', 'cron', 'webhook', 'peer']), label: z.string().optional() })
    .optional(),
  occurredAt: z.string().optional(),
  timeZone: z.string().optional(),
  speaker: z.string().optional(),
  finalAnswer: z.string().optional(),
})

/**
 * Format `turns`: every line is one completed turn, as `persistCompletedTurn` takes it.
 * @param defaultConversation  conversation of the lines that name none
 */
export function parseTurnLine(text: string, line: number, defaultConversation: string | undefined): readonly Entry[] {
  const place = { line }
  const json = parseJsonObject(text)
  if (json.kind === 'bad') return [{ kind: 'bad', place, code: json.code }]
  const parsed = turnLine.safeParse(json.value)
  if (!parsed.success) {
    const field = parsed.error.issues[0]?.path.filter((part) => typeof part === 'string').join('.')
    return [{ kind: 'bad', place, code: 'field_invalid', ...(field ? { field } : {}) }]
  }
  const conversationId = parsed.data.conversationId ?? defaultConversation
  if (conversationId === undefined) return [{ kind: 'bad', place, code: 'field_invalid', field: 'conversationId' }]
  // Absent keys stay absent: zod adds none, so the payload is what the line says and nothing else.
  return [{ kind: 'turn', place, turn: { ...parsed.data, conversationId } as CompletedTurn }]
}
