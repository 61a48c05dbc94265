/** The keys of FMT-3 in the order in which they are written; others belong to newer writers and are kept. */
export const METADATA_KEYS = [
  'id',
  'type',
  'status',
  'salience',
  'isInsight',
  'created',
  'refs',
  'due',
  'occurred',
  'speaker',
  'attribution',
  'replaceable',
  'rev',
  'content_id',
  'source_session',
] as const

export type MetadataKey = (typeof METADATA_KEYS)[number]

export const METADATA_OPENING = '<!--mem'
const CLOSING = '-->'
const COMMENT_LINE = /^[ \t]*<!--mem(?: |-->)/

/** True for a line that starts as a metadata comment, well-formed to its end or not. */
export function isMetadataLine(line: string): boolean {
  return COMMENT_LINE.test(line)
}

/**
 * The tokens of the metadata comment that begins at `start` and ends the line: what stands between `<!--mem ` and `-->`,
 * split at single spaces, so that joining them gives the same text again. Undefined if there is no such comment.
 */
export function parseMetadata(line: string, start: number): string[] | undefined {
  const opened = start + METADATA_OPENING.length
  const end = line.indexOf(CLOSING, opened)
  if (end === -1 || !line.startsWith(METADATA_OPENING, start)) return undefined
  if (line.slice(end + CLOSING.length).trim() !== '') return undefined
  if (end === opened) return []
  return line[opened] === ' ' ? line.slice(opened + 1, end).split(' ') : undefined
}

/** The comment, without indentation, that `parseMetadata` reads as these tokens. */
export function formatMetadata(tokens: readonly string[]): string {
  return tokens.length === 0 ? `${METADATA_OPENING}${CLOSING}` : `${METADATA_OPENING} ${tokens.join(' ')}${CLOSING}`
}

/** The key of a token `key=value`; a token without `=` is all key. */
function keyOf(token: string): string {
  const equals = token.indexOf('=')
  return equals === -1 ? token : token.slice(0, equals)
}

/** Values by key. A key that stands twice has none: which one counts would be a guess (FMT-3). */
export function readValues(tokens: readonly string[]): Map<string, string | undefined> {
  const values = new Map<string, string | undefined>()
  for (const token of tokens) {
    const key = keyOf(token)
    values.set(key, values.has(key) || key.length === token.length ? undefined : token.slice(key.length + 1))
  }
  return values
}

/**
 * Tokens with `key` set to `value`, or without it if `value` is undefined. A key that is there keeps its place; a new one
 * goes after the last of those that stand before it in `METADATA_KEYS`. All other tokens stay, in order.
 */
export function replaceValue(tokens: readonly string[], key: MetadataKey, value: string | undefined): string[] {
  const place = tokens.findIndex((token) => keyOf(token) === key)
  const others = tokens.filter((token) => keyOf(token) !== key)
  if (value === undefined) return others
  const at = place === -1 ? placeFor(others, key) : place
  return [...others.slice(0, at), `${key}=${value}`, ...others.slice(at)]
}

function placeFor(tokens: readonly string[], key: MetadataKey): number {
  const earlier: readonly string[] = METADATA_KEYS.slice(0, METADATA_KEYS.indexOf(key))
  return tokens.findLastIndex((token) => earlier.includes(keyOf(token))) + 1
}
