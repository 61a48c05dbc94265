import { fold } from './fold.js'

/** Languages whose month names are understood. The names themselves come from the platform's locale data. */
export const MONTH_LANGUAGES =
  'en de fr es it pt nl sv da nb fi pl cs sk hu ro hr uk ru bg el tr id vi ca ar he hi fa th'.split(' ')

/** Languages that write a date as numbers with a character after each: `2026年5月8日`. */
const MARKED_LANGUAGES = ['ja', 'zh', 'ko']

/** Shorter names are also words of daily life (`may`, `mar`), so they need a number beside them or a capital letter. */
export const SURE_NAME_LENGTH = 4

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
function collectMonthNames(): ReadonlyMap<string, number> {
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

export interface DateMarks {
  readonly year: string
  readonly month: string
  readonly day: string
}

function collectDateMarks(): readonly DateMarks[] {
  return MARKED_LANGUAGES.map((language) => {
    const format = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC', numberingSystem: 'latn' })
    const parts = format.formatToParts(middleOf(5))
    const after = (type: string): string => {
      const at = parts.findIndex((part) => part.type === type)
      const [value, next] = [parts[at]?.value ?? '', parts[at + 1]?.value ?? '']
      return fold((value.replace(/\d+/g, '') + next).trim())
    }
    return { year: after('year'), month: after('month'), day: after('day') }
  })
}

let names: ReadonlyMap<string, number> | undefined
let marks: readonly DateMarks[] | undefined

/** Built when first asked for: some thirty languages of locale data, about 20 ms. */
export const monthNames = (): ReadonlyMap<string, number> => (names ??= collectMonthNames())
export const dateMarks = (): readonly DateMarks[] => (marks ??= collectDateMarks())
