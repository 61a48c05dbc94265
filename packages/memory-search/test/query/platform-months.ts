import { fold } from '../../src/query/fold.js'
import type { DateMarks } from '../../src/query/month-table.js'

/** Languages whose month names are understood. */
const MONTH_LANGUAGES =
  'en de fr es it pt nl sv da nb fi pl cs sk hu ro hr uk ru bg el tr id vi ca ar he hi fa th'.split(' ')

/** Languages that write a date as numbers with a character after each: `2026年5月8日`. */
const MARKED_LANGUAGES = ['ja', 'zh', 'ko']

const LINE = 112

const NOT_LETTERS = /^[^\p{L}\p{M}]+|[^\p{L}\p{M}]+$/gu
const middleOf = (month: number): Date => new Date(Date.UTC(2001, month - 1, 15))

function monthsOf(language: string, options: Intl.DateTimeFormatOptions): string[] {
  const format = new Intl.DateTimeFormat(language, {
    ...options,
    timeZone: 'UTC',
    calendar: 'gregory',
    numberingSystem: 'latn',
  })
  return Array.from({ length: 12 }, (_, at) => {
    const part = format.formatToParts(middleOf(at + 1)).find(({ type }) => type === 'month')
    return fold(part?.value ?? '').replace(NOT_LETTERS, '')
  })
}

/** Alone and beside a day (Slavic languages decline it), in full and short. */
const FORMS: readonly Intl.DateTimeFormatOptions[] = [
  { month: 'long' },
  { month: 'long', day: 'numeric' },
  { month: 'short' },
  { month: 'short', day: 'numeric' },
]

/** Folded month name → month, 1..12. A name that two languages give to different months (Czech and Croatian do) is left out. */
export function platformMonthNames(): ReadonlyMap<string, number> {
  const found = new Map<string, number>()
  const ambiguous = new Set<string>()
  for (const language of MONTH_LANGUAGES) {
    for (const form of FORMS) {
      monthsOf(language, form).forEach((name, at) => {
        // One word of letters; a month that is written as a number has no name.
        if (!/^[\p{L}\p{M}]{3,}$/u.test(name)) return
        if ((found.get(name) ?? at + 1) !== at + 1) ambiguous.add(name)
        found.set(name, at + 1)
      })
    }
  }
  for (const name of ambiguous) found.delete(name)
  return found
}

/** Each once. */
export function platformDateMarks(): readonly DateMarks[] {
  const all = MARKED_LANGUAGES.map((language) => {
    const format = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC', numberingSystem: 'latn' })
    const parts = format.formatToParts(middleOf(5))
    const after = (type: string): string => {
      const at = parts.findIndex((part) => part.type === type)
      const [value, next] = [parts[at]?.value ?? '', parts[at + 1]?.value ?? '']
      return fold((value.replace(/\d+/g, '') + next).trim())
    }
    return { year: after('year'), month: after('month'), day: after('day') }
  })
  return all.filter((marks, at) => all.findIndex(({ year }) => year === marks.year) === at)
}

/** `month-table.ts` as this platform would have it. */
export function platformMonthTable(): string {
  const names = platformMonthNames()
  const months = Array.from({ length: 12 }, (_, at) => {
    const ofMonth = [...names].filter(([, month]) => month === at + 1).map(([name]) => name)
    return `  [\n${linesOf(ofMonth).map((line) => `    '${line}',`).join('\n')}\n  ],` // prettier-ignore
  })
  const marks = platformDateMarks().map(
    ({ year, month, day }) => `  { year: '${year}', month: '${month}', day: '${day}' },`,
  )
  return `/*
 * Month names of some thirty languages, and how some others mark a date: Unicode's locale data, which every platform has,
 * as a table. To ask the platform for them takes it forty milliseconds. Made and held against it by month-table.test.ts,
 * which says how to make it anew.
 */

/** The version of the locale data. */
export const CLDR = '${process.versions['cldr'] ?? ''}'

/** Of each month, folded; those that two languages give to different months are left out. */
export const MONTH_NAMES: readonly (readonly string[])[] = [
${months.join('\n')}
]

/** What stands after the numbers of a date. */
export interface DateMarks {
  readonly year: string
  readonly month: string
  readonly day: string
}

export const DATE_MARKS: readonly DateMarks[] = [
${marks.join('\n')}
]
`
}

function linesOf(names: readonly string[]): string[] {
  const lines: string[] = []
  for (const name of names) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + name.length <= LINE) lines[lines.length - 1] = `${last} ${name}`
    else lines.push(name)
  }
  return lines
}
