import { graphemeBoundary, unitsWithin } from './grapheme.js'
import { MAX_SENTENCE_BYTES, REFUSED_CHARACTERS, TAG_CHARACTERS, TAG_FLAG } from './sentence.js'
import { inSlices, runToEnd, type Stepwise } from './stepwise.js'
import { trimWhiteSpace } from './white-space.js'

const REFUSED = new RegExp(`(${TAG_FLAG})|[${REFUSED_CHARACTERS}${TAG_CHARACTERS}]`, 'gu')
const COMMENT_DELIMITER = /-->|<!--(?=mem)/g
const WHITE_SPACE_RUN = /\p{White_Space}+/gu

/**
 * An observation as one line that a sentence may hold, however long (CAP-1): white space, line breaks and tabs included,
 * folded; then what FMT-5 refuses taken out. `-->`, and `<!--` before `mem`, become a space, so that the words around them
 * stay two and nothing new can close up. Words are never lost. Normalising twice changes nothing more.
 */
export function normaliseObservation(text: string): string {
  return runToEnd(normaliseStepwise(text))
}

/** `normaliseObservation` in parts of a few milliseconds, whatever the length. */
export function* normaliseStepwise(text: string): Stepwise<string> {
  let allowed = ''
  for (const slice of inSlices(text, mayPartFlags)) {
    // White space first: line breaks are control characters too, and must part words before those are taken out.
    allowed += slice.replace(WHITE_SPACE_RUN, ' ').replace(REFUSED, '$1')
    if (slice.length < text.length) yield
  }
  let line = ''
  for (const slice of inSlices(allowed, mayPartComments)) {
    const folded = slice.replace(COMMENT_DELIMITER, ' ').replace(WHITE_SPACE_RUN, ' ')
    line += line.endsWith(' ') && folded.startsWith(' ') ? folded.slice(1) : folded
    if (slice.length < allowed.length) yield
  }
  return trimWhiteSpace(line)
}

/** Whether a cut at `at` leaves surrogate pairs and emoji flags whole. */
function mayPartFlags(text: string, at: number): boolean {
  const unit = text.charCodeAt(at)
  return (unit < 0xdc00 || unit > 0xdfff) && !isTag(text.codePointAt(at))
}

/** Whether a cut at `at` leaves every `-->` and `<!--mem` whole. */
function mayPartComments(text: string, at: number): boolean {
  return text[at - 1] === ' ' || !'->!me'.includes(text[at] as string)
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
  return runToEnd(splitStepwise(text))
}

/** `splitObservation` in parts of a few milliseconds, whatever the length. */
export function* splitStepwise(text: string): Stepwise<string[]> {
  const observation = yield* normaliseStepwise(text)
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
    if (start < observation.length) yield
  }
  return parts
}

/** Where the part from `start` ends: after `start`, at most at `limit`, both between code points. */
function splitPoint(text: string, start: number, limit: number): number {
  const window = text.slice(start, limit + CONTEXT_UNITS)
  const within = limit - start
  const sentenceEnd = lastSentenceEnd(window, within)
  if (sentenceEnd > 0) return start + sentenceEnd
  // A space is the better end of a word where there is one: the segmenter would also cut before a comma.
  const space = window.lastIndexOf(' ', within)
  if (space > 0) return start + space
  const wordEnd = words.segment(window).containing(within)?.index ?? within
  if (wordEnd > 0) return start + wordEnd
  const cluster = graphemeBoundary(text, start, limit)
  return cluster > start ? cluster : codePointBoundary(text, limit)
}

/**
 * The last end of a sentence at or before `within`; 0 if there is none. Where the script has spaces one must follow: to
 * the segmenter a sentence also ends inside `https://example.org/?q=1`.
 */
function lastSentenceEnd(window: string, within: number): number {
  let end = 0
  for (const { index } of sentences.segment(window)) {
    if (index > within) break
    if (index > 0 && !/[!-~]/.test(window[index - 1] as string)) end = index
  }
  return end
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
