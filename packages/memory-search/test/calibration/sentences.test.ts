import { describe, expect, test } from 'vitest'
import { analyze } from '../../src/query/analyzer.js'
import { CALIBRATION_SENTENCES } from '../../src/calibration/sentences/sentence-set.js'

const languages = Object.entries(CALIBRATION_SENTENCES)
const all = languages.flatMap(([, triples]) =>
  triples.flatMap(({ fact, paraphrase, nearMiss }) => [fact, paraphrase, nearMiss]),
)

/** Letters that a sentence of the language cannot do without; the others are written in Latin letters. */
const SCRIPTS: Readonly<Record<string, RegExp>> = {
  ru: /\p{Script=Cyrillic}/u,
  uk: /\p{Script=Cyrillic}/u,
  ar: /\p{Script=Arabic}/u,
  hi: /\p{Script=Devanagari}/u,
  zh: /\p{Script=Han}/u,
  ja: /\p{Script=Hiragana}/u,
  ko: /\p{Script=Hangul}/u,
  th: /\p{Script=Thai}/u,
}

test('at least fourteen languages', () => {
  expect(languages.length).toBeGreaterThanOrEqual(14)
})

test('codes are ISO 639-1', () => {
  for (const [code] of languages)
    expect(new Intl.DisplayNames('en', { type: 'language', fallback: 'none' }).of(code)).toBeTruthy()
})

test('no sentence stands twice', () => {
  expect(new Set(all.map((sentence) => sentence.toLowerCase())).size).toBe(all.length)
})

test.each(all)('%s is one trimmed, normalised line of a memory’s length', (sentence) => {
  expect(sentence).toBe(sentence.trim().normalize('NFC'))
  expect(sentence).not.toMatch(/[\r\n\t]| {2}/)
  expect([...sentence].length).toBeGreaterThanOrEqual(8)
  expect([...sentence].length).toBeLessThanOrEqual(120)
})

describe.each(languages)('%s', (code, triples) => {
  test('has at least eight facts', () => {
    expect(triples.length).toBeGreaterThanOrEqual(8)
  })

  test('is written in its own script', () => {
    for (const sentence of triples.flatMap((triple) => Object.values(triple) as string[])) {
      expect(sentence).toMatch(SCRIPTS[code] ?? /^[\p{Script=Latin}\p{N}\p{P}\p{Zs}\p{S}]+$/u)
    }
  })

  test.each(triples)('$fact', ({ fact, paraphrase, nearMiss }) => {
    const words = new Set(analyze(fact))
    expect(analyze(paraphrase).some((word) => words.has(word))).toBe(true)
    expect(paraphrase).not.toContain(fact)
    expect(nearMiss).not.toContain(fact)
    // An identifier or a number of the fact in its near miss would make it an answer.
    const figures = (text: string): string[] => text.match(/\p{N}{3,}/gu) ?? []
    expect(figures(nearMiss).filter((figure) => figures(fact).includes(figure))).toEqual([])
  })
})
