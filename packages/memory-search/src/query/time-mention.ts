import { fold, wellFormed } from './fold.js'
import { lazyPattern } from './lazy-pattern.js'
import { monthNames, SURE_NAME_LENGTH } from './month-names.js'
import { DATE_MARKS } from './month-table.js'

/** A year, a month or a day that a query names; what it leaves open is absent. `day` never comes without `month`. */
export interface TimeMention {
  readonly year?: number
  readonly month?: number
  readonly day?: number
}

/** Mentions beyond these are not looked at. */
export const MAX_TIME_MENTIONS = 4

/** UTF-16 units of a query in which times are looked for. */
const MAX_LENGTH = 2_000

interface Word {
  /** Folded. */
  readonly text: string
  readonly typed: string
}

const DIGIT = /\d/
const CAPITAL = lazyPattern(String.raw`^\p{Lu}`, 'u')
const ISO = /(?<!\d)(\d{4})-(\d\d)(?:-(\d\d))?(?![\d-])/g
const WORD = lazyPattern(String.raw`[\p{L}\p{M}]+|\d+`, 'gu')
/** Between a day and its month only such short words stand: `8 de mayo`, `8th of May`. */
const MAX_LINK_LENGTH = 2
const ORDINAL = /^(?:st|nd|rd|th|er|e|o|a|de|of|do|da|di|el|den)$/u

const isYear = (value: number): boolean => value >= 1900 && value <= 2099
const isMonth = (value: number): boolean => value >= 1 && value <= 12
const isDayNumber = (value: number): boolean => value >= 1 && value <= 31

function mention(year: number | undefined, month?: number, day?: number): TimeMention {
  return {
    ...(year === undefined ? {} : { year }),
    ...(month === undefined ? {} : { month }),
    ...(day === undefined ? {} : { day }),
  }
}

/** Takes out what `pattern` finds, so that its numbers are not read again. */
function take(
  text: string,
  pattern: RegExp,
  read: (groups: (number | undefined)[]) => TimeMention | undefined,
  into: TimeMention[],
) {
  return text.replace(pattern, (whole: string, ...rest: unknown[]) => {
    const groups = rest.slice(0, 3).map((part) => (typeof part === 'string' ? Number(part) : undefined))
    const found = read(groups)
    if (found === undefined) return whole
    into.push(found)
    return ' , '
  })
}

function readNumbers([year, month, day]: (number | undefined)[]): TimeMention | undefined {
  if (year !== undefined && !isYear(year)) return undefined
  if (month !== undefined && !isMonth(month)) return undefined
  return day === undefined || isDayNumber(day) ? mention(year, month, day) : undefined
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

let patterns: readonly RegExp[] | undefined

/** Of dates with their marks, in the order in which they are looked for; made once, for that costs more than to look. */
const markedDates = (): readonly RegExp[] =>
  (patterns ??= DATE_MARKS.flatMap(({ year, month, day }) => {
    const [y, m, d] = [escaped(year), escaped(month), escaped(day)]
    return [
      new RegExp(`(?:(\\d{4})\\s*${y}\\s*)?(?<!\\d)(\\d{1,2})\\s*${m}(?:\\s*(\\d{1,2})\\s*${d})?`, 'gu'),
      new RegExp(`(\\d{4})\\s*${y}`, 'gu'),
    ]
  }))

const takeMarkedDates = (text: string, into: TimeMention[]): string =>
  markedDates().reduce((rest, pattern) => take(rest, pattern, readNumbers, into), text)

/** The number beside `at` in one direction, over an ordinal or a short link word. */
function numberBeside(words: readonly Word[], at: number, step: 1 | -1): { value: number; at: number } | undefined {
  for (let index = at + step, skipped = 0; skipped <= MAX_LINK_LENGTH; index += step, skipped++) {
    const word = words[index]
    if (word === undefined) return undefined
    if (/^\d+$/.test(word.text)) return { value: Number(word.text), at: index }
    if (!ORDINAL.test(word.text)) return undefined
  }
  return undefined
}

function takeMonthNames(words: readonly Word[], into: TimeMention[]): Set<number> {
  const used = new Set<number>()
  words.forEach((word, at) => {
    const month = monthNames().get(word.text)
    if (month === undefined) return
    const beside = [numberBeside(words, at, -1), numberBeside(words, at, 1)].filter((number) => number !== undefined)
    const day = beside.find(({ value, at: place }) => isDayNumber(value) && !used.has(place))
    const afterDay = day === undefined || day.at < at ? at : day.at
    const year = [...beside, numberBeside(words, afterDay, 1)].find(
      (number) => number !== undefined && isYear(number.value),
    )
    // Its first word has a capital in every sentence, so there it says nothing.
    const isSure = word.text.length >= SURE_NAME_LENGTH || (at > 0 && CAPITAL().test(word.typed))
    if (!isSure && day === undefined && year === undefined) return
    for (const number of [day, year]) if (number !== undefined) used.add(number.at)
    into.push(mention(year?.value, month, day?.value))
  })
  return used
}

/**
 * The days, months and years that a query names (SEA-10): ISO dates, month names of some thirty languages with or without
 * day and year, `2026年5月8日` and its like, years 1900..2099. Relative words (`yesterday`) and all-number dates such as
 * 5/8/2026, which mean two days, are not read.
 */
export function timeMentions(query: string): TimeMention[] {
  const found: TimeMention[] = []
  let text = wellFormed(query.slice(0, MAX_LENGTH))
  // Most queries have no number, and all dates but the names of months have one.
  if (DIGIT.test(text)) {
    text = take(
      text,
      ISO,
      ([year, month, day]) => (month === undefined ? undefined : readNumbers([year, month, day])),
      found,
    )
  }
  text = text.normalize('NFKC')
  if (DIGIT.test(text)) text = takeMarkedDates(text, found)
  const words = Array.from(text.matchAll(WORD()), ([word]) => ({ text: fold(word), typed: word }))
  const used = takeMonthNames(words, found)
  words.forEach(({ text: word }, at) => {
    if (/^\d{4}$/.test(word) && !used.has(at) && isYear(Number(word))) found.push(mention(Number(word)))
  })
  return found.slice(0, MAX_TIME_MENTIONS)
}
