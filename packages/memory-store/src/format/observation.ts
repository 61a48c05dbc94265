import { graphemeBoundary, unitsWithin } from './grapheme.js'
import { MAX_SENTENCE_BYTES, REFUSED_CHARACTERS, TAG_CHARACTERS, TAG_FLAG } from './sentence.js'
import { foldWhiteSpace } from './white-space.js'

const REFUSED = new RegExp(`(${TAG_FLAG})|[${REFUSED_CHARACTERS}${TAG_CHARACTERS}]`, 'gu')
const COMMENT_DELIMITER = /-->|<!--(?=mem)/g
const WHITE_SPACE_RUN = /\p{White_Space}+/gu

/**
 * An observation as one line that a sentence may hold, however long (CAP-1): white space, line breaks and tabs included,
 * folded; then what FMT-5 refuses taken out. `-->`, and `<!--` before `mem`, become a space, so that the words around them
 * stay two and nothing new can close up. Words are never lost. Normalising twice changes nothing more.
 */
export function normaliseObservation(text: string): string {
  // White space first: line breaks are control characters too, and must part words before those are taken out.
  const oneLine = text.replace(WHITE_SPACE_RUN, ' ')
  const allowed = oneLine.replace(REFUSED, (_match, flag: string | undefined) => flag ?? '')
  return foldWhiteSpace(allowed.replace(COMMENT_DELIMITER, ' '))
}

const sentences = new Intl.Segmenter('und', { granularity: 'sentence' })
const words = new Intl.Segmenter('und', { granularity: 'word' })
/** What a segmenter sees beyond the limit, so that a boundary there is one of the whole text. */
const CONTEXT_UNITS = 64

/**
 * Splits an observation into sentences of 1..2,048 bytes (CAP-1): at the end of a sentence, else of a word, else between
 * grapheme clusters; a single cluster longer than that is split between code points. The parts hold every word in order;
 * only the space at a split is left out. Takes linear time. Normalises first, so any text will do; white space gives none.
 */
export function splitObservation(text: string): string[] {
  const observation = normaliseObservation(text)
  const parts: string[] = []
  let start = 0
  while (start < observation.length) {
    if (observation[start] === ' ') {
      start++
      continue
    }
    const limit = start + unitsWithin(observation, start, MAX_SENTENCE_BYTES)
    const end = limit === observation.length ? limit : splitPoint(observation, start, limit)
    parts.push(observation.slice(start, end).trimEnd())
    start = end
  }
  return parts
}

/** Where the part from `start` ends: after `start`, at most at `limit`, both between code points. */
function splitPoint(text: string, start: number, limit: number): number {
  const window = text.slice(start, limit + CONTEXT_UNITS)
  const within = limit - start
  const sentenceEnd = boundaryIn(sentences, window, within)
  if (sentenceEnd > 0) return start + sentenceEnd
  // A space is the better end of a word where there is one: the segmenter would also cut before a comma.
  const space = window.lastIndexOf(' ', within)
  if (space > 0) return start + space
  const wordEnd = boundaryIn(words, window, within)
  if (wordEnd > 0) return start + wordEnd
  const cluster = graphemeBoundary(text, start, limit)
  return cluster > start ? cluster : codePointBoundary(text, limit)
}

/** The last boundary at or before `within`; 0 if there is none. */
function boundaryIn(segmenter: Intl.Segmenter, window: string, within: number): number {
  return segmenter.segment(window).containing(within)?.index ?? within
}

/** `limit`, or the beginning of the emoji flag that it would cut: half a flag is refused text (FMT-5). */
function codePointBoundary(text: string, limit: number): number {
  let end = limit
  while (isTag(text.codePointAt(end))) end -= 2
  return end
}

function isTag(codePoint: number | undefined): boolean {
  return codePoint !== undefined && codePoint >= 0xe0000 && codePoint <= 0xe007f
}
