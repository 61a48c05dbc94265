import { setImmediate as nextTurnOfLoop } from 'node:timers/promises'

/** Rules know credentials in plain ASCII; people read, and can copy, the same behind what nobody sees and in other letters. */
const INVISIBLE = '\\p{Default_Ignorable_Code_Point}'
const WIDE_OR_MATHEMATICAL = '\\uFF01-\\uFF5E\\u{1D400}-\\u{1D7FF}'
const DISGUISE = new RegExp(`([${INVISIBLE}]+)|[${WIDE_OR_MATHEMATICAL}]`, 'gu')
/** Disguises looked at in one go. */
const BATCH = 4_096

export interface Undisguised {
  readonly text: string
  /** Where in the original the unit at `at` of `text` begins. */
  startOf(at: number): number
  /** Where in the original the unit before `at` of `text` ends. */
  endOf(at: number): number
}

/** The text without invisible characters, in plain letters; undefined if it is that already. Lets the event loop run. */
export async function undisguise(original: string): Promise<Undisguised | undefined> {
  /** For each disguise: the unit of `text` behind it, and that of the original. */
  const behind: { readonly at: number; readonly original: number }[] = []
  let text = ''
  let from = 0
  for (const { index, 0: found, 1: invisible } of original.matchAll(DISGUISE)) {
    text += original.slice(from, index) + (invisible === undefined ? found.normalize('NFKC') : '')
    from = index + found.length
    behind.push({ at: text.length, original: from })
    if (behind.length % BATCH === 0) await nextTurnOfLoop()
  }
  if (behind.length === 0) return undefined
  text += original.slice(from)
  /** The last disguise that ends at or before `at`: what follows it is as in the original. */
  const placeOf = (at: number): number => {
    let [low, high] = [0, behind.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((behind[middle]?.at ?? 0) <= at) low = middle + 1
      else high = middle
    }
    const last = behind[low - 1] ?? { at: 0, original: 0 }
    return last.original + at - last.at
  }
  return {
    text,
    startOf: placeOf,
    endOf: (at) => (at === 0 ? 0 : placeOf(at - 1) + unitsOf(original, placeOf(at - 1))),
  }
}

/** A mathematical letter is a pair; of others the unit is itself. */
function unitsOf(text: string, at: number): number {
  const codePoint = text.codePointAt(at) ?? 0
  return codePoint >= 0x1d400 && codePoint <= 0x1d7ff ? 2 : 1
}
