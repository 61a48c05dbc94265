import { parseInstant } from '@mono-agent/memory-store'

/** An instant as people of a zone read it. */
export interface CivilTime {
  /** `YYYY-MM-DD` */
  readonly day: string
  readonly weekday: string
  /** `HH:MM`, 24 hours. */
  readonly time: string
  readonly time_zone: string
  /** From UTC, `+02:00`. */
  readonly offset: string
}

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
/** Zones of long ago are off by seconds too. */
const OFFSET = /^GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/

/**
 * Day, weekday and time that an instant has in a zone: what relative dates count from (CAP-17).
 * @param instant  RFC 3339  @param timeZone  IANA
 * @throws {RangeError} either is not
 */
export function civilTime(instant: string, timeZone: string): CivilTime {
  const at = parseInstant(instant)
  if (at === undefined) throw new RangeError('A civil time can only be told of an RFC 3339 instant with an offset.')
  const [, sign = '+', hours = '00', minutes = '00', seconds = '00'] = OFFSET.exec(offsetName(at, timeZone)) ?? []
  const offsetMs = (sign === '-' ? -1 : 1) * ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000
  // Read off UTC: formats of a locale change with the data of a machine, and are Julian before 1582.
  const shifted = new Date(at + offsetMs)
  const civil = shifted.toISOString()
  return {
    day: civil.slice(0, 10),
    weekday: WEEKDAYS[shifted.getUTCDay()] as string,
    time: civil.slice(11, 16),
    time_zone: timeZone,
    offset: `${sign}${hours}:${minutes}`,
  }
}

/** By zone, of which there are some hundreds: making a format takes two milliseconds. */
const formats = new Map<string, Intl.DateTimeFormat>()

/** `GMT+02:00`; UTC is `GMT` or `GMT+00:00`. */
function offsetName(at: number, timeZone: string): string {
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
  formats.set(timeZone, format)
  const parts = format.formatToParts(at)
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT'
}
