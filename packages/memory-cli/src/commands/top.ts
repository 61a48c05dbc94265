import { Command, Option } from 'commander'
import { formatMemories } from '../output/memories.js'
import type { Execute } from '../types.js'
import { parseLimit } from './arguments.js'

export function topCommand(execute: Execute): Command {
  return new Command('top')
    .description('Show the most salient memories, the newest first among equals.')
    .addOption(new Option('-l, --limit <count>', 'most memories to show, 1 to 50').default(10).argParser(parseLimit))
    .action((options: { readonly limit: number }) =>
      execute(({ withReader, style }) =>
        withReader(async (reader) => {
          const memories = await reader.top(options.limit)
          const leads = memories.map((memory) => memory.salience.toFixed(2))
          return {
            json: { memories },
            text: memories.length === 0 ? 'The store holds no memories yet.' : formatMemories(memories, style, leads),
          }
        }),
      ),
    )
}
