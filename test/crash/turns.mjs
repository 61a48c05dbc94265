// The turns that the workloads send, each made from its run id alone, so that a verifier knows them without being told.
import { createHash } from 'node:crypto'

const sha256 = (text) => createHash('sha256').update(text).digest('hex')

export const turnIdOf = (runId) => sha256(runId)

/** What every memory id of a run starts with. */
export const idPrefix = (runId) => `r-${turnIdOf(runId).slice(0, 32)}-`

/** A word that stands in every sentence of this run and in no other. */
export const wordOf = (runId) =>
  `w${[...sha256(`word of ${runId}`).slice(0, 12)].map((digit) => String.fromCharCode(97 + parseInt(digit, 16))).join('')}`

/** The word of a run that stands in a text; undefined if none does. */
export const wordIn = (text) => /\bw[a-p]{12}\b/.exec(text)?.[0]

const OPENING = Date.parse('2026-05-01T09:00:00Z')
const DAY_MS = 86_400_000

/** A summary of about 7 KB, which becomes several bullets (FMT-5, CAP-1). */
const longSummary = (word) =>
  Array.from(
    { length: 70 },
    (_, i) => `Step ${i + 1} of ${word}: the kettle in the north room was looked at again, and nothing leaked.`,
  ).join(' ')

/**
 * The completed turn of a run id `<kind>-<number>`: `short`, or `long` for one of several bullets. Every second one
 * happened on one of five earlier days, the others when they are admitted.
 */
export function turnOf(runId) {
  const [kind, number] = runId.split('-')
  const n = Number(number)
  const word = wordOf(runId)
  return {
    runId,
    conversationId: `web:${n % 3}`,
    summary: kind === 'long' ? longSummary(word) : `Ana asked about ${word} — числом ${n}, and was answered.`,
    speaker: 'Ana',
    ...(n % 2 === 0 ? { occurredAt: new Date(OPENING - ((n % 5) + 1) * DAY_MS).toISOString() } : {}),
  }
}

/** The same run id with other words: must be refused, whatever became of the first. */
export const conflictingTurn = (runId) => ({ ...turnOf(runId), summary: 'Other words under the same run id.' })

/** Every run id that a workload may have sent; what carries another one's id is foreign. */
export const ALL_RUNS = ['short', 'long'].flatMap((kind) => Array.from({ length: 200 }, (_, n) => `${kind}-${n}`))
