import { RequestError } from '../exchange.js'

/** The messages of a chat request; content that comes in parts is joined, as all services take it. */
export function chatMessages(body: Readonly<Record<string, unknown>>): { role: string; content: string }[] {
  const { messages } = body
  if (!Array.isArray(messages)) throw new RequestError(400, 'messages is required')
  return messages.map((message: { role?: unknown; content?: unknown } | null) => {
    const content = Array.isArray(message?.content)
      ? message.content.map((part: { text?: string }) => part.text ?? '').join('')
      : message?.content
    if (typeof message?.role !== 'string' || typeof content !== 'string') {
      throw new RequestError(400, 'a message has a role and content')
    }
    return { role: message.role, content }
  })
}

/** A streamed answer comes in pieces of this many code points. */
const PIECE_CODE_POINTS = 16

export function piecesOf(content: string): string[] {
  const codePoints = Array.from(content)
  const count = Math.ceil(codePoints.length / PIECE_CODE_POINTS)
  return Array.from({ length: count }, (_, index) =>
    codePoints.slice(index * PIECE_CODE_POINTS, (index + 1) * PIECE_CODE_POINTS).join(''),
  )
}

/** Tokens as services bill them, near enough for a field that nobody computes with. */
export const roughTokens = (text: string) => Math.ceil(text.length / 4)
