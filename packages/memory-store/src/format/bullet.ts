import { StoreError } from '../errors.js'
import { FIELD_NAMES, CODECS, readField, UNJUDGED_SALIENCE, writeField } from './bullet-fields.js'
import type { BulletFields, FieldName, FieldValues } from './bullet-fields.js'
import { formatLabelLine, MAX_LABELS, parseLabelLine, parseLabelRef, readLabels } from './labels.js'
import { markerOf, parseSentenceLine, type MarkerMeaning } from './marker.js'
import { formatMetadata, METADATA_OPENING, parseMetadata, readValues, replaceValue } from './metadata.js'
import { checkSentence, SENTENCE_FAULTS, type SentenceFault } from './sentence.js'
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
  | { readonly kind: 'missing_identity'; readonly missing: 'id' | 'created' | 'sentence'; readonly id?: string }
  | { readonly kind: 'invalid_sentence'; readonly fault: SentenceFault; readonly id: string }

/** A new bullet: a note, open, with unjudged salience, unless said otherwise. */
export type NewBulletFields = Pick<BulletFields, 'id' | 'sentence' | 'createdAt'> & Partial<BulletFields>

/** Fields to set; an optional one that is given as undefined is removed. */
export type BulletChanges = { readonly [Name in keyof BulletFields]?: BulletFields[Name] | undefined }

/** Written even by a bullet for which nobody gave them. */
const DEFAULTS = { type: 'note', status: 'open', salience: UNJUDGED_SALIENCE, isInsight: false, refs: [] } as const
const NOTHING_SAID: MarkerMeaning = { type: 'note', status: 'open' }

/** The bullet these raw parts say, or what they lack. `marker` speaks where the metadata does not. */
function readBullet(
  sentence: string,
  metadata: readonly string[],
  labelLines: readonly string[],
  marker: MarkerMeaning,
): Exclude<ParsedBullet, { kind: 'prose' }> {
  const values = readValues(metadata)
  const id = readField(values, 'id')
  if (id === undefined) return { kind: 'missing_identity', missing: 'id' }
  const createdAt = readField(values, 'createdAt')
  if (createdAt === undefined) return { kind: 'missing_identity', missing: 'created', id }
  const fault = checkSentence(sentence)
  if (fault === 'empty') return { kind: 'missing_identity', missing: 'sentence', id }
  if (fault !== undefined) return { kind: 'invalid_sentence', fault, id }
  const refs = readField(values, 'refs') ?? []
  const bullet: { -readonly [Name in keyof Bullet]: Bullet[Name] } = {
    id,
    sentence,
    type: readField(values, 'type') ?? marker.type,
    status: readField(values, 'status') ?? marker.status,
    salience: readField(values, 'salience') ?? UNJUDGED_SALIENCE,
    isInsight: readField(values, 'isInsight') ?? false,
    createdAt,
    refs,
    labels: readLabels(labelLines, refs),
    metadata,
    labelLines,
  }
  const dueAt = readField(values, 'dueAt')
  if (dueAt !== undefined) bullet.dueAt = dueAt
  const occurredAt = readField(values, 'occurredAt')
  if (occurredAt !== undefined) bullet.occurredAt = occurredAt
  const speaker = readField(values, 'speaker')
  if (speaker !== undefined) bullet.speaker = speaker
  const attribution = readField(values, 'attribution')
  if (attribution !== undefined) bullet.attribution = attribution
  const replaceable = readField(values, 'replaceable')
  if (replaceable !== undefined) bullet.replaceable = replaceable
  const rev = readField(values, 'rev')
  if (rev !== undefined) bullet.rev = rev
  const conversationId = readField(values, 'conversationId')
  if (conversationId !== undefined) bullet.conversationId = conversationId
  return { kind: 'bullet', bullet }
}

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
  return readBullet(sentence, metadata, labelLines, item.marker ?? NOTHING_SAID)
}

/** The lines, without line ends, that `parseBullet` reads back as the same bullet: sentence, metadata, labels. */
export function formatBullet(bullet: Bullet): string[] {
  return [
    `- ${markerOf(bullet.type, bullet.status)} ${bullet.sentence}`,
    `  ${formatMetadata(bullet.metadata)}`,
    ...bullet.labelLines,
  ]
}

/** SHA-256, 64 hex digits, of the bullet's formatted lines: the base a later change is checked against (FMT-13). */
export function bulletDigest(bullet: Bullet): string {
  return sha256Hex(formatBullet(bullet).join('\n'))
}

/**
 * A bullet from fields, in the form in which it is written.
 * @throws {StoreError} `sentence_invalid`: the sentence is none (FMT-5)
 * @throws {RangeError} a field that would not read back: the message names it
 */
export function newBullet(fields: NewBulletFields): Bullet {
  const given: BulletChanges = { ...DEFAULTS, ...fields }
  return build(fields.sentence, [], [], given, NOTHING_SAID)
}

/**
 * The same bullet with other fields. What is not named, unknown keys and unreadable label lines included, stays as it is
 * written, in its order; a change that changes nothing gives the same lines.
 * @throws as `newBullet`
 */
export function changeBullet(bullet: Bullet, changes: BulletChanges): Bullet {
  const labels = changes.labels ?? bullet.labels
  const sameLabels = changes.labels === undefined
  const refs = sameLabels ? bullet.refs : bullet.refs.filter((ref) => parseLabelRef(ref) === undefined)
  // The marker carries a type that the metadata lacks; it is about to change, so the metadata has to say it from now on.
  const isTypeUnwritten = !bullet.metadata.some((token) => token.startsWith('type='))
  return build(
    changes.sentence ?? bullet.sentence,
    bullet.metadata,
    sameLabels ? bullet.labelLines : bullet.labelLines.filter((line) => parseLabelLine(line) === undefined),
    {
      ...(isTypeUnwritten && changes.status !== undefined ? { type: bullet.type } : {}),
      ...(sameLabels || refs.length === bullet.refs.length ? {} : { refs }),
      ...changes,
      ...(sameLabels ? {} : { labels }),
    },
    bullet,
  )
}

/** Writes the given fields over raw parts and reads the whole back, so that no bullet exists that a file could not hold. */
function build(
  sentence: string,
  metadata: readonly string[],
  labelLines: readonly string[],
  changes: BulletChanges,
  marker: MarkerMeaning,
): Bullet {
  const fault = checkSentence(sentence)
  if (fault !== undefined) {
    throw new StoreError('sentence_invalid', `The text is no sentence: ${SENTENCE_FAULTS[fault]}. Nothing was written.`)
  }
  let tokens = metadata
  const values = readValues(metadata)
  for (const name of FIELD_NAMES) {
    if (Object.hasOwn(changes, name)) tokens = setField(tokens, values, name, changes[name])
  }
  const added = changes.labels ?? []
  const lines = [...labelLines, ...added.map(formatLabelLine)]
  if (added.length > MAX_LABELS) throw new RangeError(`A memory carries at most ${MAX_LABELS} labels.`)
  const parsed = readBullet(sentence, tokens, lines, marker)
  if (parsed.kind !== 'bullet')
    throw new RangeError(`A bullet needs an id and an instant of recording that can be read.`)
  return parsed.bullet
}

function setField<Name extends FieldName>(
  tokens: readonly string[],
  values: ReadonlyMap<string, string | undefined>,
  name: Name,
  value: BulletFields[Name] | undefined,
): readonly string[] {
  const { key, read } = CODECS[name]
  if (value === undefined) return replaceValue(tokens, key, undefined)
  const written = writeField(name, value as FieldValues[Name])
  const before = readField(values, name)
  if (before !== undefined && writeField(name, before) === written) return tokens
  if (/[ \t]|-->/.test(written) || read(written) === undefined) {
    throw new RangeError(`The field ${name} of a bullet holds a value that could not be read back.`)
  }
  return replaceValue(tokens, key, written)
}

export type { BulletFields }
