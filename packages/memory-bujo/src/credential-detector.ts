import { lintSource } from '@secretlint/core'
import { secretLintProfiler } from '@secretlint/profiler'
import { rules } from '@secretlint/secretlint-rule-preset-recommend'
import type { SecretLintCoreConfig } from '@secretlint/types'
import { findPublishedTokens } from './published-tokens.js'

/** Obeys `secretlint-disable` in what is looked at: a memory must not be able to switch the detector off. */
const COMMENT_FILTER = '@secretlint/secretlint-rule-filter-comments'

/** The kept detector of CAP-25; its preset knows tokens, keys, connection strings and private keys of common services. */
const CONFIG: SecretLintCoreConfig = {
  rules: rules.filter(({ meta }) => meta.id !== COMMENT_FILTER).map((rule) => ({ id: rule.meta.id, rule })),
}

/** An array that keeps nothing. */
class Unkept<T> extends Array<T> {
  override push(): number {
    return 0
  }
}

/**
 * The detector profiles itself: it marks each run in the process's performance timeline, keeps every mark of the process
 * for ever and searches them all at each run. Without this, a long-lived agent leaks and each turn costs more than the one before.
 */
Object.assign(secretLintProfiler, {
  mark: () => undefined,
  entries: new Unkept<unknown>(),
  measures: new Unkept<unknown>(),
})

/** A half-open range of UTF-16 units. */
export type Range = readonly [start: number, end: number]

const BYTE_ORDER_MARK = '\uFEFF'

/**
 * The credentials of one piece of text, in order; they may touch and overlap. Takes time that grows with the square of
 * their number, and holds the event loop for all of it.
 */
export async function detectCredentials(text: string): Promise<Range[]> {
  // The detector leaves out a byte order mark and then counts from behind it.
  const left = text.startsWith(BYTE_ORDER_MARK) ? 1 : 0
  const { messages } = await lintSource({
    source: { content: text.slice(left), filePath: 'memory.txt', ext: '.txt', contentType: 'text' },
    options: { config: CONFIG, noPhysicFilePath: true, maskSecrets: false },
  })
  const known = messages.map(({ range: [start, end], data }): Range => {
    return [start + left, endOfSecret(text, start + left, end + left, data)]
  })
  return [...known, ...findPublishedTokens(text)].sort((a, b) => a[0] - b[0] || a[1] - b[1])
}

/** Of a secret behind its name (`SECRET_ACCESS_KEY=…`) a rule tells where the name starts and how long the secret is. */
function endOfSecret(text: string, start: number, end: number, data: unknown): number {
  const values = typeof data === 'object' && data !== null ? Object.values(data) : []
  const ends = values.map((value) => {
    const at = typeof value === 'string' && value !== '' ? text.indexOf(value, start) : -1
    return at === -1 ? end : at + (value as string).length
  })
  return Math.max(end, ...ends)
}
