import { sha256Hex } from '@mono-agent/memory-store'

/**
 * UTF-16 units that one mark covers; longer lines get several. A bound, so that forged marks cannot make looking at them
 * dear: a record full of them costs some 80 MB of hashing.
 */
const MAX_COVERED_UNITS = 4_096
/** Hex digits of the digest in a mark. */
const DIGEST_DIGITS = 16

const MARK = /⟦memory:(\d{1,4}):([0-9a-f]{16})⟧/gu

/**
 * Marks what memory delivered in a text that will be captured, so that it is no evidence (CAP-28): each line of `text`
 * that is one of `lines`, white space aside, gets a mark before it, also where it is quoted (`> `) or stands in a JSON
 * string, as the messages of most models do. A host calls this on what it hands over as `captureText` or `userText`; of a
 * piece that is memory as a whole (a tool's result), `lines` is that piece.
 *
 * A mark says how many units after it are memory's, and their digest. Content that forges one can only cover words that it
 * knows beforehand, which are its own: it takes itself out of the evidence and nothing else, and it cannot end a mark early.
 * @param lines  as they were shown, whole lines; one with line breaks in it counts as several
 */
export function markDeliveredMemory(text: string, lines: readonly string[]): string {
  const delivered = new Set(lines.flatMap((line) => line.split(LINE_BREAK)).map(folded))
  delivered.delete('')
  if (delivered.size === 0) return text
  const written = new Set([...delivered].flatMap(asWrittenInJson))
  const markedPiece = (piece: string): string => {
    const words = piece.replace(QUOTED, '')
    return written.has(folded(words)) ? piece.slice(0, piece.length - words.length) + marked(words) : piece
  }
  return text
    .split(KEPT_LINE_BREAK)
    .map((line) => (delivered.has(folded(line)) ? marked(line) : line.split(KEPT_JSON_BREAK).map(markedPiece).join('')))
    .join('')
}

/** `text` without the words that marks cover, and without those marks; a mark that does not fit what follows it stays. */
export function withoutDelivered(text: string): string {
  let kept = ''
  let end = -1 // of what is covered so far; marks may lie in what another covers, and all of them count
  for (const match of text.matchAll(MARK)) {
    const from = match.index + match[0].length
    const to = from + Number(match[1])
    if (digestOf(text.slice(from, to)) !== match[2]) continue
    // A line break takes its place: words on both sides must not become one.
    if (match.index > end) kept += `${text.slice(Math.max(end, 0), match.index)}\n`
    end = Math.max(end, to)
  }
  return kept + text.slice(Math.max(end, 0))
}

const LINE_BREAK = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/u
const KEPT_LINE_BREAK = /(\r\n|[\n\v\f\r\u0085\u2028\u2029])/u

/** How JSON writes a line break; with more backslashes where it is JSON within JSON. */
const KEPT_JSON_BREAK = /((?<!\\)\\+n)/u
const QUOTED = /^(?:\s*>)+/u

/** A line, also as a string of JSON holds it, and one of JSON within JSON. */
function asWrittenInJson(line: string): string[] {
  const once = JSON.stringify(line).slice(1, -1)
  return [line, once, JSON.stringify(once).slice(1, -1)]
}

const folded = (line: string): string => line.replace(/\p{White_Space}+/gu, ' ').trim()

function marked(line: string): string {
  let result = ''
  for (let start = 0; start < line.length;) {
    const end = pieceEnd(line, start)
    const piece = line.slice(start, end)
    result += `⟦memory:${piece.length}:${digestOf(piece)}⟧${piece}`
    start = end
  }
  return result
}

/** Not between the halves of a surrogate pair: a half alone would be another character once it is written. */
function pieceEnd(line: string, start: number): number {
  const end = Math.min(start + MAX_COVERED_UNITS, line.length)
  return end < line.length && /[\uDC00-\uDFFF]/.test(line.charAt(end)) ? end - 1 : end
}

const digestOf = (words: string): string => sha256Hex(words).slice(0, DIGEST_DIGITS)
