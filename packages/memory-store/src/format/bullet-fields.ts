import type { Attribution, MemoryStatus, MemoryType } from '../types.js'
import { isMemoryId } from './field-checks.js'
import { isDay, normaliseInstant } from './instant.js'
import { ATTRIBUTIONS, type MemoryLabel } from './label-schema.js'
import type { MetadataKey } from './metadata.js'
import { checkCharacters } from './sentence.js'
import { isWellFormed } from './well-formed.js'
import { trimWhiteSpace } from './white-space.js'

/** UTF-8 bytes of a speaker's name (FMT-3). */
export const MAX_SPEAKER_BYTES = 128
/** UTF-8 bytes of a conversation id (FMT-3); a longer one is unknown. */
export const MAX_CONVERSATION_ID_BYTES = 512
/** Salience of a memory whose line has none that can be read: the middle, for nobody judged it. */
export const UNJUDGED_SALIENCE = 0.5

/** What a bullet says. An absent field is unknown. */
export interface BulletFields {
  /** 1..200 printable ASCII characters without a space. */
  readonly id: string
  readonly sentence: string
  readonly type: MemoryType
  readonly status: MemoryStatus
  /** 0..1, four decimals. */
  readonly salience: number
  readonly isInsight: boolean
  /** Recording instant: RFC 3339, UTC, milliseconds. */
  readonly createdAt: string
  /** Ids this memory refers to; labels in their older form (`label:v1:…`) stand among them. */
  readonly refs: readonly string[]
  /** A day, or an instant as `createdAt`. */
  readonly dueAt?: string
  /** The turn's instant, as `createdAt`. */
  readonly occurredAt?: string
  /** At most 128 UTF-8 bytes of characters that a sentence may hold. */
  readonly speaker?: string
  readonly attribution?: Attribution
  readonly replaceable?: boolean
  /** Run-derived id of the machine's last change of this bullet; form as `id`. */
  readonly rev?: string
  /**
   * Identity of the whole observation that begins here, before any split: 64 lower-case hex digits (CAP-2). By it the same
   * words, told again, are known.
   */
  readonly contentId?: string
  /** Key `source_session`; at most 512 UTF-8 bytes. */
  readonly conversationId?: string
  /** At most eight. */
  readonly labels: readonly MemoryLabel[]
}

export type FieldName = Exclude<keyof BulletFields, 'sentence' | 'labels'>
export type FieldValues = { readonly [Name in FieldName]-?: NonNullable<BulletFields[Name]> }

interface Codec<Value> {
  readonly key: MetadataKey
  /** Undefined: malformed, so unknown. */
  readonly read: (raw: string) => Value | undefined
  /** Undefined: a value that has no form, whatever its type says. */
  readonly write: (value: Value) => string | undefined
}

const TYPES: readonly MemoryType[] = ['note', 'event', 'task']
const STATUSES: readonly MemoryStatus[] = ['open', 'done', 'migrated', 'scheduled', 'dropped', 'invalidated']
const DECIMAL = /^(?:[01]|[01]?\.\d+)$/

const same = (value: string): string => value
const readDigest = (raw: string): string | undefined => (/^[0-9a-f]{64}$/.test(raw) ? raw : undefined)
const readToken = (raw: string): string | undefined => (isMemoryId(raw) ? raw : undefined)
const dayOrInstant = (raw: string): string | undefined => (isDay(raw) ? raw : normaliseInstant(raw))
const readFlag = (raw: string): boolean | undefined => (raw === '1' ? true : raw === '0' ? false : undefined)
const writeFlag = (value: boolean): string => (value ? '1' : '0')

function oneOf<Value extends string>(values: readonly Value[]): (raw: string) => Value | undefined {
  return (raw) => values.find((value) => value === raw)
}

/** Salience has four decimals: enough to rank by, and never an exponent. */
const roundSalience = (value: number): number => Math.round(value * 10_000) / 10_000

function readSalience(raw: string): number | undefined {
  const value = DECIMAL.test(raw) ? Number(raw) : NaN
  return value >= 0 && value <= 1 ? roundSalience(value) : undefined
}

function readRefs(raw: string): readonly string[] | undefined {
  const refs = raw === '' ? [] : raw.split(',')
  return refs.every((ref) => /^[\x21-\x7e]+$/.test(ref)) ? refs : undefined
}

/** A ref with a comma in it would come back as two, an empty one as none. */
function writeRefs(refs: readonly string[]): string | undefined {
  return refs.some((ref) => ref === '' || ref.includes(',')) ? undefined : refs.join(',')
}

function readEncoded(raw: string, maxBytes: number): string | undefined {
  let value: string
  try {
    value = decodeURIComponent(raw)
  } catch {
    return undefined // a stray % or bytes that are not UTF-8: malformed, so unknown
  }
  return value !== '' && Buffer.byteLength(value) <= maxBytes ? value : undefined
}

function readSpeaker(raw: string): string | undefined {
  const name = readEncoded(raw, MAX_SPEAKER_BYTES)
  return name !== undefined && trimWhiteSpace(name) === name && checkCharacters(name) === undefined ? name : undefined
}

/** Percent-encoded, so that it is one token; a lone surrogate has no encoding. */
const writeEncoded = (value: string): string | undefined =>
  isWellFormed(value) ? encodeURIComponent(value) : undefined

/** How each field is written, in the order of FMT-3. */
export const CODECS: { readonly [Name in FieldName]: Codec<FieldValues[Name]> } = {
  id: { key: 'id', read: readToken, write: same },
  type: { key: 'type', read: oneOf(TYPES), write: same },
  status: { key: 'status', read: oneOf(STATUSES), write: same },
  salience: { key: 'salience', read: readSalience, write: (value) => String(roundSalience(value)) },
  isInsight: { key: 'isInsight', read: readFlag, write: writeFlag },
  createdAt: { key: 'created', read: normaliseInstant, write: normaliseInstant },
  refs: { key: 'refs', read: readRefs, write: writeRefs },
  dueAt: { key: 'due', read: dayOrInstant, write: dayOrInstant },
  occurredAt: { key: 'occurred', read: normaliseInstant, write: normaliseInstant },
  speaker: { key: 'speaker', read: readSpeaker, write: writeEncoded },
  attribution: { key: 'attribution', read: oneOf(ATTRIBUTIONS), write: same },
  replaceable: { key: 'replaceable', read: readFlag, write: writeFlag },
  rev: { key: 'rev', read: readToken, write: same },
  contentId: { key: 'content_id', read: readDigest, write: same },
  conversationId: {
    key: 'source_session',
    read: (raw) => readEncoded(raw, MAX_CONVERSATION_ID_BYTES),
    write: writeEncoded,
  },
}

export const FIELD_NAMES = Object.keys(CODECS) as readonly FieldName[]

/** The value of one field, undefined where the metadata lacks it or holds one that cannot be read. */
export function readField<Name extends FieldName>(
  values: ReadonlyMap<string, string | undefined>,
  name: Name,
): FieldValues[Name] | undefined {
  const codec: Codec<FieldValues[Name]> = CODECS[name]
  const raw = values.get(codec.key)
  return raw === undefined ? undefined : codec.read(raw)
}

/**
 * The token value that `readField` reads as `value`; the same one for every spelling of it.
 * @throws {RangeError} there is none: the value is out of its bounds; the message names the field
 */
export function writeField<Name extends FieldName>(name: Name, value: FieldValues[Name]): string {
  const codec: Codec<FieldValues[Name]> = CODECS[name]
  const raw = codec.write(value)
  if (raw === undefined || /[ \t\r\n]|-->/.test(raw) || codec.read(raw) === undefined) {
    throw new RangeError(`The field ${name} of a bullet holds a value that cannot be written so that it reads back.`)
  }
  return raw
}
