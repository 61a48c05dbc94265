import { Command, Option } from 'commander'
import type { RecallOptions } from '@mono-agent/memory-bujo'
import { STALE_NOTE } from '../output/memories.js'
import { formatOutcome } from '../output/outcome.js'
import { degradedNote } from '../output/service-reasons.js'
import type { Execute } from '../types.js'
import { parseInstantText, parseLimit, parseName } from './arguments.js'

interface SearchOptions extends Pick<RecallOptions, 'limit' | 'kind' | 'about' | 'asOf'> {
  readonly conversation?: string
  readonly explain?: true
}

export function searchCommand(execute: Execute): Command {
  return new Command('search')
    .description(
      'Search the memories, by the same path as the recall tool. Put `--` before a query that starts with a dash.',
    )
    .argument('<query...>', 'what to look for, in any words and any script')
    .addOption(new Option('-l, --limit <count>', 'most hits to show, 1 to 50').default(10).argParser(parseLimit))
    .option('-c, --conversation <id>', 'only memories of this conversation')
    .addOption(new Option('-k, --kind <kind>', 'only memories of this kind; bujo').choices(['preference', 'lesson']))
    .addOption(
      new Option('-a, --about <entity>', 'only memories about this entity, by its id or whole name; bujo').argParser(
        parseName,
      ),
    )
    .addOption(
      new Option(
        '--as-of <instant>',
        'answer from what was recorded and valid then, RFC 3339 with offset, as 2026-05-01T09:00:00Z',
      ).argParser(parseInstantText),
    )
    .option('--explain', 'show the parts of every score, and where each hit comes from')
    .action((words: string[], options: SearchOptions) =>
      execute(({ withReader, style }) =>
        withReader(async (reader) => {
          const outcome = await reader.recallWithOutcome(words.join(' '), recallOptions(options))
          const { degraded } = outcome
          const notes = [
            degraded === undefined ? undefined : degradedNote(degraded.reason),
            outcome.stale ? STALE_NOTE : undefined,
          ]
          return {
            json: outcome,
            text: formatOutcome(outcome, style),
            diagnostics: notes.filter((note) => note !== undefined),
          }
        }),
      ),
    )
}

function recallOptions({ conversation, ...options }: SearchOptions): RecallOptions {
  return { ...options, ...(conversation === undefined ? {} : { conversationId: conversation }) }
}
