const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })

/** A grapheme cluster is rarely longer; it gives the segmenter context beyond a cut without reading the whole text. */
const CONTEXT_UNITS = 64

/** How many UTF-16 units of `text`, from `start` on, fit into `maxBytes` of UTF-8, cut between code points. */
export function unitsWithin(text: string, start: number, maxBytes: number): number {
  let index = start
  let bytes = 0
  while (index < text.length) {
    const codePoint = text.codePointAt(index) as number
    const size = codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4
    if (bytes + size > maxBytes) break
    bytes += size
    index += size === 4 ? 2 : 1
  }
  return index - start
}

/**
 * The last boundary between grapheme clusters at or before `end`; `start` itself if one cluster fills all of it.
 * Only `text.slice(start, end)` and a little beyond it is read.
 */
export function graphemeBoundary(text: string, start: number, end: number): number {
  if (end >= text.length) return text.length
  const window = text.slice(start, end + CONTEXT_UNITS)
  const cluster = graphemes.segment(window).containing(end - start)
  return start + (cluster?.index ?? end - start)
}

/** The longest beginning of `text` of at most `maxBytes` UTF-8 bytes that ends between grapheme clusters (FMT-5). */
export function cutAtGrapheme(text: string, maxBytes: number): string {
  const end = unitsWithin(text, 0, maxBytes)
  return end === text.length ? text : text.slice(0, graphemeBoundary(text, 0, end))
}
