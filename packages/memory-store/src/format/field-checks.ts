import type { Check } from './exact-fields.js'
import { isDay, normaliseInstant } from './instant.js'
import { checkCharacters } from './sentence.js'
import { trimWhiteSpace } from './white-space.js'

const MEMORY_ID = /^[\x21-\x7e]{1,200}$/

/** The id of a memory (FMT-3): 1..200 printable ASCII characters without a space. */
export const isMemoryId = (value: unknown): value is string => typeof value === 'string' && MEMORY_ID.test(value)

/** An instant in the one spelling that is written: RFC 3339, UTC, milliseconds. */
export const isWrittenInstant: Check = (value) => typeof value === 'string' && normaliseInstant(value) === value

/** A day, or an instant in the spelling that is written. */
export const isDayOrWrittenInstant: Check = (value) =>
  typeof value === 'string' && (isDay(value) || normaliseInstant(value) === value)

/** One line of text without white space at its ends, of characters that a sentence may hold (FMT-5). */
export const isPlainText = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && trimWhiteSpace(value) === value && checkCharacters(value) === undefined
