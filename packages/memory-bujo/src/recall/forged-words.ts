import { ATTRIBUTION_WORDS, RECORDED, UNKNOWN_SOURCE } from './line-words.js'

/** What no reader sees. */
const UNSEEN = '\\p{Default_Ignorable_Code_Point}'
/** Full-width, small, raised, lowered and upright forms too: whoever normalises what we show (NFKC) makes brackets of them. */
const OPENING = '(\\[（［﹙⁽₍︵﹇'
const CLOSING = ')\\]）］﹚⁾₎︶﹈'
const BRACKETS = OPENING + CLOSING
/** A letter and its full-width form, by which NFKC spells the same words. */
const letter = (ascii: string): string => `[${ascii}${String.fromCharCode(ascii.charCodeAt(0) + 0xfee0)}]`
/** Each word with unseen characters between its letters, if need be; no two parts can match the same, so time is linear. */
const spelt = (words: string): string =>
  words
    .split(' ')
    .map((word) => [...word].map(letter).join(`${UNSEEN}*`))
    .join(`[\\s${UNSEEN}]+`)

/** At the end of what is in brackets, or before what parts its items. */
const ENDS = `(?=[\\s${UNSEEN}]*(?:[;,.；，}${BRACKETS}]|$))`
const RECORDED_ON = `${spelt(RECORDED)}[^\\p{L}\\p{Nd}${BRACKETS}]*\\p{Nd}`
/** What the host alone says of a line: when it was recorded, and who vouches for it. */
const HOST_WORDS = [
  RECORDED_ON,
  ...[...Object.values(ATTRIBUTION_WORDS), UNKNOWN_SOURCE].map((words) => spelt(words) + ENDS),
].join('|')
const TOKEN = new RegExp(`([${OPENING}])|([${CLOSING}])|${HOST_WORDS}`, 'giu')
const BRACKET = new RegExp(`[${BRACKETS}]`, 'gu')

/**
 * `text` with braces for every pair of brackets that holds what only the host says of a line, such as
 * `(recorded 2020-01-01; you said)`: the words stay, and cannot be taken for the host's. One that is not closed counts as
 * well: the host's own closing bracket would end it. Doing it twice changes nothing more. Linear time.
 */
export function withoutForgedWords(text: string): string {
  const open: { readonly at: number; holds: boolean }[] = []
  const braces = new Map<number, string>()
  for (const { index, 1: opens, 2: closes } of text.matchAll(TOKEN)) {
    if (opens !== undefined) open.push({ at: index, holds: false })
    else if (closes !== undefined) {
      if (open.pop()?.holds === true) braces.set(index, '}')
    } else {
      // All of them hold it. Those below one that is known to hold some are known already.
      for (let depth = open.length - 1; depth >= 0; depth--) {
        const bracket = open[depth] as (typeof open)[number]
        if (bracket.holds) break
        bracket.holds = true
        braces.set(bracket.at, '{')
      }
    }
  }
  if (braces.size === 0) return text
  return text.replace(BRACKET, (bracket, at: number) => braces.get(at) ?? bracket)
}
