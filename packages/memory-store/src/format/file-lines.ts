/** A line without its line feed; bytes where it is not UTF-8, so that it can be written back as it was. */
export type FileLine = string | Uint8Array

const LINE_FEED = 0x0a
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function decode(bytes: Uint8Array): FileLine {
  try {
    return utf8.decode(bytes)
  } catch {
    return bytes // not UTF-8: somebody's, and theirs to keep
  }
}

function splitBytes(bytes: Uint8Array): Uint8Array[] {
  const lines: Uint8Array[] = []
  let start = 0
  for (let end = bytes.indexOf(LINE_FEED); end !== -1; end = bytes.indexOf(LINE_FEED, start)) {
    lines.push(bytes.slice(start, end))
    start = end + 1
  }
  lines.push(bytes.slice(start))
  return lines
}

/** The lines of a file. One that is UTF-8 is decoded at once, any other line by line. */
export function splitFileLines(bytes: Uint8Array): FileLine[] {
  const text = decode(bytes)
  const lines = typeof text === 'string' ? text.split('\n') : splitBytes(text).map(decode)
  if (lines.at(-1)?.length === 0) lines.pop() // what follows the last line feed is no line
  return lines
}

/** The bytes of text and raw lines, one after the other. */
export function joinBytes(parts: readonly FileLine[]): Uint8Array {
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)))
}
