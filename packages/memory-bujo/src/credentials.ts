import { lintSource } from '@secretlint/core'
import { secretLintProfiler } from '@secretlint/profiler'
import { creator } from '@secretlint/secretlint-rule-preset-recommend'
import type { SecretLintCoreConfig } from '@secretlint/types'

/** The kept detector of CAP-25; its preset knows tokens, keys, connection strings and private keys of common services. */
const CONFIG: SecretLintCoreConfig = {
  rules: [{ id: '@secretlint/secretlint-rule-preset-recommend', rule: creator }],
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

export const REDACTION = '[credential redacted]'

/** A half-open range of UTF-16 units. */
type Range = readonly [start: number, end: number]

async function findCredentials(text: string): Promise<readonly Range[]> {
  const result = await lintSource({
    source: { content: text, filePath: 'memory.txt', ext: '.txt', contentType: 'text' },
    options: { config: CONFIG, noPhysicFilePath: true, maskSecrets: false },
  })
  return merge(result.messages.map((message) => message.range))
}

function merge(ranges: readonly Range[]): Range[] {
  const merged: Range[] = []
  for (const [start, end] of [...ranges].sort((a, b) => a[0] - b[0] || a[1] - b[1])) {
    const last = merged.at(-1)
    if (last !== undefined && start <= last[1]) merged[merged.length - 1] = [last[0], Math.max(last[1], end)]
    else merged.push([start, end])
  }
  return merged
}

export async function holdsCredential(text: string): Promise<boolean> {
  return (await findCredentials(text)).length > 0
}

/** Replaces each credential by `REDACTION`; everything else stays as it is (CAP-25). */
export async function redactCredentials(text: string): Promise<{ readonly text: string; readonly count: number }> {
  const ranges = await findCredentials(text)
  let redacted = ''
  let end = 0
  for (const [from, to] of ranges) {
    redacted += text.slice(end, from) + REDACTION
    end = to
  }
  return { text: redacted + text.slice(end), count: ranges.length }
}
