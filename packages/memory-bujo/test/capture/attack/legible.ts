import { createHash } from 'node:crypto'

export const turnIdOf = (runId: string): string => createHash('sha256').update(runId).digest('hex')

/**
 * Lines of a store as tables can hold them: what is the same in every line is written short, by exact replacement, and
 * nothing is left out. Each side of the table occurs nowhere else.
 */
const SHORT: readonly (readonly [long: string, short: string])[] = [
  [' status=open salience=0.7 isInsight=0 created=2026-05-01T12:00:00.000Z refs= ', ' … '],
  ['source_session=web%3A1-->', 'web-->'],
  ['<!--label {"attribution":"user-stated","entityId":"person:owner","kind":"fact","v":1}-->', '<!--OWNER-->'],
  ['"createdAt":"2026-05-01T12:00:00.000Z"', '"createdAt":…'],
  ['{"createdAt":…,"id":"person:owner","kind":"entity","name":"Owner","type":"person"}', 'OWNER'],
]

/** `r-<32 hex>-2` of the run `attack` reads `attack-2`. */
export function legible(line: string, runIds: readonly string[]): string {
  const named = runIds.reduce(
    (text, runId) =>
      text
        .replaceAll(`r-${turnIdOf(runId).slice(0, 32)}-`, `${runId}-`)
        .replaceAll(`a-${turnIdOf(runId).slice(0, 32)}`, `audit-${runId}`),
    line,
  )
  return SHORT.reduce((text, [long, short]) => text.replaceAll(long, short), named)
    .replace(/"digest":"[0-9a-f]{64}"/, '"digest":…')
    .replace(/\bm-[0-9A-Za-z-]{20,}/g, 'remembered')
}
