import { Command } from 'commander'
import { rollbackMemoryIndex } from '@mono-agent/memory-bujo'
import { facts } from '../output/text.js'
import type { Execute } from '../types.js'

type RollbackReport = Awaited<ReturnType<typeof rollbackMemoryIndex>>

export function rollbackCommand(execute: Execute): Command {
  return new Command('rollback')
    .description(
      'Go back to the index that the last rebuild replaced, as long as no day file has changed since. Needs the stopped ' +
        'store and the configuration to go back to; asks no service.',
    )
    .action(() =>
      execute(async ({ access }) => {
        const report = await rollbackMemoryIndex(access)
        return { json: report, text: formatReport(report) }
      }),
    )
}

function formatReport({ generation, identity, memories, previous }: RollbackReport): string {
  return facts([
    ['generation', generation],
    ['index for', described(identity)],
    ['memories', memories],
    ['kept to go back to', previous?.isOffered === true ? described(previous.identity) : 'none'],
  ])
}

const described = ({ tier, model, dimension }: RollbackReport['identity']): string =>
  [tier, model, dimension].filter((part) => part !== undefined).join(', ')
