import { Command, Option } from 'commander'
import { formatMemories } from '../output/memories.js'
import type { Execute } from '../types.js'
import { parseLimit } from './arguments.js'

interface TopOptions {
  readonly limit: number
  readonly all?: boolean
}

export function topCommand(execute: Execute): Command {
  return new Command('top')
    .description('Show the most salient memories, the newest first among equals: those that stand.')
    .addOption(new Option('-l, --limit <count>', 'most memories to show, 1 to 50').default(10).argParser(parseLimit))
    .option('--all', 'also history: what was superseded or has ended')
    .action(({ limit, all = false }: TopOptions) =>
      execute(({ withReader, style }) =>
        withReader(async (reader) => {
          const memories = await reader.top(limit, { withHistory: all })
          const leads = memories.map((memory) => memory.salience.toFixed(2))
          return {
            json: { memories },
            text: memories.length === 0 ? nothing(all) : formatMemories(memories, style, leads),
          }
        }),
      ),
    )
}

const nothing = (withHistory: boolean): string =>
  withHistory ? 'The store holds no memories yet.' : 'The store holds no memories that stand; --all shows history too.'
