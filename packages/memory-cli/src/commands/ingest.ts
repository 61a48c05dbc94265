import { basename, extname, resolve } from 'node:path'
import { Command, Option } from 'commander'
import type { BuiltInMemoryStore } from '@mono-agent/memory-bujo'
import { openInputFile, type InputFile } from '../edge/input-files.js'
import { CliError } from '../errors.js'
import { admitEntries, type AdmitOutcome } from '../ingest/admit-entries.js'
import { detectFormat, DETECTION_BYTES, INGEST_FORMATS, type IngestFormat } from '../ingest/detect-format.js'
import { peek } from '../ingest/peek.js'
import { readEntries } from '../ingest/read-entries.js'
import type { IngestTally } from '../ingest/tally.js'
import {
  badLineDiagnostics,
  formatIngestReport,
  ingestReport,
  type IngestReport,
  missingVectorDiagnostics,
  unfinishedDiagnostics,
} from '../output/ingest-report.js'
import { interruptedExitCode } from '../output/interrupted.js'
import { createProgress, type Progress } from '../output/progress.js'
import type { StoreNotes } from '../output/store-notes.js'
import { count } from '../output/text.js'
import type { CommandResult, Execute, Session } from '../types.js'

interface IngestOptions {
  readonly format: IngestFormat | 'auto'
  readonly conversation?: string
  readonly strict?: boolean
}

export function ingestCommand(execute: Execute): Command {
  return new Command('ingest')
    .description('Admit finished turns from a file. Can be stopped and run again: it goes on and doubles nothing.')
    .argument('<file>', 'the file, or - for standard input')
    .addOption(
      new Option('-f, --format <format>', 'what the file holds').choices(['auto', ...INGEST_FORMATS]).default('auto'),
    )
    .option('-c, --conversation <id>', 'conversation of the lines that name none')
    .option('--strict', 'exit with 1 when any line was refused')
    .action((file: string, options: IngestOptions) => execute((session) => ingest(session, file, options)))
}

async function ingest(session: Session, file: string, options: IngestOptions): Promise<CommandResult> {
  const { host } = session
  const input = openInputFile(file === '-' ? file : resolve(host.cwd, file), host.standardInput)
  const progress = createProgress(host.isErrTerminal)
  const followed = followBytes(input, progress)
  const { format, chunks } = await formatOf(followed.chunks, options.format)
  const entries = readEntries(chunks, {
    format,
    inputName: inputName(file),
    ...(options.conversation === undefined ? {} : { conversation: options.conversation }),
  })
  const signal = host.interruption()
  const isCurating = session.config.writeMode === 'capture'
  return session.withStore(async (store, notes) => {
    try {
      const outcome = await admitEntries(entries, store, { signal, onProgress: followed.show })
      const flushed = await flushShowing(store, progress, signal, isCurating)
      progress.stop()
      const rest = { format, isCurating, ...flushed, ...delaysOf(notes, flushed) }
      return resultOf(outcome, rest, options.strict === true, signal, host.err)
    } finally {
      progress.stop()
    }
  })
}

type Delays = Pick<IngestReport, 'turnsDelayedBy' | 'vectorsDelayedBy'>

function delaysOf(notes: StoreNotes, { pending, dead }: Flushed): Delays {
  const turns = pending + dead === 0 ? undefined : notes.turnFailure()
  const vectors = notes.embeddingFailure()
  return {
    ...(turns === undefined ? {} : { turnsDelayedBy: turns }),
    ...(vectors === undefined ? {} : { vectorsDelayedBy: vectors }),
  }
}

function resultOf(
  { tally, end }: AdmitOutcome,
  { isCurating, ...rest }: Flushed & Delays & { readonly format: IngestFormat; readonly isCurating: boolean },
  isStrict: boolean,
  signal: AbortSignal,
  err: (text: string) => void,
): CommandResult {
  const report = ingestReport(tally, { ...rest, complete: end.kind === 'complete' })
  const diagnostics = [
    ...badLineDiagnostics(tally),
    ...unfinishedDiagnostics(rest, isCurating),
    ...missingVectorDiagnostics(rest),
  ]
  if (end.kind === 'failed') {
    // The totals go to stderr: stdout holds the error alone.
    for (const line of [...diagnostics, formatIngestReport(report)]) err(`${line}\n`)
    throw end.error
  }
  if (end.kind === 'interrupted') {
    diagnostics.push('Stopped. Run the same command again: it goes on where it was, and doubles nothing.')
    return { json: report, text: formatIngestReport(report), diagnostics, exitCode: interruptedExitCode(signal) }
  }
  if (signal.aborted) {
    diagnostics.push('Stopped. Every turn of the file is admitted; the rest is done by the next start.')
    return { json: report, text: formatIngestReport(report), diagnostics, exitCode: interruptedExitCode(signal) }
  }
  const isRefused = tally.bad > 0 && (isStrict || (tally.stored === 0 && tally.skippedTotal === 0))
  if (isRefused) diagnostics.push(isStrict ? '--strict: some lines were refused.' : 'Every line was refused.')
  return { json: report, text: formatIngestReport(report), diagnostics, exitCode: isRefused ? 1 : 0 }
}

type Flushed = Awaited<ReturnType<BuiltInMemoryStore['flush']>>

/** How often what is still to be done is looked at. */
const LOOK_MS = 250

/**
 * Waits for day files and vectors; of a store that curates, until each turn was curated or failed once. Models may take long,
 * and what they are asked for is done at a later start as well: a signal ends that wait, as soon as what needs none is
 * written, whenever it came.
 */
async function flushShowing(
  store: BuiltInMemoryStore,
  progress: Progress,
  signal: AbortSignal,
  isCurating: boolean,
): Promise<Flushed> {
  progress.update(1, 1, isCurating ? 'curating' : 'waiting for the day files')
  let look: NodeJS.Timeout | undefined
  const interrupted = new Promise<Flushed>((resolve) => {
    look = setInterval(() => {
      const { vectors, intake } = store.snapshot()
      if (isCurating && intake.due > 0) progress.update(1, 1, `${count(intake.due, 'turn')} to be curated`)
      else if (vectors.waiting > 0) progress.update(1, 1, `${count(vectors.waiting, 'vector')} to be made`)
      if (signal.aborted && (isCurating || intake.due === 0)) resolve(countsOf(store))
    }, LOOK_MS)
  })
  const flushed = store.flush()
  flushed.catch(() => undefined) // told by the race, unless the signal came first: then closing tells
  try {
    return await Promise.race([flushed, interrupted])
  } finally {
    clearInterval(look)
  }
}

function countsOf(store: BuiltInMemoryStore): Flushed {
  const { intake, vectors } = store.snapshot()
  return { pending: intake.pending, dead: intake.dead, missingVectors: vectors.waiting }
}

/** Counts the bytes that were read, for the bar. */
function followBytes(input: InputFile, progress: Progress) {
  let bytesRead = 0
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const chunk of input.chunks) {
      bytesRead += chunk.length
      yield chunk
    }
  }
  const show = (tally: IngestTally): void =>
    progress.update(bytesRead, input.size, `${count(tally.stored, 'turn')}, ${tally.bad} bad`)
  return { chunks: counted(), show }
}

/** The format that was asked for, or what the first bytes tell. @throws {CliError} `format_unknown` */
async function formatOf(chunks: AsyncIterable<Uint8Array>, asked: IngestOptions['format']) {
  if (asked !== 'auto') return { format: asked, chunks }
  const peeked = await peek(chunks, DETECTION_BYTES, (head) => detectFormat(head) !== undefined)
  const format = detectFormat(peeked.head)
  if (format === undefined) throw formatUnknown(peeked.head.length === 0)
  return { format, chunks: peeked.chunks }
}

/** The file's name without its extension: names the conversation of `messages` lines that name none. */
function inputName(file: string): string {
  return file === '-' ? 'stdin' : basename(file, extname(file))
}

function formatUnknown(isEmpty: boolean): CliError {
  return new CliError(
    'format_unknown',
    isEmpty
      ? 'The file is empty. Nothing was written. Check that it is the right one.'
      : 'The format of the file cannot be told from its first lines. Nothing was written. Name it with --format turns, messages or chatgpt.',
  )
}
