import { z } from 'zod'
import { conversationEntries } from './conversation-entries.js'
import type { Entry } from './entry.js'
import type { SpokenMessage } from './exchange.js'
import { parseInstant } from './instant.js'
import { parseJsonObject } from './json-object.js'

/** Fields that may hold the time of a message, or of the whole line; the first one that is there counts. */
export const TIME_FIELDS = ['created_at', 'create_time', 'timestamp'] as const
/** Fields that may hold the id of the conversation; the first one that is there counts. */
export const CONVERSATION_FIELDS = ['conversation_id', 'conversationId', 'id'] as const

const TEXT_PARTS = ['text', 'input_text', 'output_text']

const message = z.looseObject({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool', 'function']),
  content: z.union([z.string(), z.array(z.union([z.string(), z.looseObject({})])), z.null()]).optional(),
  id: z.string().min(1).optional(),
  name: z.string().min(1).optional(),
})

type ParsedMessage = z.output<typeof message>

export interface MessagesOptions {
  /** Conversation of the lines that name none; their exchanges are told apart by line. */
  readonly defaultConversation: string
}

/**
 * Format `messages`: every line is one conversation, `{"messages": [{"role", "content"}, …]}`. Each user → assistant
 * exchange becomes a turn; system and tool messages and parts that are no text are left out.
 */
export function parseMessagesLine(text: string, line: number, options: MessagesOptions): readonly Entry[] {
  const place = { line }
  const json = parseJsonObject(text)
  if (json.kind === 'bad') return [{ kind: 'bad', place, code: json.code }]
  const { messages } = json.value
  if (!Array.isArray(messages)) return [{ kind: 'bad', place, code: 'field_invalid', field: 'messages' }]
  const ownConversation = firstField(json.value, CONVERSATION_FIELDS)
  if (ownConversation !== undefined && (typeof ownConversation !== 'string' || ownConversation === '')) {
    return [{ kind: 'bad', place, code: 'field_invalid', field: 'conversation_id' }]
  }
  const spoken: SpokenMessage[] = []
  for (const candidate of messages) {
    const parsed = message.safeParse(candidate)
    if (!parsed.success) return [{ kind: 'bad', place, code: 'message_invalid' }]
    const at = parseInstant(firstField(parsed.data, TIME_FIELDS))
    if (at.kind === 'invalid') return [{ kind: 'bad', place, code: 'time_invalid' }]
    const one = spokenMessage(parsed.data, at.kind === 'instant' ? at.at : undefined)
    if (one !== undefined) spoken.push(one)
  }
  const lineAt = parseInstant(firstField(json.value, TIME_FIELDS))
  if (lineAt.kind === 'invalid') return [{ kind: 'bad', place, code: 'time_invalid' }]
  const identity = {
    format: 'messages' as const,
    conversationId: ownConversation ?? options.defaultConversation,
    // A conversation that has a name keeps its run ids when lines move; one without is known by its line.
    fallbackKey: (exchange: number) => (ownConversation === undefined ? `${line}:${exchange}` : String(exchange)),
  }
  return conversationEntries(spoken, place, identity, lineAt.kind === 'instant' ? lineAt.at : undefined)
}

function spokenMessage(parsed: ParsedMessage, at: string | undefined): SpokenMessage | undefined {
  if (parsed.role !== 'user' && parsed.role !== 'assistant') return undefined
  const text = textOf(parsed.content).trim()
  if (text === '') return undefined
  return {
    role: parsed.role,
    text,
    ...(parsed.id === undefined ? {} : { id: parsed.id }),
    ...(parsed.name === undefined ? {} : { name: parsed.name }),
    ...(at === undefined ? {} : { at }),
  }
}

function textOf(content: ParsedMessage['content']): string {
  if (content === undefined || content === null) return ''
  if (typeof content === 'string') return content
  return content
    .map((part) => {
      if (typeof part === 'string') return part
      const { type, text } = part
      return typeof text === 'string' && typeof type === 'string' && TEXT_PARTS.includes(type) ? text : ''
    })
    .filter((text) => text !== '')
    .join('\n')
}

function firstField(value: Readonly<Record<string, unknown>>, names: readonly string[]): unknown {
  for (const name of names) if (value[name] !== undefined && value[name] !== null) return value[name]
  return undefined
}
