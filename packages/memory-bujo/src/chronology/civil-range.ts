import { isDay } from '@mono-agent/memory-store'
import { Temporal } from 'temporal-polyfill'
import { BujoError } from '../errors.js'

/** Civil days of one range, both ends included (REC-22). */
export const MAX_RANGE_DAYS = 31

/** Days as a person names them, both ends included, in the zone they were meant in. */
export interface CivilDays {
  /** `YYYY-MM-DD`. */
  readonly fromDate: string
  readonly throughDate: string
  /** IANA name. */
  readonly timeZone: string
}

/** Half-open, epoch milliseconds. */
export interface Interval {
  readonly from: number
  readonly before: number
}

/** The longest name of an IANA zone has half of that. */
const MAX_ZONE_LENGTH = 64
/** Names only: an offset such as `+02:00` says nothing of the day on which the clocks change, so it is no zone. */
const ZONE_NAME = /^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+)*$/
/** ISO 8601 of the years 0000..9999, which is what instants are written as. */
const PLAIN_INSTANT_LENGTH = '2026-05-01T00:00:00.000Z'.length

/**
 * The instants that civil days cover: from the first one of `fromDate` up to the first one after `throughDate`. A day begins
 * at its first midnight; where the clocks skip midnight, at the moment they jump; where they go back over it, at the first
 * of both. So the days of a zone follow each other without a gap and share nothing, whatever its clocks do.
 * @throws {BujoError} `range_invalid`: a date that does not exist, in the calendar or in the zone (`Pacific/Apia` had no
 *   2011-12-30), a zone that does not exist (none is ever guessed), the ends the wrong way round, more than 31 days
 */
export function resolveCivilRange({ fromDate, throughDate, timeZone }: CivilDays): Interval {
  const first = dayOf('fromDate', fromDate)
  const last = dayOf('throughDate', throughDate)
  const zone = knownZone(timeZone)
  const days = first.until(last, { largestUnit: 'day' }).days + 1
  if (days < 1) throw invalid('fromDate is after throughDate', 'Give the earlier day as fromDate')
  if (days > MAX_RANGE_DAYS) {
    throw invalid(`The range has ${days} days, ends included; ${MAX_RANGE_DAYS} are allowed`, 'Ask for it in parts')
  }
  for (const day of [first, last]) {
    // A day that the zone left out would begin with the day after it.
    if (day.toZonedDateTime(zone).toPlainDate().equals(day)) continue
    throw invalid(`${day.toString()} does not exist in this zone, which skipped that day`, 'Give a day beside it')
  }
  return withinWrittenYears(beginningOf(first, zone), beginningOf(last.add({ days: 1 }), zone))
}

function dayOf(name: 'fromDate' | 'throughDate', text: string): Temporal.PlainDate {
  // What is wrong is not repeated: it may be anything. A name and the form are enough to mend it.
  if (typeof text !== 'string' || !isDay(text)) {
    throw invalid(`${name} is no day of the calendar`, 'Give one as YYYY-MM-DD')
  }
  return Temporal.PlainDate.from(text)
}

function knownZone(timeZone: string): string {
  const isName = typeof timeZone === 'string' && timeZone.length <= MAX_ZONE_LENGTH && ZONE_NAME.test(timeZone)
  if (isName && isKnown(timeZone)) return timeZone
  throw invalid(
    'timeZone is no IANA zone that this machine knows',
    'Give its name, such as Europe/Rome or UTC; an offset or an abbreviation is no zone',
  )
}

/** `Intl` alone takes abbreviations that mean several zones, such as `IST`; days are reckoned by `Temporal`, which does not. */
function isKnown(timeZone: string): boolean {
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(timeZone)
    return true
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

const beginningOf = (day: Temporal.PlainDate, zone: string): number => day.toZonedDateTime(zone).epochMilliseconds

function withinWrittenYears(from: number, before: number): Interval {
  const isWritten = [from, before].every((at) => new Date(at).toISOString().length === PLAIN_INSTANT_LENGTH)
  if (!isWritten) throw invalid('The range reaches beyond the years 0000 to 9999 UTC', 'Ask for other days')
  return { from, before }
}

function invalid(fault: string, mend: string): BujoError {
  return new BujoError('range_invalid', `${fault}. Nothing was read. ${mend}.`)
}
