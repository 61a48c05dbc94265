import { StoreError } from '../errors.js'
import { readBullet, type Bullet } from './bullet.js'
import { CODECS, FIELD_NAMES, readField, UNJUDGED_SALIENCE, writeField } from './bullet-fields.js'
import type { BulletFields, FieldName, FieldValues } from './bullet-fields.js'
import { formatLabelLine, MAX_LABELS, parseLabelLine, parseLabelRef } from './labels.js'
import type { MarkerMeaning } from './marker.js'
import { readValues, replaceValue } from './metadata.js'
import { checkSentence, SENTENCE_FAULTS } from './sentence.js'

/** A new bullet: a note, open, with unjudged salience, unless said otherwise. */
export type NewBulletFields = Pick<BulletFields, 'id' | 'sentence' | 'createdAt'> & Partial<BulletFields>

/** Fields to set; an optional one that is given as undefined is removed. */
export type BulletChanges = { readonly [Name in keyof BulletFields]?: BulletFields[Name] | undefined }

/** Written even by a bullet for which nobody gave them. */
const DEFAULTS = { type: 'note', status: 'open', salience: UNJUDGED_SALIENCE, isInsight: false, refs: [] } as const

/**
 * A bullet from fields, in the form in which it is written.
 * @throws {StoreError} `sentence_invalid`: the sentence is none (FMT-5)
 * @throws {RangeError} a field out of its bounds, named in the message; a label that does not fit FMT-6, or a ninth
 */
export function newBullet(fields: NewBulletFields): Bullet {
  return compose({ sentence: fields.sentence, metadata: [], labelLines: [] }, { ...DEFAULTS, ...fields }, DEFAULTS)
}

/**
 * The same bullet with other fields. What is not named, unknown keys and unreadable label lines included, stays as it is
 * written, in its order; a change that changes nothing gives the same lines. New labels take the place of all readable
 * ones, those in the older form included.
 * @throws as `newBullet`
 */
export function changeBullet(bullet: Bullet, changes: BulletChanges): Bullet {
  const raw = {
    sentence: changes.sentence ?? bullet.sentence,
    metadata: bullet.metadata,
    labelLines: bullet.labelLines,
  }
  if (changes.labels === undefined) return compose(raw, changes, bullet)
  const labelLines = bullet.labelLines.filter((line) => parseLabelLine(line) === undefined)
  const refs = bullet.refs.filter((ref) => parseLabelRef(ref) === undefined)
  return compose({ ...raw, labelLines }, refs.length < bullet.refs.length ? { refs, ...changes } : changes, bullet)
}

/** Writes fields over raw parts and reads the whole back, so that no bullet exists that a file could not hold. */
function compose(
  raw: Pick<Bullet, 'sentence' | 'metadata' | 'labelLines'>,
  changes: BulletChanges,
  marker: MarkerMeaning,
): Bullet {
  const fault = checkSentence(raw.sentence)
  if (fault !== undefined) {
    throw new StoreError('sentence_invalid', `The text is no sentence: ${SENTENCE_FAULTS[fault]}. Nothing was written.`)
  }
  const labels = changes.labels ?? []
  if (labels.length > MAX_LABELS) throw new RangeError(`A memory carries at most ${MAX_LABELS} labels.`)
  const metadata = FIELD_NAMES.filter((name) => Object.hasOwn(changes, name)).reduce<readonly string[]>(
    (tokens, name) => setField(tokens, name, changes[name]),
    raw.metadata,
  )
  const labelLines = [...raw.labelLines, ...labels.map(formatLabelLine)]
  const parsed = readBullet({ sentence: raw.sentence, metadata, labelLines, marker })
  if (parsed.kind !== 'bullet') throw new RangeError('A bullet keeps its id and its instant of recording.')
  return parsed.bullet
}

function setField<Name extends FieldName>(
  tokens: readonly string[],
  name: Name,
  value: BulletFields[Name] | undefined,
): readonly string[] {
  const { key } = CODECS[name]
  if (value === undefined) return replaceValue(tokens, key, undefined)
  const written = writeField(name, value as FieldValues[Name])
  const before = readField(readValues(tokens), name)
  // Another spelling of the same value, an instant with an offset for example, is left as a person or an older writer wrote it.
  return before !== undefined && writeField(name, before) === written ? tokens : replaceValue(tokens, key, written)
}
