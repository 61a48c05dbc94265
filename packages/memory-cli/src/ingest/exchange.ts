import { createHash } from 'node:crypto'
import type { CompletedTurn } from '@mono-agent/memory-bujo'

/** A message that says something; system, tool and empty messages are left out before. */
export interface SpokenMessage {
  readonly role: 'user' | 'assistant'
  readonly text: string
  readonly id?: string
  readonly name?: string
  /** RFC 3339 with offset. */
  readonly at?: string
}

/** What was asked and what was answered: one completed turn. */
export interface Exchange {
  readonly asked: readonly SpokenMessage[]
  readonly answered: readonly SpokenMessage[]
}

export interface GroupedMessages {
  readonly exchanges: readonly Exchange[]
  /** The conversation opens with an answer that nobody asked for. */
  readonly isUnprompted: boolean
  /** It ends with a question that has no answer yet. */
  readonly isUnanswered: boolean
}

/** Groups the messages of one conversation: consecutive ones of one side belong together. */
export function groupExchanges(messages: readonly SpokenMessage[]): GroupedMessages {
  const exchanges: { asked: SpokenMessage[]; answered: SpokenMessage[] }[] = []
  for (const message of messages) {
    const last = exchanges.at(-1)
    if (message.role === 'assistant') last?.answered.push(message)
    else if (last !== undefined && last.answered.length === 0) last.asked.push(message)
    else exchanges.push({ asked: [message], answered: [] })
  }
  const isUnanswered = exchanges.at(-1)?.answered.length === 0
  return {
    exchanges: isUnanswered ? exchanges.slice(0, -1) : exchanges,
    isUnprompted: messages[0]?.role === 'assistant',
    isUnanswered,
  }
}

export interface ExchangeIdentity {
  readonly format: 'messages' | 'chatgpt'
  readonly conversationId: string
  /** Stable within the conversation when the message asked has no id of its own. */
  readonly fallbackKey: string
}

/**
 * The turn of an exchange. Equal input gives equal bytes for ever, so that ingesting again only finds duplicates:
 * changing anything here, except `finalAnswer`, turns every earlier import into conflicts.
 *
 * The run id is the SHA-256 of `[format, conversation id, id of the first message asked | fallback key]`: an answer
 * that was generated anew keeps its run id and is a conflict, never a second turn.
 */
export function turnOfExchange(exchange: Exchange, identity: ExchangeIdentity, fallbackAt?: string): CompletedTurn {
  const [first] = exchange.asked
  const key = first?.id === undefined ? ['key', identity.fallbackKey] : ['id', first.id]
  const at = [...exchange.asked, ...exchange.answered].find((message) => message.at !== undefined)?.at ?? fallbackAt
  const answer = joinTexts(exchange.answered)
  return {
    runId: sha256(JSON.stringify([identity.format, identity.conversationId, ...key])),
    conversationId: identity.conversationId,
    summary: `${first?.name ?? 'User'}: ${joinTexts(exchange.asked)}\n${exchange.answered[0]?.name ?? 'Assistant'}: ${answer}`,
    finalAnswer: answer,
    ...(at === undefined ? {} : { occurredAt: at }),
    ...(first?.name === undefined ? {} : { speaker: first.name }),
  }
}

function joinTexts(messages: readonly SpokenMessage[]): string {
  return messages.map((message) => message.text).join('\n')
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
