/** UTF-16 units of a query: as many as search by words looks at. What follows is not asked. */
export const MAX_QUERY_UNITS = 4_096
/** Composing can shorten a text, folding its white space as well: so much of it is looked at. */
const WINDOW = 4 * MAX_QUERY_UNITS

/** A query in the form in which two of them are the same (REC-13): composed, white space folded, bounded; case is kept. */
export function normaliseQuery(query: string): string {
  const folded = query
    .trimStart()
    .slice(0, WINDOW)
    .toWellFormed()
    .normalize('NFC')
    .replace(/\p{White_Space}+/gu, ' ')
    .trim()
  if (folded.length <= MAX_QUERY_UNITS) return folded
  const isInsidePair = /[\uDC00-\uDFFF]/.test(folded.charAt(MAX_QUERY_UNITS))
  return folded.slice(0, isInsidePair ? MAX_QUERY_UNITS - 1 : MAX_QUERY_UNITS).trimEnd()
}

/** The turn's own question: the owner's words first, then those of attachments, as far as there is room (REC-33). */
export function questionOf(ownerText: string, attachmentText = ''): string {
  return normaliseQuery(`${normaliseQuery(ownerText)} ${normaliseQuery(attachmentText)}`)
}
