/** An instant as people of a zone read it. */
export interface CivilTime {
  /** `YYYY-MM-DD` */
  readonly day: string
  readonly weekday: string
  /** `HH:MM`, 24 hours. */
  readonly time: string
  readonly time_zone: string
  /** `GMT+02:00`; `GMT` alone is UTC. */
  readonly offset: string
}

/**
 * Day, weekday and time that an instant has in a zone: what relative dates count from (CAP-17).
 * @param instant  RFC 3339  @param timeZone  IANA
 * @throws {RangeError} either is not
 */
export function civilTime(instant: string, timeZone: string): CivilTime {
  const parts = new Map(
    new Intl.DateTimeFormat('en-US', {
      timeZone,
      calendar: 'iso8601',
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      weekday: 'long',
      hour: '2-digit',
      minute: '2-digit',
      timeZoneName: 'longOffset',
    })
      .formatToParts(new Date(instant))
      .map(({ type, value }) => [type, value]),
  )
  const part = (type: Intl.DateTimeFormatPartTypes): string => parts.get(type) ?? ''
  return {
    day: `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`,
    weekday: part('weekday'),
    time: `${part('hour')}:${part('minute')}`,
    time_zone: timeZone,
    offset: part('timeZoneName'),
  }
}
