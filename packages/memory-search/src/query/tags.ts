import { sha256Hex } from '@mono-agent/memory-store'
import { nameWords } from './analyzer.js'
import { internalToken } from './match-expression.js'
import type { TimeMention } from './time-mention.js'

const pad = (value: number): string => String(value).padStart(2, '0')

/** Ids of conversations are free text; a hash makes each one token. */
export const conversationTag = (conversationId: string): string =>
  internalToken('c', sha256Hex(conversationId).slice(0, 32))

export const authorTag = (word: string): string => internalToken('a', word)

/** A day as it can be asked for: with its year, within any year, its month either way, its year. @param day `YYYY-MM-DD` */
function dayTags(day: string): string[] {
  return [`d${day}`, `e${day.slice(5)}`, `m${day.slice(0, 7)}`, `n${day.slice(5, 7)}`, `y${day.slice(0, 4)}`].map(
    (tag) => internalToken('t', tag),
  )
}

/** The tag that records of the time a query names carry. */
export function timeTag({ year, month, day }: TimeMention): string {
  const digits = year === undefined ? '' : String(year).padStart(4, '0')
  if (month === undefined) return internalToken('t', `y${digits}`)
  if (day === undefined) return internalToken('t', year === undefined ? `n${pad(month)}` : `m${digits}-${pad(month)}`)
  const rest = `${pad(month)}-${pad(day)}`
  return internalToken('t', year === undefined ? `e${rest}` : `d${digits}-${rest}`)
}

export interface TaggedMemory {
  readonly speaker?: string | undefined
  readonly conversationId?: string | undefined
  /** RFC 3339, UTC. */
  readonly occurredAt?: string | undefined
  readonly createdAt: string
}

/** The day that counts for a memory: of what it tells about, else of its recording; UTC, `YYYY-MM-DD`. */
export const dayOfMemory = ({ occurredAt, createdAt }: Pick<TaggedMemory, 'occurredAt' | 'createdAt'>): string =>
  (occurredAt ?? createdAt).slice(0, 10)

/**
 * What a record can be filtered by inside the full-text index: tokens that no text contains. In the index itself, because
 * a filter has to act before the best are chosen (SEA-7), and there it costs least.
 */
export function memoryTags(memory: TaggedMemory): string[] {
  return [
    ...(memory.conversationId === undefined ? [] : [conversationTag(memory.conversationId)]),
    ...(memory.speaker === undefined ? [] : nameWords(memory.speaker).map(authorTag)),
    ...dayTags(dayOfMemory(memory)),
  ]
}
