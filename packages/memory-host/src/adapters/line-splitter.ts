/** A line without its end, or a mark for one that was longer than allowed and is dropped. */
export type Line = { readonly kind: 'line'; readonly bytes: Uint8Array } | { readonly kind: 'oversize' }

export interface LineSplitter {
  /** Lines that end in this chunk, in order. */
  push(chunk: Uint8Array): Line[]
  /** What stands after the last line end, once nothing more comes. */
  end(): Line[]
}

const LINE_END = 0x0a

/**
 * Splits bytes into lines and holds no more than `maxBytes` of an unfinished one: the rest of a longer line is passed over.
 * @param maxBytes  of a line without its end
 */
export function createLineSplitter(maxBytes: number): LineSplitter {
  let parts: Uint8Array[] = []
  let held = 0
  let isOversize = false

  function take(bytes: Uint8Array): void {
    held += bytes.length
    if (held > maxBytes) {
      isOversize = true
      parts = []
    } else if (bytes.length > 0) parts.push(bytes)
  }

  function finish(): Line {
    const line: Line = isOversize ? { kind: 'oversize' } : { kind: 'line', bytes: Buffer.concat(parts) }
    parts = []
    held = 0
    isOversize = false
    return line
  }

  return {
    push(chunk) {
      const lines: Line[] = []
      let start = 0
      for (let end = chunk.indexOf(LINE_END); end !== -1; end = chunk.indexOf(LINE_END, start)) {
        take(chunk.subarray(start, end))
        lines.push(finish())
        start = end + 1
      }
      take(chunk.subarray(start))
      return lines
    },
    end: () => (held === 0 ? [] : [finish()]),
  }
}
