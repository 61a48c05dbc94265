import { z } from 'zod'
import { conversationEntries } from './conversation-entries.js'
import type { BadEntry, Entry } from './entry.js'
import type { SpokenMessage } from './exchange.js'
import { parseInstant, type Instant } from './instant.js'

const message = z.looseObject({
  author: z.looseObject({ role: z.string() }),
  create_time: z.unknown().optional(),
  content: z.looseObject({ content_type: z.string(), parts: z.array(z.unknown()).optional() }),
  recipient: z.string().nullish(),
  metadata: z.looseObject({ is_visually_hidden_from_conversation: z.boolean().optional() }).nullish(),
})

const transcript = z.looseObject({ content_type: z.literal('audio_transcription'), text: z.string() })

const node = z.looseObject({ message: z.unknown().optional(), parent: z.string().nullish() })

const conversation = z.looseObject({
  conversation_id: z.string().min(1).optional(),
  id: z.string().min(1).optional(),
  create_time: z.unknown().optional(),
  current_node: z.string(),
  mapping: z.record(z.string(), z.unknown()),
})

/** Only these hold what a person reads; code, tool output, browsing and the like are not conversation. */
const SPOKEN_CONTENT = ['text', 'multimodal_text']

/**
 * Format `chatgpt`: one conversation of `conversations.json`. The path from `current_node` up to the root is what
 * its reader saw last; branches beside it (edited questions, other answers) are left out.
 * @param number  place in the file, from 1
 */
export function parseChatGptConversation(value: unknown, number: number): readonly Entry[] {
  const bad = (code: BadEntry['code'], field?: string): readonly Entry[] => [
    { kind: 'bad', place: { conversation: number }, code, ...(field === undefined ? {} : { field }) },
  ]
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return bad('not_an_object')
  const parsed = conversation.safeParse(value)
  if (!parsed.success) return bad('field_invalid', String(parsed.error.issues[0]?.path[0] ?? ''))
  const conversationId = parsed.data.conversation_id ?? parsed.data.id
  if (conversationId === undefined) return bad('field_invalid', 'conversation_id')
  const path = pathFromRoot(parsed.data.mapping, parsed.data.current_node)
  if (path === undefined) return bad('tree_broken')

  const startedAt = parseInstant(parsed.data.create_time)
  const times: Instant[] = [startedAt]
  const spoken: SpokenMessage[] = []
  for (const { id, content } of path) {
    if (content === undefined || content === null) continue
    const one = message.safeParse(content)
    if (!one.success) return bad('message_invalid')
    const at = parseInstant(one.data.create_time)
    times.push(at)
    const said = spokenMessage(one.data, id, at.kind === 'instant' ? at.at : undefined)
    if (said !== undefined) spoken.push(said)
  }
  if (times.some((time) => time.kind === 'invalid')) return bad('time_invalid')
  return conversationEntries(
    spoken,
    { conversation: number },
    { format: 'chatgpt', conversationId, fallbackKey: String },
    startedAt.kind === 'instant' ? startedAt.at : undefined,
  )
}

/** The messages from the root down to `currentNode`; undefined where the tree is broken: a missing parent, or a circle. */
function pathFromRoot(
  mapping: Readonly<Record<string, unknown>>,
  currentNode: string,
): readonly { readonly id: string; readonly content: unknown }[] | undefined {
  const path: { id: string; content: unknown }[] = []
  const seen = new Set<string>()
  let id: string | null | undefined = currentNode
  while (id !== null && id !== undefined) {
    const parsed = node.safeParse(Object.hasOwn(mapping, id) ? mapping[id] : undefined)
    if (!parsed.success || seen.has(id)) return undefined
    seen.add(id)
    path.push({ id, content: parsed.data.message })
    id = parsed.data.parent
  }
  return path.reverse()
}

function spokenMessage(
  parsed: z.output<typeof message>,
  id: string,
  at: string | undefined,
): SpokenMessage | undefined {
  const { role } = parsed.author
  if (role !== 'user' && role !== 'assistant') return undefined
  // An assistant message to another recipient is a tool call; hidden ones were never shown to the reader.
  if ((parsed.recipient ?? 'all') !== 'all' || parsed.metadata?.is_visually_hidden_from_conversation === true) {
    return undefined
  }
  if (!SPOKEN_CONTENT.includes(parsed.content.content_type)) return undefined
  const text = (parsed.content.parts ?? [])
    .map(textOfPart)
    .filter((part) => part !== undefined)
    .join('\n')
    .trim()
  return text === '' ? undefined : { role, text, id, ...(at === undefined ? {} : { at }) }
}

/** What a person reads of a part: its text, or the transcript of what was spoken; images and sound have none. */
function textOfPart(part: unknown): string | undefined {
  if (typeof part === 'string') return part
  const spoken = transcript.safeParse(part)
  return spoken.success ? spoken.data.text : undefined
}
