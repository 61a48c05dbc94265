import { ATTRIBUTION_WORDS, shownText, UNKNOWN_SOURCE, type MemoryHit } from '@mono-agent/memory-bujo'
import { hitFields, known, type ShownHit } from './recall-schema.js'
import { withoutMarks } from './without-marks.js'

/** UTF-8 bytes of the text of a hit: as long as a line of the format may be (FMT-5). */
export const MAX_HIT_BYTES = 2_048
/** UTF-8 bytes of anything else that a hit is told with: ids, instants, a name. */
const MAX_FIELD_BYTES = 256

const field = (value: string): string => shownText(value, MAX_FIELD_BYTES)

const WORDS = ['type', 'status', 'currentness', 'attribution'] as const
const INSTANTS = ['createdAt', 'occurredAt', 'validFrom', 'validTo', 'dueAt', 'endedOn'] as const

/**
 * What a model may see of a hit: no conversation id, path, provenance or part of its score (REC-16, REC-10). A word that is
 * none of the format's, or a score that is no number, is a backend's that is not ours; neither is passed on.
 */
export function shownHit(hit: MemoryHit): ShownHit {
  const { id, score, text, source } = hit
  const words = WORDS.map((name) => [name, known(hitFields[name], hit[name])] as const)
  return {
    id: field(id),
    score: known(hitFields.score, score) ?? 0,
    text: withoutMarks(shownText(text, MAX_HIT_BYTES)),
    ...Object.fromEntries(words.filter(([, word]) => word !== undefined)),
    ...Object.fromEntries(INSTANTS.flatMap((name) => (hit[name] === undefined ? [] : [[name, field(hit[name])]]))),
    ...(source?.speaker === undefined ? {} : { speaker: field(source.speaker) }),
    ...(source?.conversationId === undefined ? { isSourceUnknown: true } : {}),
  }
}

/**
 * A hit as one line, `0.812 [recorded 2026-05-01T09:00:00.000Z] [done] text` (REC-11). What is current is not said; what is
 * superseded or has ended is, and until then, for how long it is meant to hold.
 */
export function hitLine(hit: ShownHit): string {
  const { score, createdAt, status, attribution, isSourceUnknown, text } = hit
  const marks = [
    createdAt === undefined ? undefined : `recorded ${createdAt}`,
    status === undefined || status === 'open' ? undefined : status,
    ...validityMarks(hit),
    attribution === undefined || attribution === 'unknown' ? undefined : ATTRIBUTION_WORDS[attribution],
    isSourceUnknown === true ? UNKNOWN_SOURCE : undefined,
  ]
  const shown = marks.filter((mark) => mark !== undefined).map((mark) => `[${mark}]`)
  return [score.toFixed(3), ...shown, text].join(' ')
}

function validityMarks({ currentness, endedOn, validFrom, validTo, dueAt, type }: ShownHit): (string | undefined)[] {
  if (currentness === 'superseded') return ['superseded']
  if (currentness === 'ended') return [endedOn === undefined ? 'ended' : `ended ${endedOn}`]
  return [
    validFrom === undefined ? undefined : `from ${validFrom}`,
    validTo === undefined ? undefined : `until ${validTo}`,
    dueAt === undefined ? undefined : `${type === 'event' ? 'on' : 'due'} ${dueAt}`,
  ]
}
