import { lazyPattern } from '../query/lazy-pattern.js'

/**
 * What a record that ends with a question loses of its score. It has the words of the answer and not the answer: in
 * dialogs one record in five ends so, and one in twelve of those that answer something (see `docs/ranking.md`).
 */
export const QUESTION_LOSS = 0.1

/** Question marks of the scripts that have one at the end of a sentence; Greek writes a semicolon. */
const ASKS = lazyPattern(String.raw`(?:[?？؟⁇⁈⸮︖﹖꘏]|\p{Script=Greek}\s*[;\u037E])[\p{P}\p{S}\p{M}\u200D\s]*$`, 'u')

const MARK = lazyPattern(String.raw`[\p{P}\p{S}\p{M}\u200D\s]`, 'u')
const isSurrogatePair = (text: string, at: number): boolean => (text.codePointAt(at) ?? 0) > 0xffff

/** Whether a sentence ends with a question; marks, quotes and emoji may follow. Only its last letter and they are looked at. */
export function asks(sentence: string): boolean {
  let start = sentence.length
  while (start > 0) {
    const length = start > 1 && isSurrogatePair(sentence, start - 2) ? 2 : 1
    const character = sentence.slice(start - length, start)
    start -= length
    if (!MARK().test(character)) break
  }
  return ASKS().test(sentence.slice(start))
}
