import { Temporal } from 'temporal-polyfill'

/** The last day that the format can write (FMT-3). */
const LAST_DAY = '9999-12-31'

/**
 * The civil day that an instant falls on in a zone, `YYYY-MM-DD`: such days compare as strings. The calendar is the
 * proleptic Gregorian one, as in ISO 8601. East of UTC the last hours of the format's time already lie in the year 10000;
 * they count as its last day, so that what holds up to then never ends.
 * @param at  epoch milliseconds, of the years 0000..9999  @param timeZone  IANA
 * @throws {RangeError} no such zone
 */
export function civilDay(at: number, timeZone: string): string {
  const day = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone).toPlainDate().toString()
  return day.startsWith('+') ? LAST_DAY : day
}
