import { lazyPattern } from './lazy-pattern.js'

/** Scripts whose marks over and under letters are accents or optional points. Kana, Indic and Thai marks are letters' own. */
const ACCENTED = lazyPattern(
  String.raw`([\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Hebrew}\p{sc=Arabic}])\p{Mn}+`,
  'gu',
)

/** Letters that are a base letter with a stroke or a ligature, though Unicode does not decompose them. */
const STROKED: Readonly<Record<string, string>> = {
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ŧ: 't',
  ı: 'i',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ς: 'σ',
}
const STROKED_LETTER = new RegExp(`[${Object.keys(STROKED).join('')}]`, 'gu')

/** Apostrophes people type and editors make: ’ ‘ ʼ ′ ` and ´ all read as '. */
const APOSTROPHE = /[\u2018\u2019\u02BC\u2032\u0060\u00B4]/g

/** A decimal digit of any script reads as 0 to 9: each script has its ten in a row, from zero. */
const DIGIT = /\p{Nd}/gu
const isDigit = (code: number): boolean => /\p{Nd}/u.test(String.fromCodePoint(code))

function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  let zero = code
  while (isDigit(zero - 1)) zero--
  return String((code - zero) % 10)
}

/** Characters without ink: they neither part a word nor make it another one. Tatweel only stretches a word. */
const INKLESS = /[\u00AD\u0640\u200B-\u200F\u2060-\u2064\uFE00-\uFE0F\uFEFF]/g

const PLAIN = /^[!-_a-~]*$/

/** Lone surrogates read as U+FFFD. */
export const wellFormed = (text: string): string => text.toWellFormed()

/**
 * The form in which two spellings of one word are equal: NFKC, case folded (`ß` as `ss`), accents of Latin, Greek and
 * Cyrillic and points of Hebrew and Arabic taken off, digits of every script as 0 to 9, inkless characters gone. Lone surrogates become U+FFFD.
 */
export function fold(text: string): string {
  // Most words are plain ASCII, for which all of the below comes to this.
  if (PLAIN.test(text)) return text.toLowerCase()
  // Composed first: the Greek varia and oxia are ` and ´ in every normal form.
  const compatible = wellFormed(text).normalize('NFC').replace(APOSTROPHE, "'").normalize('NFKC')
  // Upper, then lower: only that way do ß, ſ and the final sigma meet their other forms, in every locale alike.
  const caseless = compatible.toUpperCase().toLowerCase()
  const unaccented = caseless.normalize('NFD').replace(ACCENTED(), '$1').normalize('NFC')
  return unaccented
    .replace(DIGIT, asciiDigit)
    .replace(INKLESS, '')
    .replace(STROKED_LETTER, (letter) => STROKED[letter] ?? letter)
}
