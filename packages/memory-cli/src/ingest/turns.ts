import type { CompletedTurn } from '@mono-agent/memory-bujo'
import type { Entry } from './entry.js'
import { parseJsonObject } from './json-object.js'

/**
 * Format `turns`: every line is one completed turn, as `persistCompletedTurn` takes it. Admission checks its fields and
 * says `turn_invalid`: nobody else decides what a turn is.
 * @param defaultConversation  conversation of the lines that name none
 */
export function parseTurnLine(text: string, line: number, defaultConversation: string | undefined): Entry {
  const place = { line }
  const json = parseJsonObject(text)
  if (json.kind === 'bad') return { kind: 'bad', place, code: json.code }
  const named = defaultConversation === undefined ? {} : { conversationId: defaultConversation }
  return { kind: 'turn', place, turn: { ...named, ...json.value } as unknown as CompletedTurn }
}
