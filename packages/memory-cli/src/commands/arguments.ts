import { parseInstant } from '@mono-agent/memory-bujo'
import { InvalidArgumentError } from 'commander'

/** Most memories one answer holds (REC-1). */
export const MAX_LIMIT = 50

/** A path of the user. An empty one, as a script with an unset variable has it, would mean the current folder. */
export function parsePath(text: string): string {
  if (text !== '') return text
  throw new InvalidArgumentError('It must not be empty.')
}

export function parseLimit(text: string): number {
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN
  if (limit >= 1 && limit <= MAX_LIMIT) return limit
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${MAX_LIMIT}.`)
}

/** A day of the Gregorian calendar, `YYYY-MM-DD`. */
export function parseDay(text: string): string {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : new Date(Number.NaN)
  // A day past the end of its month would silently become one of the next.
  if (!Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)) return text
  throw new InvalidArgumentError('It must be a real day, written YYYY-MM-DD.')
}

/** An instant that a search looks back to (REC-9), as it was written. */
export function parseInstantText(text: string): string {
  if (parseInstant(text) !== undefined) return text
  throw new InvalidArgumentError('It must be RFC 3339 with an offset, as 2026-05-01T09:00:00Z.')
}

/** Of an entity: an id or a name. */
export function parseName(text: string): string {
  if (text.trim() !== '') return text
  throw new InvalidArgumentError('It must not be empty.')
}

/** The id of an admitted turn, as `inspect` shows it. */
export function parseTurnId(text: string): string {
  if (/^[0-9a-f]{64}$/.test(text)) return text
  throw new InvalidArgumentError('It must be the 64 hex digits that `inspect` shows.')
}

/** Why an operator resolved a turn (INT-12). */
export function parseReason(text: string): string {
  if (/^[a-z0-9][a-z0-9_-]{0,63}$/.test(text)) return text
  throw new InvalidArgumentError('It must be 1 to 64 characters of a-z, 0-9, _ and -, starting with a letter or digit.')
}
