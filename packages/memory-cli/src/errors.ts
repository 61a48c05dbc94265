import { MemoryError } from '@mono-agent/memory-bujo'

/** code → meaning and mend; `docs/errors.md` is made from this table. */
export const CLI_ERRORS = {
  usage:
    'The command line is not understood; exit code 2. Nothing was opened. Follow the usage that is printed with it.',
  config_unreadable: 'The configuration file cannot be read. Nothing was opened. Check `--config` and the permissions.',
  config_not_json: 'The configuration file is not one JSON object. Nothing was opened. Mend the file.',
  configuration_needed:
    'The store at `--path` is a journal or bujo, and the command needs its embedding service or chat model, of which only a configuration knows. No service was asked. Run it in the folder of `mono-agent.config.json`, or name that with `--config`. Commands that need neither work with `--path` alone.',
  host_model_absent:
    'The configuration names a chat model of the host application (`agent-host`, or `capture.reconcileModel`), which the command line has not. Nothing was opened. Let the application do it, or name a model of a service, for this once by `MONO_AGENT_MEMORY_LLM_PROVIDER` and `MONO_AGENT_MEMORY_LLM_MODEL`. Commands that ask no chat model work all the same.',
  tier_unknown:
    'What the store at `--path` was built for cannot be read from its index. Nothing was opened. Name the configuration with `--config`, or say `--mode lite` if it is one.',
  queries_invalid:
    'The file of labelled queries is not JSON lines of `{"query": text, "relevant": [ids]}`. Nothing was measured or written. Mend the line that the message numbers.',
  input_unreadable:
    'The file to ingest cannot be read. What was admitted before stays. Mend the cause and run the command again: it goes on.',
  input_broken:
    'The export is no whole JSON array: from some place on it cannot be read. What came before is admitted. Export it again and run the command again: nothing is doubled.',
  format_unknown:
    'The format of the file cannot be told from its first lines. Nothing was written. Name it with `--format turns`, `messages` or `chatgpt`.',
  projection_stuck:
    'Intake is full and does not empty: turns in it fail or are dead. What was admitted stays. Run `inspect`, then `retry` or `resolve`, then ingest again.',
  memory_unknown:
    'There is no memory of this id in the index. Nothing was changed. Take the id from `search`, `show` or `top`.',
  output_failed:
    'The output could not be written whole, such as to a file on a full disk; exit code 1. What the command did is done. Mend the cause and run it again.',
  unexpected:
    'An error that this command does not know. Nothing is known about what it left; reading commands are safe. Report it.',
} as const

export type CliErrorCode = keyof typeof CLI_ERRORS

export class CliError extends MemoryError<CliErrorCode> {
  override readonly name = 'CliError'
}

/** Narrows to an error with a code that is known to be one: `instanceof` alone leaves its type open. */
export function isMemoryError(error: unknown): error is MemoryError {
  return error instanceof MemoryError
}
