/** Bytes of one line, without its end. Longer ones are passed over without being held in memory. */
export const MAX_LINE_BYTES = 32 * 1024 * 1024

export type Line =
  | { readonly number: number; readonly text: string }
  | { readonly number: number; readonly fault: 'not_utf8' | 'line_too_long' }

const LF = 0x0a
const BYTE_ORDER_MARK = '\uFEFF'

/**
 * Cuts bytes into lines: LF or CRLF, a byte order mark at the start left out, the last line with or without its end,
 * empty lines counted but not given. Holds at most one line, whatever the size of the file.
 */
export async function* splitLines(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number = MAX_LINE_BYTES,
): AsyncGenerator<Line> {
  let number = 1
  const pending = new PendingLine(maxBytes)
  for await (const chunk of chunks) {
    let start = 0
    for (let end = chunk.indexOf(LF, start); end !== -1; end = chunk.indexOf(LF, start)) {
      pending.add(chunk.subarray(start, end))
      const line = pending.take(number)
      if (line !== undefined) yield line
      number += 1
      start = end + 1
    }
    pending.add(chunk.subarray(start))
  }
  const last = pending.take(number)
  if (last !== undefined) yield last
}

/** The line that is being collected from chunks. */
class PendingLine {
  private parts: Uint8Array[] = []
  private length = 0

  constructor(private readonly maxBytes: number) {}

  add(part: Uint8Array): void {
    this.length += part.length
    if (this.length > this.maxBytes) this.parts = []
    else if (part.length > 0) this.parts.push(part)
  }

  take(number: number): Line | undefined {
    const { parts, length } = this
    this.parts = []
    this.length = 0
    if (length > this.maxBytes) return { number, fault: 'line_too_long' }
    return decodeLine(Buffer.concat(parts), number)
  }
}

function decodeLine(bytes: Uint8Array, number: number): Line | undefined {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return { number, fault: 'not_utf8' }
  }
  if (number === 1 && text.startsWith(BYTE_ORDER_MARK)) text = text.slice(1)
  text = text.trim()
  return text === '' ? undefined : { number, text }
}
