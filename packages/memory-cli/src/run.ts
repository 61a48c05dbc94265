import { CommanderError, type Command } from 'commander'
import { createMemoryStore, openMemoryReader } from '@mono-agent/memory-bujo'
import { loadConfiguration, type Configuration } from './configuration/load-configuration.js'
import { configurationNeeded } from './configuration/bare-root.js'
import { CLI_ERRORS, CliError, isMemoryError } from './errors.js'
import { createStoreNotes } from './output/store-notes.js'
import { createStyle } from './output/text.js'
import { createProgram, type GlobalOptions } from './program.js'
import type { CommandHost, CommandResult, Execute, ExecuteOptions, Session } from './types.js'

export const EXIT_OK = 0
export const EXIT_FAILED = 1
export const EXIT_MISUSE = 2

/**
 * Runs one command line to its end.
 * @param argv  the words after the command's name
 * @returns the exit code: 0 done or not configured, 1 failed, 2 misuse, 130 or 143 stopped by a signal
 */
export async function runCommandLine(argv: readonly string[], host: CommandHost): Promise<number> {
  const isJson = wantsJson(argv)
  let exitCode: number = EXIT_OK
  const program = createProgram(async (body, { whenMisconfigured, speaksProtocol = false } = {}) => {
    const { mode, path } = program.opts<GlobalOptions>()
    if (mode !== undefined && path === undefined) program.error('error: --mode needs --path; a file has its own mode')
    if (speaksProtocol && isJson)
      program.error('error: what this command prints is a protocol already: leave out --json')
    const out = speaksProtocol ? host.err : host.out
    const result = await runBody(program.opts<GlobalOptions>(), host, isJson, body, whenMisconfigured)
    for (const line of result.diagnostics ?? []) host.err(`${line}\n`)
    if (isJson) out(`${JSON.stringify(result.json)}\n`)
    else if (result.text !== '') out(`${result.text}\n`)
    exitCode = result.exitCode ?? EXIT_OK
  })
  let helpText = ''
  let misuse = ''
  for (const command of [program, ...program.commands]) {
    command.configureOutput({ writeOut: (text) => (helpText += text), writeErr: (text) => (misuse += text) })
  }
  try {
    await program.parseAsync(argv, { from: 'user' })
    return exitCode
  } catch (error) {
    if (!(error instanceof CommanderError)) return fail(error, host, isJson)
    if (error.exitCode === 0) {
      host.out(isJson ? `${JSON.stringify({ text: helpText.trim() })}\n` : helpText)
      return EXIT_OK
    }
    // Without a command the library prints the help by itself; it is the usage, not a message.
    return refuse(error.code === 'commander.help' ? '' : misuse.trim(), usageOf(program, argv), host, isJson)
  }
}

async function runBody(
  options: GlobalOptions,
  host: CommandHost,
  isJson: boolean,
  body: Parameters<Execute>[0],
  whenMisconfigured: ExecuteOptions['whenMisconfigured'],
): Promise<CommandResult> {
  let configuration: Configuration
  try {
    configuration = loadConfiguration({ cwd: host.cwd, env: host.env, ...options })
  } catch (error) {
    if (whenMisconfigured === undefined || !isMemoryError(error)) throw error
    return whenMisconfigured(error)
  }
  if (configuration.kind === 'not_configured') {
    const { reason } = configuration
    return { json: { status: 'not_configured', reason }, text: `not_configured: ${reason}` }
  }
  for (const warning of configuration.warnings) host.err(`warning: ${warning}\n`)
  return body(createSession(configuration, options, host, isJson))
}

function createSession(
  { config, embed, env }: Extract<Configuration, { kind: 'configured' }>,
  options: GlobalOptions,
  host: CommandHost,
  isJson: boolean,
): Session {
  const { path, mode, embeddings, recall, profile, recallTool, maxBytes } = config
  const service = { env, ...(embed === undefined ? {} : { embed }) }
  const optional = {
    ...(embeddings === undefined ? {} : { embeddings }),
    ...(recall === undefined ? {} : { recall }),
    ...(profile === undefined ? {} : { profile }),
  }
  const access = { path, mode, now: host.now, ...service, recallTool, maxBytes, ...optional }
  const hasColor = host.isOutTerminal && options.color && !host.env['NO_COLOR']
  return {
    config,
    hasConfiguration: options.path === undefined,
    access,
    host,
    isJson,
    style: createStyle(hasColor),
    async withReader(work) {
      const reader = await openMemoryReader(access)
      try {
        return await work(reader)
      } finally {
        await reader.close()
      }
    },
    async withStore(work) {
      refuseHostModel(config, embed !== undefined)
      const notes = createStoreNotes()
      const store = await createMemoryStore(config, { now: host.now, onEvent: notes.add, ...service })
      try {
        return await work(store, notes)
      } finally {
        const { credentials } = store.snapshot().discards
        await store.close()
        for (const line of notes.lines(credentials)) host.err(`${line}\n`)
      }
    },
  }
}

/** A writer of bujo has a chat model; one of the host application is out of reach here. */
function refuseHostModel({ llm, capture }: Session['config'], isBare: boolean): void {
  if (llm?.provider !== 'agent-host' && capture?.reconcileModel === undefined) return
  if (isBare) throw configurationNeeded()
  throw new CliError('host_model_absent', CLI_ERRORS.host_model_absent)
}

function fail(error: unknown, host: CommandHost, isJson: boolean): number {
  const code = isMemoryError(error) ? error.code : 'unexpected'
  const message = error instanceof Error ? error.message : 'An error without a description.'
  host.err(`error ${code}: ${message}\n`)
  if (isJson) host.out(`${JSON.stringify({ error: { code, message } })}\n`)
  return EXIT_FAILED
}

/** The usage may be longer than a screen: what was wrong comes last, on one line, where the eye is. */
function refuse(message: string, usage: string, host: CommandHost, isJson: boolean): number {
  host.err(message === '' ? usage : `${usage}\n${message.replaceAll(/\s*\n\s*/g, ' ')}\n`)
  if (isJson) host.out(`${JSON.stringify({ error: { code: 'usage', message: message || 'No command was given.' } })}\n`)
  return EXIT_MISUSE
}

/** The help of the command that was meant, else of the program. */
function usageOf(program: Command, argv: readonly string[]): string {
  const named = argv.map((word) => program.commands.find((command) => command.name() === word))
  return (named.find((command) => command !== undefined) ?? program).helpInformation()
}

/** Known before parsing, since a misuse must be told as JSON too. Words after `--` are no options. */
function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--')
  return argv.slice(0, end === -1 ? undefined : end).includes('--json')
}
