import { Command, Option } from 'commander'
import { calibrateCommand } from './commands/calibrate.js'
import { parsePath } from './commands/arguments.js'
import { curateCommand } from './commands/curate.js'
import { ingestCommand } from './commands/ingest.js'
import { inspectCommand } from './commands/inspect.js'
import { logCommand } from './commands/log.js'
import { profileCommand } from './commands/profile.js'
import { rebuildCommand } from './commands/rebuild.js'
import { resolveCommand } from './commands/resolve.js'
import { retryCommand } from './commands/retry.js'
import { rollbackCommand } from './commands/rollback.js'
import { searchCommand } from './commands/search.js'
import { serveCommand } from './commands/serve.js'
import { showCommand, todayCommand } from './commands/show.js'
import { statsCommand } from './commands/stats.js'
import { topCommand } from './commands/top.js'
import { validateCommand } from './commands/validate.js'
import { CONFIG_FILE } from './configuration/load-configuration.js'
import type { Execute } from './types.js'
import { VERSION } from './version.js'

/** In the order of the help: writing, reading, care. */
const COMMANDS = [
  ingestCommand,
  searchCommand,
  todayCommand,
  showCommand,
  topCommand,
  logCommand,
  profileCommand,
  curateCommand,
  statsCommand,
  serveCommand,
  inspectCommand,
  retryCommand,
  resolveCommand,
  rebuildCommand,
  rollbackCommand,
  validateCommand,
  calibrateCommand,
]

/** Options that every command takes. */
export interface GlobalOptions {
  readonly config?: string
  readonly path?: string
  readonly mode?: string
  readonly json?: boolean
  readonly color: boolean
}

/** The whole command line; help, usage and docs/cli.md are made from it. Parses nothing by itself. */
export function createProgram(execute: Execute): Command {
  const program = new Command('mono-agent-memory')
    .description('Look after the memory of an agent: what goes in, what is there, what is found.')
    .version(VERSION, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .addOption(
      new Option('--config <file>', `configuration file; default ${CONFIG_FILE} in this folder`).argParser(parsePath),
    )
    .addOption(
      new Option('--path <root>', 'root folder of a store, without a configuration file')
        .conflicts('config')
        .argParser(parsePath),
    )
    .addOption(
      new Option('--mode <mode>', 'tier of the store at --path; by default what its index was built for').choices([
        'lite',
        'journal',
        'bujo',
      ]),
    )
    .option('--json', 'print one JSON value on stdout; diagnostics stay on stderr')
    .option('--no-color', 'no colours, also not on a terminal')
  for (const command of COMMANDS) program.addCommand(command(execute).helpOption('-h, --help', 'print this help'))
  for (const command of [program, ...program.commands]) {
    command.configureHelp({ showGlobalOptions: true }).exitOverride().allowExcessArguments(false)
  }
  return program
}
