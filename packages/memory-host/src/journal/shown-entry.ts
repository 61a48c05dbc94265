import { shownText, type Attribution, type ChronologyEntry } from '@mono-agent/memory-bujo'
import { withoutMarks } from '../tools/without-marks.js'
import type { JournalEntry } from './journal-output.js'

/** UTF-8 bytes of an entry's text, the `…` of a cut included (REC-23). */
export const MAX_TEXT_BYTES = 2_048
/** UTF-8 bytes of an id (FMT-3), and of instants and days, whatever a backend of somebody else's gives. */
const MAX_ID_BYTES = 200
const MAX_TIME_BYTES = 64

const VOUCHERS: Readonly<Record<Attribution, string>> = {
  'user-stated': ' (you said)',
  document: ' (from a document)',
  'assistant-inferred': ' (assistant noted)',
  unknown: '',
}

/** An entry as an agent gets it: stored words only by way of `shownText`, and none of it longer than a page can hold. */
export function shownEntry({ id, at, createdAt, day, text, attribution, ...state }: ChronologyEntry): JournalEntry {
  const { type, status, currentness } = state
  return {
    id: shownText(id, MAX_ID_BYTES),
    at: shownText(at, MAX_TIME_BYTES),
    recordedAt: shownText(createdAt, MAX_TIME_BYTES),
    day: shownText(day, MAX_TIME_BYTES),
    type,
    status,
    currentness,
    ...(attribution === undefined ? {} : { attribution }),
    text: withoutMarks(shownText(text, MAX_TEXT_BYTES)),
  }
}

/** The same in words. All that the tool says stands before the text and in brackets, so that the text cannot say it. */
export function entryLine({
  id,
  at,
  recordedAt,
  day,
  type,
  status,
  currentness,
  attribution,
  text,
}: JournalEntry): string {
  const recorded = recordedAt === at ? '' : ` [recorded ${recordedAt}]`
  const lifecycle = status === 'open' ? '' : ` [${status}]`
  const standing = currentness === 'current' ? '' : ` [${currentness}]`
  const voucher = attribution === undefined ? '' : VOUCHERS[attribution]
  return `- ${at} [${type} ${id}, day ${day}]${recorded}${lifecycle}${standing}${voucher} ${text}`
}
