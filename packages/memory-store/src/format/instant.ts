const INSTANT = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:[Zz]|([+-])(\d\d):(\d\d))$/
const DAY = /^(\d{4})-(\d\d)-(\d\d)$/
const MINUTE_MS = 60_000
const YEAR_0 = Date.parse('0000-01-01T00:00:00.000Z')
const YEAR_9999_END = Date.parse('9999-12-31T23:59:59.999Z')

function daysInMonth(year: number, month: number): number {
  if (month !== 2) return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28
}

/** True for a day that exists in the Gregorian calendar, `YYYY-MM-DD`, years 0000..9999. */
export function isDay(text: string): boolean {
  const match = DAY.exec(text)
  if (match === null) return false
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])]
  return month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month)
}

/**
 * Reads an RFC 3339 instant: seconds and an offset are required, at most nine digits of a second, of which three count.
 * A leap second reads as the second after it.
 * @returns epoch milliseconds, or undefined if the text is no instant of the years 0000..9999 UTC
 */
export function parseInstant(text: string): number | undefined {
  const match = INSTANT.exec(text)
  if (match === null || !isDay(text.slice(0, 10))) return undefined
  const [hour, minute, second] = [Number(match[4]), Number(match[5]), Number(match[6])]
  const [offsetHour, offsetMinute] = [Number(match[9] ?? 0), Number(match[10] ?? 0)]
  if (hour > 23 || minute > 59 || second > 60 || offsetHour > 23 || offsetMinute > 59) return undefined
  const milliseconds = Number((match[7] ?? '').padEnd(3, '0').slice(0, 3))
  const offsetMs = (match[8] === '-' ? -1 : 1) * (offsetHour * 60 + offsetMinute) * MINUTE_MS
  // Date.UTC would read the years 0..99 as 1900..1999; an ISO day is read as it stands.
  const instant =
    Date.parse(`${text.slice(0, 10)}T00:00:00.000Z`) +
    ((hour * 60 + minute) * 60 + second) * 1000 +
    milliseconds -
    offsetMs
  return instant < YEAR_0 || instant > YEAR_9999_END ? undefined : instant
}

/** The form in which instants are written: RFC 3339, UTC, milliseconds. Undefined if `text` is no instant. */
export function normaliseInstant(text: string): string | undefined {
  const instant = parseInstant(text)
  return instant === undefined ? undefined : new Date(instant).toISOString()
}

/** The UTC day of an instant, `YYYY-MM-DD`. @throws {RangeError} `instant` is no RFC 3339 instant */
export function utcDay(instant: string): string {
  const normalised = normaliseInstant(instant)
  if (normalised === undefined) throw new RangeError('A day can only be taken from an RFC 3339 instant with an offset.')
  return normalised.slice(0, 10)
}
