/**
 * Full years from a birth to a day, both `YYYY-MM-DD`. Who was born on 29 February is a year older on the 1 March of years
 * without that day. Undefined before the birth.
 */
export function ageOn(born: string, day: string): number | undefined {
  if (day < born) return undefined
  const years = Number(day.slice(0, 4)) - Number(born.slice(0, 4))
  return day.slice(5) < born.slice(5) ? years - 1 : years
}
