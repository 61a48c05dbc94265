import { writeSync } from 'node:fs'

/**
 * Tells the explorer, and through it the verifier, what has been promised or begun by now: a word and what it is about.
 * `turn RUN` is durable; `will-…` announces a change that a crash may catch half way.
 */
export function acknowledge(...words) {
  writeSync(1, `ACK ${words.join(' ')}\n`)
}

/** What has been acknowledged: for each word, what it was said about. */
export function readAcknowledged(tokens) {
  const byWord = new Map()
  const said = (word) => {
    if (!byWord.has(word)) byWord.set(word, new Set())
    return byWord.get(word)
  }
  for (const token of tokens) {
    const [word, ...about] = token.split(' ')
    said(word).add(about.join(' '))
  }
  return { said, has: (word, about) => said(word).has(about) }
}
