import type { MemoryErrorOptions } from '@mono-agent/memory-store'
import type { CaptureStage } from '../../chat/chat-model.js'
import { BujoError } from '../../errors.js'

/** Why an answer was refused (CAP-6): reason → what it means. Closed: metrics and documentation are made from it. */
export const CONTRACT_REASONS = {
  // the completion
  too_long: 'The completion is longer than 262,144 UTF-16 units. It was not parsed.',
  empty: 'There is nothing in the completion besides white space, a think block and a fence.',
  unclosed_wrapper: 'A leading `<think>` block or a surrounding code fence does not end.',
  not_json: 'What is left is not exactly one JSON value: prose, two values, a comment, a trailing comma, `NaN`.',
  too_deep: 'Arrays and objects are nested deeper than 16.',
  duplicate_key: 'An object has one key twice.',
  // its shape
  wrong_type: 'A value has another JSON type than its field; nothing is converted, so `"0.7"` is no number.',
  missing_field: 'A required field is missing; an array with nothing in it is written as `[]`.',
  unknown_field: 'An object has a field that the contract does not know, or not for this action or kind.',
  unknown_value: 'A field with a closed list of values has another one.',
  out_of_range: 'A number lies outside its range; nothing is clamped.',
  too_many: 'An array holds more than it may.',
  too_few: 'An array holds less than it must.',
  // its texts
  text_empty: 'A text is empty, or only white space.',
  text_too_long: 'A text is longer than its bound.',
  text_unsafe:
    'A text is not one plain line: white space at an end, a line break outside a quote, control, bidirectional or invisible characters, a comment delimiter.',
  // ids, names, dates
  id_invalid: 'An id is not `type:slug` in lower case, in its NFKC form.',
  type_invalid: 'The type of an entity is not the one that its id begins with.',
  name_invalid: 'The name of a relation is not lower-case words joined by `_`.',
  fact_key_invalid: 'The key of a fact is neither one of the list nor `other:<kebab-name>`.',
  fact_value_invalid: 'The value of a fact is malformed, or of a type that its key does not take.',
  scope_invalid: 'A scope is none of `agent`, `sender`, `conversation`, `project:<slug>`.',
  date_invalid: 'A date is neither a day that exists nor an RFC 3339 instant.',
  validity_reversed: '`validFrom` is later than `validTo`.',
  // what refers to what
  entity_declared_twice: 'Two entities have one id.',
  entity_undeclared: 'An entity is named that the answer does not declare.',
  reference_repeated: 'One list of references holds the same one twice.',
  // its evidence
  quote_not_in_turn: 'The quote of a memory occurs nowhere in the turn.',
  language_mismatch: 'A memory, or what is to take its place, is not written in the script of its quote.',
  // decisions
  decision_missing: 'There are fewer decisions than lines.',
  decision_surplus: 'There are more decisions than lines.',
  decision_order: 'A decision does not carry the index of the line at its place.',
  action_not_allowed: 'A decision has an action that its line does not allow.',
  target_not_offered: 'A decision has a target that was not offered for its memory.',
  target_repeated: 'Two decisions have one target.',
} as const

export type ContractReason = keyof typeof CONTRACT_REASONS

/** Where in an answer: names of fields that the contract knows, and places. */
export type AnswerPath = readonly (string | number)[]

/**
 * An answer that does not keep its contract; code `model_output_invalid`. Nothing of it is applied (CAP-6). The message
 * names the call, the reason and the place, never content.
 */
export class ContractError extends BujoError {
  readonly reason: ContractReason
  /** The call, and where in its answer as far as there is a place: `extract: memories[2].labels[0].quote`. */
  readonly place: string

  constructor(
    code: 'model_output_invalid',
    message: string,
    options: MemoryErrorOptions & { readonly reason: ContractReason; readonly place: string },
  ) {
    super(code, message, options)
    this.reason = options.reason
    this.place = options.place
  }
}

export function contractError(stage: CaptureStage, reason: ContractReason, path: AnswerPath = []): ContractError {
  const at = formatPath(path)
  return new ContractError(
    'model_output_invalid',
    `The answer of the model to the ${stage} call was refused (${reason}). ${CONTRACT_REASONS[reason]}${at && ` At ${at}.`} ` +
      'Nothing of it was applied; the turn stays pending and is tried again.',
    { reason, place: at === '' ? stage : `${stage}: ${at}` },
  )
}

/** `memories[2].labels[0].quote` */
function formatPath(path: AnswerPath): string {
  return path.map((part, at) => (typeof part === 'number' ? `[${part}]` : at === 0 ? part : `.${part}`)).join('')
}
