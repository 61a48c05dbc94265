import type { CompletedTurn, SkipReason } from '@mono-agent/memory-bujo'

/** Why a line cannot be a turn: code → meaning and mend. Docs are made from this table; a line's text is never repeated. */
export const BAD_LINE_CODES = {
  not_utf8: 'The line holds bytes that are not UTF-8. Save the file as UTF-8.',
  line_too_long: 'The line is longer than 32 MiB and was passed over. Split the conversation into several lines.',
  not_json: 'The line is not one JSON value.',
  not_an_object: 'The value is not a JSON object.',
  field_invalid: 'A field of the conversation is missing or of the wrong type; `field` names it.',
  message_invalid:
    'A message of this conversation is not `{role, content}` as documented. None of its exchanges was taken.',
  time_invalid: 'A time is neither RFC 3339 with an offset nor a Unix epoch. None of its exchanges was taken.',
  tree_broken:
    'The tree of messages has no path from `current_node` to its root. Nothing of the conversation was taken.',
  run_conflict: 'A turn of the same id, but with other content, was admitted before. The earlier one stays.',
  turn_too_large: 'The turn is larger than one intake record (640 KiB). Shorten or split it.',
  turn_invalid: 'A field of the turn is missing, unknown, of the wrong type or out of bounds; `detail` names it.',
} as const

export type BadLineCode = keyof typeof BAD_LINE_CODES

/** Exchanges that are no completed turn, beside what admission skips by its own rules. */
export type PassedOver = SkipReason | 'unanswered' | 'unprompted'

/** Where in the file; everything counts from 1. */
export type Place =
  { readonly line: number; readonly exchange?: number } | { readonly conversation: number; readonly exchange?: number }

export interface BadEntry {
  readonly kind: 'bad'
  readonly place: Place
  readonly code: BadLineCode
  /** Dotted name of a documented field, never one made up by the file. */
  readonly field?: string
  /** A content-free explanation by the store. */
  readonly detail?: string
}

/** What the file says, one after the other. */
export type Entry =
  | { readonly kind: 'turn'; readonly place: Place; readonly turn: CompletedTurn }
  | { readonly kind: 'skipped'; readonly place: Place; readonly reason: PassedOver }
  | BadEntry
