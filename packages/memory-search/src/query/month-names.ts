import { MONTH_NAMES } from './month-table.js'

/** Shorter names are also words of daily life (`may`, `mar`), so they need a number beside them or a capital letter. */
export const SURE_NAME_LENGTH = 4

let names: ReadonlyMap<string, number> | undefined

/** Folded month name → month, 1..12. */
export const monthNames = (): ReadonlyMap<string, number> =>
  (names ??= new Map(
    MONTH_NAMES.flatMap((lines, at) => lines.flatMap((line) => line.split(' ')).map((name) => [name, at + 1] as const)),
  ))
