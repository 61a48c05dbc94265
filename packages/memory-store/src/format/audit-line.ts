import { readField, writeField } from './bullet-fields.js'
import { isPlainText } from './field-checks.js'
import { isDay } from './instant.js'
import { readValues } from './metadata.js'
import { conversationOf, observationBulletId } from './observation-bullets.js'

/** The observation of one admitted turn, as the host handed it over (FMT-9). */
export interface AuditLine {
  /** SHA-256 of the run id, 64 lower-case hex digits. */
  readonly turnId: string
  /** UTC day of the turn, `YYYY-MM-DD`: the file it stands in. */
  readonly day: string
  /** One line as `normaliseObservation` makes it, of any length, not empty; credentials are out already. */
  readonly text: string
  /** Instant of admission, RFC 3339. */
  readonly createdAt: string
  /** Instant of the turn where it is another one, RFC 3339. */
  readonly occurredAt?: string
  /** Empty, over 512 bytes or not well-formed is unknown, as in a bullet (FMT-3). */
  readonly conversationId?: string
}

/** A line as it stands in an audit file. */
export interface ParsedAuditLine {
  /** See `auditLineId`. */
  readonly id: string
  readonly text: string
  readonly createdAt: string
  readonly occurredAt?: string
  readonly conversationId?: string
}

const OPENING = '<!--audit '
const CLOSING = '-->'
const AUDIT_ID = /^a-[0-9a-f]{32}$/

/** Id of the audit line of a turn: `a-` and the first 32 hex digits of its id. */
export function auditLineId(turnId: string): string {
  return observationBulletId(turnId, 1).replace(/^r-([0-9a-f]{32})-1$/, 'a-$1')
}

/**
 * The line, without line feed: `- `, the words, and a comment for the machine.
 * @throws {RangeError} a text that is not one normalised line, a day, id or instant that is none
 */
export function formatAuditLine(line: AuditLine): string {
  const { text, createdAt, occurredAt } = line
  if (!isPlainText(text)) throw new RangeError('An audit line takes one normalised line of text.')
  if (!isDay(line.day)) throw new RangeError('The day of an audit line is written YYYY-MM-DD.')
  const conversationId = line.conversationId === undefined ? undefined : conversationOf(line.conversationId)
  const tokens = [
    `id=${auditLineId(line.turnId)}`,
    `created=${writeField('createdAt', createdAt)}`,
    ...(occurredAt === undefined ? [] : [`occurred=${writeField('occurredAt', occurredAt)}`]),
    ...(conversationId === undefined ? [] : [`source_session=${writeField('conversationId', conversationId)}`]),
  ]
  return `- ${text} ${OPENING}${tokens.join(' ')}${CLOSING}`
}

/** The tokens of the comment. The last one of the line is ours: the words before it may hold something alike. */
function commentTokens(line: string): string[] | undefined {
  const start = line.lastIndexOf(OPENING)
  const end = start === -1 ? -1 : line.indexOf(CLOSING, start)
  return end === -1 ? undefined : line.slice(start + OPENING.length, end).split(' ')
}

/** The id that a line of an audit file carries, whatever a person made of the rest; undefined if none. */
export function auditIdIn(line: string): string | undefined {
  const id = readField(readValues(commentTokens(line) ?? []), 'id')
  return id !== undefined && AUDIT_ID.test(id) ? id : undefined
}

/** Reads one line of an audit file; undefined for what is no audit line. */
export function parseAuditLine(line: string): ParsedAuditLine | undefined {
  const values = readValues(commentTokens(line) ?? [])
  const text = line.startsWith('- ') ? line.slice(2, line.lastIndexOf(OPENING) - 1) : ''
  const [id, createdAt] = [auditIdIn(line), readField(values, 'createdAt')]
  if (id === undefined || createdAt === undefined || !line.endsWith(CLOSING) || !isPlainText(text)) return undefined
  const occurredAt = readField(values, 'occurredAt')
  const conversationId = readField(values, 'conversationId')
  return {
    ...{ id, text, createdAt },
    ...(occurredAt === undefined ? {} : { occurredAt }),
    ...(conversationId === undefined ? {} : { conversationId }),
  }
}
