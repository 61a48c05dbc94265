import type { Entry, Place } from './entry.js'
import { groupExchanges, turnOfExchange, type ExchangeIdentity, type SpokenMessage } from './exchange.js'

/** What one conversation becomes: a turn an exchange, and what is no completed turn, said. */
export function conversationEntries(
  messages: readonly SpokenMessage[],
  place: Place,
  identity: Omit<ExchangeIdentity, 'fallbackKey'> & { readonly fallbackKey: (exchange: number) => string },
  fallbackAt?: string,
): Entry[] {
  const { exchanges, isUnprompted, isUnanswered } = groupExchanges(messages)
  const entries: Entry[] = isUnprompted ? [{ kind: 'skipped', place, reason: 'unprompted' }] : []
  exchanges.forEach((exchange, index) => {
    const number = index + 1
    const turn = turnOfExchange(exchange, { ...identity, fallbackKey: identity.fallbackKey(number) }, fallbackAt)
    entries.push({ kind: 'turn', place: { ...place, exchange: number }, turn })
  })
  if (isUnanswered) {
    entries.push({ kind: 'skipped', place: { ...place, exchange: exchanges.length + 1 }, reason: 'unanswered' })
  }
  return entries
}
