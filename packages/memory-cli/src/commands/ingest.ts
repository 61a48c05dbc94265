import { basename, extname, resolve } from 'node:path'
import { Command, Option } from 'commander'
import { openInputFile, type InputFile } from '../edge/input-files.js'
import { CliError } from '../errors.js'
import { admitEntries, type AdmitOutcome } from '../ingest/admit-entries.js'
import { detectFormat, DETECTION_BYTES, INGEST_FORMATS, type IngestFormat } from '../ingest/detect-format.js'
import { peek } from '../ingest/peek.js'
import { readEntries } from '../ingest/read-entries.js'
import type { IngestTally } from '../ingest/tally.js'
import { badLineDiagnostics, formatIngestReport, ingestReport, unfinishedDiagnostics } from '../output/ingest-report.js'
import { createProgress, type Progress } from '../output/progress.js'
import { count } from '../output/text.js'
import type { CommandResult, Execute, Session } from '../types.js'

/** Exit codes of a run that a signal ended, as shells have them: 128 + the signal's number. */
export const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const

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
  return session.withStore(async (store) => {
    try {
      const outcome = await admitEntries(entries, store, { signal, onProgress: followed.show })
      progress.update(1, 1, 'waiting for the day files')
      const flushed = await store.flush()
      progress.stop()
      const exitCode = EXIT_CODES[signal.reason === 'SIGTERM' ? 'SIGTERM' : 'SIGINT']
      return resultOf(outcome, { format, ...flushed }, options.strict === true, exitCode, host.err)
    } finally {
      progress.stop()
    }
  })
}

function resultOf(
  { tally, end }: AdmitOutcome,
  rest: { readonly format: IngestFormat; readonly pending: number; readonly dead: number },
  isStrict: boolean,
  interruptedExitCode: number,
  err: (text: string) => void,
): CommandResult {
  const report = ingestReport(tally, { ...rest, complete: end.kind === 'complete' })
  const diagnostics = [...badLineDiagnostics(tally), ...unfinishedDiagnostics(rest)]
  if (end.kind === 'failed') {
    // The totals go to stderr: stdout holds the error alone.
    for (const line of [...diagnostics, formatIngestReport(report)]) err(`${line}\n`)
    throw end.error
  }
  if (end.kind === 'interrupted') {
    diagnostics.push('Stopped. Run the same command again: it goes on where it was, and doubles nothing.')
    return { json: report, text: formatIngestReport(report), diagnostics, exitCode: interruptedExitCode }
  }
  const isRefused = tally.bad > 0 && (isStrict || (tally.stored === 0 && tally.skippedTotal === 0))
  if (isRefused) diagnostics.push(isStrict ? '--strict: some lines were refused.' : 'Every line was refused.')
  return { json: report, text: formatIngestReport(report), diagnostics, exitCode: isRefused ? 1 : 0 }
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
