import { ATTRIBUTION_WORDS, shownText, UNKNOWN_SOURCE, type MemoryHit } from '@mono-agent/memory-bujo'
import type { ShownHit } from './recall-schema.js'

/** UTF-8 bytes of the text of a hit: as long as a line of the format may be (FMT-5). */
export const MAX_HIT_BYTES = 2_048
/** UTF-8 bytes of anything else that a hit is told with: ids, instants, a name. */
const MAX_FIELD_BYTES = 256

const field = (value: string): string => shownText(value, MAX_FIELD_BYTES)

/** What a model may see of a hit: no conversation id, path, provenance or part of its score (REC-16, REC-10). */
export function shownHit(hit: MemoryHit): ShownHit {
  const { id, score, text, type, status, currentness, attribution, source } = hit
  const instants = ['createdAt', 'occurredAt', 'validFrom', 'validTo', 'dueAt', 'endedOn'] as const
  return {
    id: field(id),
    score,
    text: withoutMarks(shownText(text, MAX_HIT_BYTES)),
    ...(type === undefined ? {} : { type }),
    ...(status === undefined ? {} : { status }),
    ...Object.fromEntries(instants.flatMap((name) => (hit[name] === undefined ? [] : [[name, field(hit[name])]]))),
    ...(currentness === undefined ? {} : { currentness }),
    ...(attribution === undefined ? {} : { attribution }),
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

/** Brackets at the beginning of stored text would be read as marks. */
const LEADING_MARKS = /^(?:\s*[[［][^[\]［］]*[\]］]?)+/u

const withoutMarks = (text: string): string =>
  text.replace(LEADING_MARKS, (marks) => marks.replaceAll(/[[［]/gu, '(').replaceAll(/[\]］]/gu, ')'))
