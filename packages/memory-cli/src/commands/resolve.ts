import { Argument, Command, Option } from 'commander'
import { resolveTurn } from '@mono-agent/memory-bujo'
import type { Execute } from '../types.js'
import { parseReason, parseTurnId } from './arguments.js'

export function resolveCommand(execute: Execute): Command {
  return new Command('resolve')
    .description('End a turn that cannot be processed, without claiming success. Needs the stopped store.')
    .addArgument(new Argument('<id>', 'the turn, as `inspect` shows it').argParser(parseTurnId))
    .addOption(
      new Option('-r, --reason <slug>', 'why, for the receipt, like `provider-gone`')
        .argParser(parseReason)
        .makeOptionMandatory(),
    )
    .action((id: string, options: { readonly reason: string }) =>
      execute(async ({ access }) => {
        const report = await resolveTurn(access, id, options.reason)
        return { json: report, text: report.changed ? 'Resolved.' : 'Nothing to resolve: it is settled or unknown.' }
      }),
    )
}
