import type { Attribution } from '../types.js'
import { hasFields, isKind, isOneOf, matches, type Check, type Fields } from './exact-fields.js'
import { isPlainText } from './field-checks.js'
import { isDay, parseInstant } from './instant.js'
import { checkCharacters } from './sentence.js'

export type FactKey =
  'birth_date' | 'full_name' | 'preferred_name' | 'relationship' | 'home_location' | 'work_location' | `other:${string}`

export type FactValue =
  | { readonly type: 'date'; readonly date: string }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'entity'; readonly entityId: string }
  | { readonly type: 'relationship'; readonly role: string; readonly target: string }

/** `agent`, `user:<token>`, `project:<slug>` or `conversation:<id>`. */
export type LabelScope = 'agent' | `user:${string}` | `project:${string}` | `conversation:${string}`

/** Without `key` and `value` it is a coarse owner fact: this memory speaks of its owner (CAP-9). */
export interface FactLabel {
  readonly kind: 'fact'
  /** `type:slug`, the id of an entity (FMT-7). */
  readonly entityId: string
  readonly key?: FactKey
  readonly value?: FactValue
  readonly attribution: Attribution
  /** A day or an RFC 3339 instant. */
  readonly validFrom?: string
  readonly validTo?: string
}

export interface PreferenceLabel {
  readonly kind: 'preference'
  readonly scope: LabelScope
  readonly attribution: Attribution
}

export interface LessonLabel {
  readonly kind: 'lesson'
  readonly scope: LabelScope
  readonly verified: boolean
}

export type MemoryLabel = FactLabel | PreferenceLabel | LessonLabel

/** Code points of a fact's text, role and target (FMT-6). */
export const MAX_FACT_TEXT = 160

export const ATTRIBUTIONS: readonly Attribution[] = ['user-stated', 'document', 'assistant-inferred', 'unknown']

/** What values a key takes; `other:` keys take any but a relationship. */
const VALUE_TYPES: Readonly<Record<string, readonly FactValue['type'][]>> = {
  birth_date: ['date'],
  full_name: ['text'],
  preferred_name: ['text'],
  relationship: ['relationship'],
  home_location: ['text', 'entity'],
  work_location: ['text', 'entity'],
}
const OTHER_VALUE_TYPES: readonly FactValue['type'][] = ['date', 'text', 'entity']

const isText: Check = (value) => isPlainText(value) && [...value].length <= MAX_FACT_TEXT
/** The id of an entity, `type:slug` (FMT-7): 1..32 lower-case ASCII, then 1..128 letters, marks, digits, `.`, `_` or `-`. */
export const isEntityId = matches(/^[a-z][a-z0-9_-]{0,31}:[\p{L}\p{M}\p{N}._-]{1,128}$/u)
const isOtherKey = matches(/^other:[a-z0-9]+(?:-[a-z0-9]+)*$/)
export const isAttribution: Check = isOneOf(ATTRIBUTIONS)
const isValidity: Check = (value) => typeof value === 'string' && (isDay(value) || parseInstant(value) !== undefined)
const isConversationScope: Check = (value) =>
  typeof value === 'string' &&
  value.startsWith('conversation:') &&
  value.length > 'conversation:'.length &&
  checkCharacters(value) === undefined
const isUserScope = matches(/^user:[A-Za-z0-9._@+-]{1,128}$/)
/** `project:<slug>`. */
export const isProjectScope = matches(/^project:[a-z0-9]+(?:[._-][a-z0-9]+)*$/)
const isScope: Check = (value) =>
  value === 'agent' || isUserScope(value) || isProjectScope(value) || isConversationScope(value)

const VALUE_FIELDS: Readonly<Record<FactValue['type'], Fields>> = {
  date: { type: isKind('date'), date: (value) => typeof value === 'string' && isDay(value) },
  text: { type: isKind('text'), text: isText },
  entity: { type: isKind('entity'), entityId: isEntityId },
  relationship: { type: isKind('relationship'), role: isText, target: isText },
}

/** A key of FMT-6, `other:` ones included. */
export function isFactKey(key: unknown): key is FactKey {
  return typeof key === 'string' && (Object.hasOwn(VALUE_TYPES, key) || isOtherKey(key))
}

/** Whether `value` is a fact's value, of a type that `key` takes (FMT-6). */
export function isFactValue(key: unknown, value: unknown): value is FactValue {
  if (!isFactKey(key) || typeof value !== 'object' || value === null) return false
  const allowed = VALUE_TYPES[key] ?? OTHER_VALUE_TYPES
  const type = (value as { type?: unknown }).type as FactValue['type']
  return allowed.includes(type) && hasFields(value, VALUE_FIELDS[type])
}

function isFact(value: object): boolean {
  const { key, value: factValue } = value as { key?: unknown; value?: unknown }
  const isCoarse = key === undefined && factValue === undefined
  return (
    (isCoarse || isFactValue(key, factValue)) &&
    hasFields(
      value,
      { v: isVersion1, kind: isKind('fact'), entityId: isEntityId, attribution: isAttribution },
      {
        key: (given) => given !== undefined,
        value: (given) => given !== undefined,
        validFrom: isValidity,
        validTo: isValidity,
      },
    )
  )
}

const isVersion1: Check = (value) => value === 1

/** Reads the JSON value of a label, version 1; undefined if it is anything else (FMT-6). */
export function parseLabelValue(value: object): MemoryLabel | undefined {
  const isLabel =
    isFact(value) ||
    hasFields(value, { v: isVersion1, kind: isKind('preference'), scope: isScope, attribution: isAttribution }) ||
    hasFields(value, {
      v: isVersion1,
      kind: isKind('lesson'),
      scope: isScope,
      verified: (given) => typeof given === 'boolean',
    })
  if (!isLabel) return undefined
  const { v: _version, ...label } = value as MemoryLabel & { v: 1 }
  return label
}
