import { Readable } from 'node:stream'
import { Command } from 'commander'
import type { MemoryStore } from '@mono-agent/memory-bujo'
import { createStandaloneTools, serveOverStdio, type IgnoredLine } from '@mono-agent/memory-host'
import { isMemoryError } from '../errors.js'
import { interruptedExitCode } from '../output/interrupted.js'
import { count } from '../output/text.js'
import type { CommandResult, Execute, Session } from '../types.js'
import { VERSION } from '../version.js'

interface ServeOptions {
  readonly readOnly?: boolean
}

export function serveCommand(execute: Execute): Command {
  return new Command('serve')
    .description(
      'Serve the tools of the memory to an MCP client, on standard input and output, until it goes away. Beside a running agent, reading only.',
    )
    .option('--read-only', 'offer reading only, so that an agent can start beside it and write')
    .action((options: ServeOptions) => execute((session) => serve(session, options), { speaksProtocol: true }))
}

async function serve(session: Session, { readOnly = false }: ServeOptions): Promise<CommandResult> {
  if (readOnly) return serveReading(session)
  let isOpen = false
  try {
    return await session.withStore((store) => {
      isOpen = true
      return serveStore(session, store)
    })
  } catch (error) {
    if (isOpen || !isMemoryError(error) || error.code !== 'writer_active') throw error
    session.host.err('note: a running agent writes to this store; reading only is offered, also once it has ended\n')
    return serveReading(session)
  }
}

function serveReading(session: Session): Promise<CommandResult> {
  return session.withReader((reader) => serveStore(session, reader))
}

async function serveStore({ host }: Session, store: MemoryStore): Promise<CommandResult> {
  const signal = host.interruption() // before a client can know that we are there
  const tools = createStandaloneTools(store)
  const names = tools.map(({ name }) => name)
  host.err(`serving ${names.join(', ') || 'no tool: the configuration has them all turned off'}\n`)
  const ignored: Record<IgnoredLine, number> = { garbage: 0, oversize: 0 }
  await serveOverStdio(tools, {
    version: VERSION,
    input: Readable.from(host.standardInput),
    output: host.standardOutput(),
    signal,
    onIgnored: (why) => void ignored[why]++,
  })
  return {
    json: { ignored },
    text: '',
    diagnostics: ignoredLines(ignored),
    ...(signal.aborted ? { exitCode: interruptedExitCode(signal) } : {}),
  }
}

function ignoredLines({ garbage, oversize }: Readonly<Record<IgnoredLine, number>>): string[] {
  return [
    ...(garbage === 0 ? [] : [`warning: ${count(garbage, 'line')} passed over that no MCP client sends`]),
    ...(oversize === 0 ? [] : [`warning: ${count(oversize, 'message')} passed over, longer than a message may be`]),
  ]
}
