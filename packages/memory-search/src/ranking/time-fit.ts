import type { TimeMention } from '../query/time-mention.js'

/** People tell of a day on it or in the days after. */
export const FOLLOWING_DAYS = 7
const FOLLOWING_FIT = 0.5
/** A year is shared by so many records that it says less. */
const YEAR_FIT = 0.5

const DAY_MS = 86_400_000

/** A time a record can carry, and how well it then fits what the query named. */
export interface TimeLevel {
  readonly mention: TimeMention
  readonly fit: number
}

function isRealDay(date: Date, { month, day }: TimeMention): boolean {
  return date.getUTCMonth() + 1 === month && date.getUTCDate() === day
}

/** The day and those after it, without a year where none was named. Leap years count when there is none. */
function followingDays(mention: TimeMention): TimeMention[] {
  const { year, month, day } = mention
  if (month === undefined || day === undefined) return []
  const start = Date.UTC(year ?? 2000, month - 1, day)
  if (!isRealDay(new Date(start), mention)) return [] // 31 April: no record has that day, nor the days after it
  return Array.from({ length: FOLLOWING_DAYS }, (_, at) => {
    const date = new Date(start + (at + 1) * DAY_MS)
    const rest = { month: date.getUTCMonth() + 1, day: date.getUTCDate() }
    return year === undefined ? rest : { year: date.getUTCFullYear(), ...rest }
  })
}

/** Every time that fits one of the mentions, with its fit in 0..1: what the index is asked for, and what hits are judged by. */
export function timeLevels(mentions: readonly TimeMention[]): TimeLevel[] {
  return mentions.flatMap((mention) => [
    { mention, fit: mention.month === undefined ? YEAR_FIT : 1 },
    ...followingDays(mention).map((day) => ({ mention: day, fit: FOLLOWING_FIT })),
  ])
}

function holds({ year, month, day }: TimeMention, date: readonly (number | undefined)[]): boolean {
  return (
    (year === undefined || year === date[0]) &&
    (month === undefined || month === date[1]) &&
    (day === undefined || day === date[2])
  )
}

/** How well a record's day fits what the query names (SEA-10), 0..1. @param day `YYYY-MM-DD`, UTC */
export function timeFit(day: string, levels: readonly TimeLevel[]): number {
  if (levels.length === 0) return 0
  const date = day.split('-').map(Number)
  return levels.reduce((best, { mention, fit }) => (fit > best && holds(mention, date) ? fit : best), 0)
}
