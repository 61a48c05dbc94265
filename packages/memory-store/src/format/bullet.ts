import { readField, UNJUDGED_SALIENCE, type BulletFields, type FieldName, type FieldValues } from './bullet-fields.js'
import { readLabels } from './labels.js'
import { markerOf, parseSentenceLine, type MarkerMeaning } from './marker.js'
import { formatMetadata, METADATA_OPENING, parseMetadata, readValues } from './metadata.js'
import { checkSentence, type SentenceFault } from './sentence.js'
import { sha256Hex } from './sha256.js'
import { trimWhiteSpace } from './white-space.js'

/** One memory as its lines hold it: the fields, and the raw text they were read from, which any rewrite keeps. */
export interface Bullet extends BulletFields {
  /** Tokens of the metadata comment, unknown and malformed ones included, in order. */
  readonly metadata: readonly string[]
  /** Label lines as they stand, unreadable ones included. */
  readonly labelLines: readonly string[]
}

export type ParsedBullet =
  | { readonly kind: 'bullet'; readonly bullet: Bullet }
  | { readonly kind: 'prose' }
  /** Counted, never invented (FMT-4). `id` is there if that is not what is missing. */
  | { readonly kind: 'missing_identity'; readonly missing: 'id' | 'created' | 'sentence'; readonly id?: string }
  /** A person wrote what FMT-5 refuses: kept as prose, reported, not recalled. */
  | { readonly kind: 'invalid_sentence'; readonly fault: SentenceFault; readonly id: string }

/** The raw parts of a bullet. */
export interface BulletParts {
  readonly sentence: string
  readonly metadata: readonly string[]
  readonly labelLines: readonly string[]
  /** Says type and status where the metadata does not. */
  readonly marker: MarkerMeaning
}

const OPTIONAL_FIELDS = [
  'dueAt',
  'occurredAt',
  'speaker',
  'attribution',
  'replaceable',
  'rev',
  'contentId',
  'conversationId',
] as const satisfies readonly FieldName[]

type OptionalFields = { -readonly [Name in (typeof OPTIONAL_FIELDS)[number]]?: FieldValues[Name] }

/** Optional fields that can be read; the others are left out, never guessed (FMT-3). */
function readOptional(values: ReadonlyMap<string, string | undefined>): OptionalFields {
  const fields: Record<string, unknown> = {}
  for (const name of OPTIONAL_FIELDS) {
    const value = readField(values, name)
    if (value !== undefined) fields[name] = value
  }
  return fields
}

/** The bullet that raw parts make, or what they lack (FMT-4). */
export function readBullet(parts: BulletParts): Exclude<ParsedBullet, { kind: 'prose' }> {
  const { sentence, metadata, labelLines, marker } = parts
  const values = readValues(metadata)
  const id = readField(values, 'id')
  if (id === undefined) return { kind: 'missing_identity', missing: 'id' }
  const createdAt = readField(values, 'createdAt')
  if (createdAt === undefined) return { kind: 'missing_identity', missing: 'created', id }
  const fault = checkSentence(sentence)
  if (fault === 'empty') return { kind: 'missing_identity', missing: 'sentence', id }
  if (fault !== undefined) return { kind: 'invalid_sentence', fault, id }
  const refs = readField(values, 'refs') ?? []
  const bullet: Bullet = {
    id,
    sentence,
    type: readField(values, 'type') ?? marker.type,
    status: readField(values, 'status') ?? marker.status,
    salience: readField(values, 'salience') ?? UNJUDGED_SALIENCE,
    isInsight: readField(values, 'isInsight') ?? false,
    createdAt,
    refs,
    ...readOptional(values),
    labels: readLabels(labelLines, refs),
    metadata,
    labelLines,
  }
  return { kind: 'bullet', bullet }
}

/** What a list item without a marker means where its metadata says nothing. */
const NO_MARKER: MarkerMeaning = { type: 'note', status: 'open' }

/**
 * Reads one bullet from its lines (FMT-3), given without their line ends: the sentence with its marker, the metadata
 * comment, label comments. In the older one-line form the comment ends the sentence line and `metadataLine` is undefined.
 * A list item without a marker is a bullet too if its metadata is whole.
 */
export function parseBullet(
  sentenceLine: string,
  metadataLine?: string,
  labelLines: readonly string[] = [],
): ParsedBullet {
  const item = parseSentenceLine(sentenceLine)
  if (item === undefined) return { kind: 'prose' }
  const inline = item.text.indexOf(METADATA_OPENING)
  const commentLine = inline === -1 ? metadataLine : item.text
  if (commentLine === undefined) return item.marker ? { kind: 'missing_identity', missing: 'id' } : { kind: 'prose' }
  const metadata = parseMetadata(commentLine, inline === -1 ? commentLine.search(/[^ \t]/) : inline)
  if (metadata === undefined) return { kind: 'missing_identity', missing: 'id' }
  const sentence = trimWhiteSpace(inline === -1 ? item.text : item.text.slice(0, inline))
  return readBullet({ sentence, metadata, labelLines, marker: item.marker ?? NO_MARKER })
}

/** True if the metadata says this value itself, rather than the marker for it. */
function isWritten(bullet: Bullet, key: 'type' | 'status'): boolean {
  const tokens = bullet.metadata.filter((token) => token === key || token.startsWith(`${key}=`))
  return tokens.length === 1 && tokens[0] === `${key}=${bullet[key]}`
}

/** The marker, which must go on saying what the metadata does not: a box would turn an untyped note into a task. */
function formatMarker(bullet: Bullet): string {
  const saysTypeOnly = !isWritten(bullet, 'type') && isWritten(bullet, 'status')
  return markerOf(bullet.type, saysTypeOnly ? 'open' : bullet.status)
}

/** The lines, without line ends, that `parseBullet` reads back as the same bullet: sentence, metadata, labels. */
export function formatBullet(bullet: Bullet): string[] {
  return [`- ${formatMarker(bullet)} ${bullet.sentence}`, `  ${formatMetadata(bullet.metadata)}`, ...bullet.labelLines]
}

/** SHA-256, 64 hex digits, of the bullet's formatted lines: the base a later change is checked against (FMT-13). */
export function bulletDigest(bullet: Bullet): string {
  return sha256Hex(formatBullet(bullet).join('\n'))
}
