import { isDay } from '@mono-agent/memory-store'

/** In CJK a date touches words, so only ASCII beside it makes it part of something else: an id, a version, a longer number. */
const ISO_DATE = /(?<![A-Za-z0-9-])\d{4}-\d{2}-\d{2}(?![0-9-])/g

/** The latest ISO date in a text, that of an instant included, or undefined if there is none. */
export function latestDate(text: string): string | undefined {
  const days = (text.match(ISO_DATE) ?? []).filter(isDay)
  return days.length === 0 ? undefined : days.reduce((latest, day) => (day > latest ? day : latest))
}

/** Whether a text carries an ISO date. */
export function isDated(text: string): boolean {
  return latestDate(text) !== undefined
}

/**
 * Whether rewording `target` would lose history (CAP-17): the new words carry a date, and the target has none or an
 * earlier one. What was true then must stay readable.
 */
export function isDatedSupersession(newText: string, target: { readonly text: string }): boolean {
  const now = latestDate(newText)
  const before = latestDate(target.text)
  return now !== undefined && (before === undefined || before < now)
}
