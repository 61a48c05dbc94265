/** UTF-16 units of a turn that a prompt shows; some 12,000 tokens of English. Evidence is looked for in the whole turn. */
export const MAX_TURN_UNITS = 48_000
/** UTF-16 units of the words of the human, which are shown apart besides. */
export const MAX_HUMAN_UNITS = 16_000

/** A text as a prompt shows it. The cut is said beside the words, not within them: there anybody could write it. */
export type ShownText =
  { readonly text: string } | { readonly beginning: string; readonly left_out_characters: number; readonly end: string }

/** How far around a cut clusters are looked for; one is rarely longer. */
const CONTEXT_UNITS = 128

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })

/** All of `text`, or its two ends of at most half of `maxUnits` each, cut between grapheme clusters. */
export function showText(text: string, maxUnits: number): ShownText {
  if (text.length <= maxUnits) return { text }
  const half = Math.floor(maxUnits / 2)
  const beginning = text.slice(0, clusterAround(text, half).start)
  const tail = text.length - half
  const around = clusterAround(text, tail)
  const end = text.slice(around.start === tail ? tail : around.end)
  return { beginning, left_out_characters: text.length - beginning.length - end.length, end }
}

/** The cluster that holds the unit `at`, as far as some units around it can tell. */
function clusterAround(text: string, at: number): { readonly start: number; readonly end: number } {
  const from = at - Math.min(at, CONTEXT_UNITS)
  const cluster = graphemes.segment(text.slice(from, at + CONTEXT_UNITS)).containing(at - from)
  if (cluster === undefined) return { start: at, end: at }
  return { start: from + cluster.index, end: from + cluster.index + cluster.segment.length }
}
