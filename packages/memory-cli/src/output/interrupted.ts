import type { CommandResult } from '../types.js'

/** Exit codes of a run that a signal ended, as shells have them: 128 + the signal's number. */
export const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const

export const interruptedExitCode = ({ reason }: AbortSignal): number =>
  EXIT_CODES[reason === 'SIGTERM' ? 'SIGTERM' : 'SIGINT']

/**
 * Runs a job that a first signal stops where it can be taken up again.
 * @param stopped  what that means for the user
 */
export async function untilInterrupted(
  signal: AbortSignal,
  stopped: string,
  job: () => Promise<CommandResult>,
): Promise<CommandResult> {
  try {
    return await job()
  } catch (error) {
    if (!signal.aborted || error !== signal.reason) throw error
    return { json: { complete: false }, text: '', diagnostics: [stopped], exitCode: interruptedExitCode(signal) }
  }
}
