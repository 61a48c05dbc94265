/**
 * What a record that ends with a question loses of its score. It has the words of the answer and not the answer: in
 * dialogs one record in five ends so, and one in twelve of those that answer something (see `docs/ranking.md`).
 */
export const QUESTION_LOSS = 0.1

/** Question marks of the scripts that have one at the end of a sentence; Greek writes a semicolon. */
const ASKS = /(?:[?？؟⁇⁈⸮︖﹖꘏]|\p{Script=Greek}\s*[;\u037E])[\p{P}\p{S}\p{M}\u200D\s]*$/u

/** Whether a sentence ends with a question; marks, quotes and emoji may follow. */
export const asks = (sentence: string): boolean => ASKS.test(sentence)
