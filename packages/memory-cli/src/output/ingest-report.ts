import type { BadEntry, Place } from '../ingest/entry.js'
import type { IngestFormat } from '../ingest/detect-format.js'
import type { IngestTally } from '../ingest/tally.js'
import { reasonInWords } from './service-reasons.js'
import { count, facts } from './text.js'

/** Refused lines that people see one by one; `--json` lists up to 1,000. */
const SHOWN_LINES = 20

export interface IngestReport {
  readonly format: IngestFormat
  /** False when the run was stopped before the end of the file. */
  readonly complete: boolean
  readonly admitted: number
  readonly duplicate: number
  readonly skipped: { readonly total: number; readonly byReason: Readonly<Record<string, number>> }
  readonly bad: {
    readonly total: number
    readonly lines: readonly ({ readonly code: string; readonly field?: string; readonly detail?: string } & Place)[]
    /** Refused lines beyond the list. */
    readonly unlisted: number
  }
  /** Turns that are not in the Markdown, of bujo not curated, yet after the final flush, and why not: delayed, or dead. */
  readonly pending: number
  readonly dead: number
  /** Why, when a turn failed meanwhile: the last code. */
  readonly turnsDelayedBy?: string
  /** Memories that wait for their vector; absent in lite. */
  readonly missingVectors?: number
  /** Why, when the embedding service failed: a code. */
  readonly vectorsDelayedBy?: string
}

export function ingestReport(
  tally: IngestTally,
  rest: Pick<
    IngestReport,
    'format' | 'complete' | 'pending' | 'dead' | 'turnsDelayedBy' | 'missingVectors' | 'vectorsDelayedBy'
  >,
): IngestReport {
  return {
    ...rest,
    admitted: tally.admitted,
    duplicate: tally.duplicate,
    skipped: { total: tally.skippedTotal, byReason: Object.fromEntries(tally.skipped) },
    bad: {
      total: tally.bad,
      lines: tally.listed.map(({ place, code, field, detail }) => ({
        ...place,
        code,
        ...(field === undefined ? {} : { field }),
        ...(detail === undefined ? {} : { detail }),
      })),
      unlisted: tally.bad - tally.listed.length,
    },
  }
}

export function formatIngestReport(report: IngestReport): string {
  const reasons = Object.entries(report.skipped.byReason).map(([reason, number]) => `${reason} ${number}`)
  return facts([
    ['admitted', report.admitted],
    ['duplicate', report.duplicate],
    ['skipped', reasons.length === 0 ? 0 : `${report.skipped.total} (${reasons.join(', ')})`],
    ['bad', report.bad.total],
    ['pending', report.pending === 0 ? undefined : report.pending],
    ['dead', report.dead === 0 ? undefined : report.dead],
    ['vectors missing', report.missingVectors],
  ])
}

/** Said when turns were admitted and are not in the Markdown, or not curated, yet; they are safe. */
export function unfinishedDiagnostics(
  { pending, dead, turnsDelayedBy }: Pick<IngestReport, 'pending' | 'dead' | 'turnsDelayedBy'>,
  isCurating = false,
): string[] {
  if (pending + dead === 0) return []
  if (isCurating) {
    const why = turnsDelayedBy === undefined ? '' : ` ${reasonInWords(turnsDelayedBy)}`
    return [
      `${count(pending, 'turn')} pending and ${dead} dead in intake, admitted and audited but not curated. Pending ones are ` +
        `tried again when they are due, by the agent or the next \`ingest\`; \`inspect\` tells why they wait, ` +
        `\`retry\` makes them due at once.${why}`,
    ]
  }
  const what = `${count(pending, 'turn')} pending and ${dead} dead in intake, admitted but not in the day files.`
  return [`${what} Pending ones go in by themselves at a later start; \`inspect\` tells why they wait.`]
}

/** Said when memories wait for their vector, and why; they are found by words meanwhile. */
export function missingVectorDiagnostics({
  missingVectors = 0,
  vectorsDelayedBy,
}: Pick<IngestReport, 'missingVectors' | 'vectorsDelayedBy'>): string[] {
  if (missingVectors === 0) return []
  const why = vectorsDelayedBy === undefined ? '' : ` ${reasonInWords(vectorsDelayedBy)}`
  const waiting = count(missingVectors, 'memory waits for its vector and is', 'memories wait for their vectors and are')
  return [`warning: ${waiting} found by words alone; the next start or \`rebuild\` goes on.${why}`]
}

/** One diagnostic a refused line: where, which code, never what it says. */
export function badLineDiagnostics(tally: IngestTally): string[] {
  const lines = tally.listed.slice(0, SHOWN_LINES).map(describeBadLine)
  const more = tally.bad - lines.length
  return more === 0 ? lines : [...lines, `… and ${count(more, 'more refused line')}`]
}

function describeBadLine({ place, code, field, detail }: BadEntry): string {
  const where = 'line' in place ? `line ${place.line}` : `conversation ${place.conversation}`
  const exchange = place.exchange === undefined ? '' : `, exchange ${place.exchange}`
  const what = [code, field === undefined ? undefined : `(${field})`, detail === undefined ? undefined : `- ${detail}`]
  return `${where}${exchange}: ${what.filter((part) => part !== undefined).join(' ')}`
}
