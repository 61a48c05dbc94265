/** Comparisons that the engine's own search may come to: it is faster as a rule, and quadratic at worst. */
const MAX_COMPARISONS = 2 ** 24

/**
 * Whether `words` stand in `text`, in time that grows with their lengths added, not multiplied (Knuth, Morris, Pratt): both
 * may be hundreds of kilobytes of one character, as a dump of zeroes or a ruled line is.
 */
export function standsIn(words: string, text: string): boolean {
  if (words.length * text.length <= MAX_COMPARISONS) return text.includes(words)
  const borders = bordersOf(words)
  const first = words.charAt(0)
  let matched = 0
  for (let at = 0; at < text.length; at++) {
    if (matched === 0) {
      at = text.indexOf(first, at)
      if (at < 0) return false
    }
    matched = grown(words, borders, matched, text.charCodeAt(at))
    if (matched === words.length) return true
  }
  return false
}

/** Of each beginning of `words` how much of its end is a beginning as well, itself aside. */
function bordersOf(words: string): Uint32Array {
  const borders = new Uint32Array(words.length)
  for (let at = 1; at < words.length; at++) {
    borders[at] = grown(words, borders, borders[at - 1] ?? 0, words.charCodeAt(at))
  }
  return borders
}

/** How much of `words` is matched once `unit` follows what was. */
function grown(words: string, borders: Uint32Array, before: number, unit: number): number {
  let matched = before
  while (matched > 0 && words.charCodeAt(matched) !== unit) matched = borders[matched - 1] ?? 0
  return words.charCodeAt(matched) === unit ? matched + 1 : 0
}
