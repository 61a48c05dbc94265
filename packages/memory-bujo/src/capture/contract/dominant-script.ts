/**
 * Scripts that texts are written in. The three of Japanese count as one with Han, since the same words stand in either;
 * Chinese and Japanese are therefore not told apart.
 */
const SCRIPTS = {
  Latin: /\p{Script=Latin}/gu,
  Cyrillic: /\p{Script=Cyrillic}/gu,
  Greek: /\p{Script=Greek}/gu,
  Armenian: /\p{Script=Armenian}/gu,
  Georgian: /\p{Script=Georgian}/gu,
  Hebrew: /\p{Script=Hebrew}/gu,
  Arabic: /\p{Script=Arabic}/gu,
  Syriac: /\p{Script=Syriac}/gu,
  Thaana: /\p{Script=Thaana}/gu,
  Ethiopic: /\p{Script=Ethiopic}/gu,
  Devanagari: /\p{Script=Devanagari}/gu,
  Bengali: /\p{Script=Bengali}/gu,
  Gurmukhi: /\p{Script=Gurmukhi}/gu,
  Gujarati: /\p{Script=Gujarati}/gu,
  Oriya: /\p{Script=Oriya}/gu,
  Tamil: /\p{Script=Tamil}/gu,
  Telugu: /\p{Script=Telugu}/gu,
  Kannada: /\p{Script=Kannada}/gu,
  Malayalam: /\p{Script=Malayalam}/gu,
  Sinhala: /\p{Script=Sinhala}/gu,
  Thai: /\p{Script=Thai}/gu,
  Lao: /\p{Script=Lao}/gu,
  Tibetan: /\p{Script=Tibetan}/gu,
  Myanmar: /\p{Script=Myanmar}/gu,
  Khmer: /\p{Script=Khmer}/gu,
  Mongolian: /\p{Script=Mongolian}/gu,
  Cherokee: /\p{Script=Cherokee}/gu,
  Hangul: /\p{Script=Hangul}/gu,
  Han: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}]/gu,
} as const

export type ScriptName = keyof typeof SCRIPTS | 'Other'

/** Of letters that no script of the list counts. */
const LETTERS = /\p{L}/gu

/**
 * How many Latin letters weigh as much as one of another script. Names of products, units and code are written in Latin
 * in every language, so that "Купил MacBook Pro" is Russian; the reverse is rare. A syllable or word sign also says more.
 */
const LATIN_PER_LETTER = 3

/**
 * The script that a text is mostly written in, or undefined if it holds no letters (CAP-29). Combining marks count with
 * their script; of equals the first of the list wins.
 */
export function dominantScript(text: string): ScriptName | undefined {
  let known = 0
  let heaviest: ScriptName | undefined
  let weight = 0
  for (const [script, pattern] of Object.entries(SCRIPTS) as [keyof typeof SCRIPTS, RegExp][]) {
    const count = countOf(pattern, text)
    known += count
    const weighed = script === 'Latin' ? count / LATIN_PER_LETTER : count
    if (weighed > weight) [heaviest, weight] = [script, weighed]
  }
  return countOf(LETTERS, text) - known > weight ? 'Other' : heaviest
}

/** Whether both are mostly of one script; a text without letters goes with any. */
export function isSameScript(text: string, other: string): boolean {
  const [script, otherScript] = [dominantScript(text), dominantScript(other)]
  return script === undefined || otherScript === undefined || script === otherScript
}

function countOf(pattern: RegExp, text: string): number {
  return text.match(pattern)?.length ?? 0
}
