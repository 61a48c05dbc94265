import { Argument, Command } from 'commander'
import { retryTurns } from '@mono-agent/memory-bujo'
import { count } from '../output/text.js'
import type { Execute } from '../types.js'
import { parseTurnId } from './arguments.js'

export function retryCommand(execute: Execute): Command {
  return new Command('retry')
    .description('Make dead and delayed turns due at the next start. Needs the stopped store.')
    .addArgument(new Argument('[id]', 'only this turn; all when left out').argParser(parseTurnId))
    .action((id: string | undefined) =>
      execute(async ({ access }) => {
        const report = await retryTurns(access, id)
        const text = report.changed ? `${count(report.ids.length, 'turn')} due at the next start.` : 'Nothing to retry.'
        return { json: report, text }
      }),
    )
}
