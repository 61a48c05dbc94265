import { REFUSED_CHARACTERS, TAG_CHARACTERS, TAG_FLAG } from '@mono-agent/memory-store'

/** Tabs and whatever some reader takes for the end of a line. */
const BREAKS = /[\t-\r\u0085\u2028\u2029]+/gu

const ESC = '\\u001B'
/** Colours, places and the like: `ESC [`, or one character for both, and what belongs to it. */
const CONTROL_SEQUENCE = `(?:${ESC}\\[|\\u009B)[0-?]*[ -/]*[@-~]`
/** Titles, links and the like, up to their end; none holds the beginning of another one. */
const CONTROL_STRING = `(?:${ESC}[P\\]X^_]|[\\u0090\\u0098\\u009D-\\u009F])[^\\u0007\\u0080-\\u009F${ESC}]*(?:\\u0007|\\u009C|${ESC}\\\\)`
const TERMINAL_CODE = new RegExp(`${CONTROL_SEQUENCE}|${CONTROL_STRING}|${ESC}[ -/]*[0-~]`, 'gu')

/** What FMT-5 refuses. A flag of tag characters matches first and stays. */
const REFUSED = new RegExp(`(${TAG_FLAG})|[${REFUSED_CHARACTERS}${TAG_CHARACTERS}]+`, 'gu')
/** Full-width and small forms too: whoever normalises what we show (NFKC) makes brackets of them. */
const OPENING = /[<\uFF1C\uFE64]/gu
const CLOSING = /[>\uFF1E\uFE65]/gu
const FENCE = /`{3,}|~{3,}/g

const REPLACEMENT = '\uFFFD'

/**
 * One line that can be put anywhere into a block: it ends no line, opens or closes no tag and no fence, and every reader sees
 * the same of it. Codes for a terminal are taken out, tabs and line breaks become a space, whatever else FMT-5 refuses
 * becomes U+FFFD, so that it can be seen that something stood there. `<` and `>` become `‹` and `›`, three and more backticks
 * or tildes `'''`. Other text comes through as it is. Doing it twice changes nothing more. Linear time.
 */
export function plainLine(text: string): string {
  return text
    .replace(TERMINAL_CODE, '')
    .replace(BREAKS, ' ')
    .replace(REFUSED, (_refused, flag: string | undefined) => flag ?? REPLACEMENT)
    .replace(OPENING, '‹')
    .replace(CLOSING, '›')
    .replace(FENCE, "'''")
    .trim()
}
