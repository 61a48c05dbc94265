const LEADING_MARKS = /^(?:\s*(?:[[［][^[\]［］]*[\]］]?|[\]］]))+/u

/**
 * Stored text behind the marks of a line, such as `[done]`: brackets at its beginning would be read as more of them, so they
 * become round ones. Linear time; doing it twice changes nothing more.
 */
export function withoutMarks(text: string): string {
  return text.replace(LEADING_MARKS, (marks) => marks.replaceAll(/[[［]/gu, '(').replaceAll(/[\]］]/gu, ')'))
}
