import { describe, expect, test } from 'vitest'
import { contentHash } from '@mono-agent/memory-store'
import { wordingsOf } from '../../../src/capture/policy/echo.js'

const LIVE = new Set(
  ['Morgan prefers green tea.', 'Ana lives in Lund (Sweden)', '猫が好き', '我对花生过敏。', 'मेरी बेटी मीरा है।'].map(
    contentHash,
  ),
)

/** As the store looks for it: by the hashes of its lines. */
const repeatsALine = (quote: string): boolean => [...wordingsOf(quote)].some((words) => LIVE.has(contentHash(words)))

describe('a quote that only repeats a live line (CAP-28)', () => {
  test.each([
    ['word for word', 'Morgan prefers green tea.'],
    ['with other white space', ' Morgan  prefers\ngreen tea. '],
    ['in quotation marks', '“Morgan prefers green tea.”'],
    ['in those of another language', '»Morgan prefers green tea.«'],
    ['in compatibility forms', 'Morgan prefers ｇｒｅｅｎ tea.'],
    ['that ends with a bracket', 'Ana lives in Lund (Sweden)'],
    ['in Japanese', '「猫が好き」'],
    ['in marks within marks', '"‘Morgan prefers green tea.’"'],
    ['in marks, that ends with a bracket', '“Ana lives in Lund (Sweden)”'],
    ['without its full stop', 'Morgan prefers green tea'],
    ['in marks, the full stop behind them', '“Morgan prefers green tea”.'],
    ['with a full stop of its own', 'Ana lives in Lund (Sweden).'],
    ['without its full stop, in Chinese', '我对花生过敏'],
    ['without its full stop, in Hindi', 'मेरी बेटी मीरा है'],
    ['with another full stop', 'मेरी बेटी मीरा है.'],
    ['as a question', 'Morgan prefers green tea?'],
  ])('%s', (_name, quote) => {
    expect(repeatsALine(quote)).toBe(true)
  })

  test.each([
    ['says more', 'Morgan prefers green tea. No more.'],
    ['says less', 'Morgan prefers green'],
    ['says the contrary', '猫が好きではない'],
    ['is of another case', 'morgan prefers green tea.'],
    ['is empty', ''],
    ['is punctuation alone', '“”'],
  ])('not one that %s', (_name, quote) => {
    expect(repeatsALine(quote)).toBe(false)
  })
})
