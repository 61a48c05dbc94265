#!/usr/bin/env node
import { errorCode } from './edge/input-files.js'
import { writeWhole } from './edge/output-files.js'
import { EXIT_FAILED, runCommandLine } from './run.js'

/** A command speaks a protocol on stdout: it ends by itself when the other side is gone, and closes its store first. */
let isOutTaken = false

/** A reader of our output that goes away (`| head`) ends the command; it is no failure. */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (!isOutTaken) process.exit(error.code === 'EPIPE' ? 0 : EXIT_FAILED)
})
/** Diagnostics that nobody can read stop nothing. */
process.stderr.on('error', () => undefined)

function out(text: string): void {
  try {
    writeWhole(process.stdout, text)
  } catch (error) {
    // Not thrown: what the command did is done, and must not be told as its failure.
    err(`error output_failed: The output could not be written whole (${errorCode(error) ?? 'unknown cause'}).\n`)
    process.exitCode = EXIT_FAILED
  }
}

function err(text: string): void {
  try {
    writeWhole(process.stderr, text)
  } catch {
    return // as above
  }
}

function interruption(): AbortSignal {
  const controller = new AbortController()
  // `once`: a second signal ends the process at once, which loses nothing that was admitted.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => controller.abort(signal))
  return controller.signal
}

// The store's own timers never keep a process alive; the command must outlive its waits.
const keepAlive = setInterval(() => undefined, 2 ** 30)
const exitCode = await runCommandLine(process.argv.slice(2), {
  out,
  err,
  standardInput: process.stdin,
  standardOutput() {
    isOutTaken = true
    return process.stdout
  },
  env: process.env,
  cwd: process.cwd(),
  now: Date.now,
  isOutTerminal: process.stdout.isTTY === true,
  isErrTerminal: process.stderr.isTTY === true,
  interruption,
})
clearInterval(keepAlive)
// What was said by protocol has been handed over, or is for a client that no longer reads and must not keep us.
if (isOutTaken) process.exit(exitCode)
// Standard input may still be open and waiting: end when all output has been handed over.
process.stdout.write('', () => process.stderr.write('', () => process.exit(process.exitCode ?? exitCode)))
