const WHITE_SPACE = /\p{White_Space}/u
const WHITE_SPACE_RUN = /\p{White_Space}+/gu

/** Unicode white space; unlike `\s` the byte order mark is none. All of it lies in the basic plane. */
function isWhiteSpace(unit: number): boolean {
  if (unit < 0x80) return unit === 0x20 || (unit >= 0x09 && unit <= 0x0d)
  return WHITE_SPACE.test(String.fromCharCode(unit))
}

/** Without white space at both ends. A scan: a regular expression takes quadratic time on long runs. */
export function trimWhiteSpace(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && isWhiteSpace(text.charCodeAt(start))) start++
  while (end > start && isWhiteSpace(text.charCodeAt(end - 1))) end--
  return text.slice(start, end)
}

/** One line: every run of white space, line separators included, becomes one space; none at the ends. */
export function foldWhiteSpace(text: string): string {
  return trimWhiteSpace(text.replace(WHITE_SPACE_RUN, ' '))
}
