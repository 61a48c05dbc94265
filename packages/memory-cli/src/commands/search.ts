import { Command, Option } from 'commander'
import type { MemoryHit, RecallOptions } from '@mono-agent/memory-bujo'
import { formatMemories, STALE_NOTE } from '../output/memories.js'
import { degradedNote } from '../output/service-reasons.js'
import type { Style } from '../output/text.js'
import type { Execute } from '../types.js'
import { parseLimit } from './arguments.js'

interface SearchOptions {
  readonly limit: number
  readonly conversation?: string
  readonly explain?: boolean
}

export function searchCommand(execute: Execute): Command {
  return new Command('search')
    .description(
      'Search the memories, by the same path as the recall tool. Put `--` before a query that starts with a dash.',
    )
    .argument('<query...>', 'what to look for, in any words and any script')
    .addOption(new Option('-l, --limit <count>', 'most hits to show, 1 to 50').default(10).argParser(parseLimit))
    .option('-c, --conversation <id>', 'only memories of this conversation')
    .option('--explain', 'show the parts of every score')
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
            text: outcome.hits.length === 0 ? 'No memory matches.' : formatHits(outcome.hits, style),
            diagnostics: notes.filter((note) => note !== undefined),
          }
        }),
      ),
    )
}

function recallOptions({ limit, conversation, explain }: SearchOptions): RecallOptions {
  return {
    limit,
    ...(conversation === undefined ? {} : { conversationId: conversation }),
    ...(explain === true ? { explain } : {}),
  }
}

function formatHits(hits: readonly MemoryHit[], style: Style): string {
  return hits
    .map((hit) => {
      const { speaker, file } = hit.source ?? {}
      const listed = { ...hit, ...(speaker === undefined ? {} : { speaker }), ...(file === undefined ? {} : { file }) }
      const block = formatMemories([listed], style, [hit.score.toFixed(3)])
      if (hit.explanation === undefined) return block
      const parts = Object.entries(hit.explanation).map(([part, score]) => `${part} ${Number(score).toFixed(3)}`)
      return `${block}\n${' '.repeat(19)}${style.dim(parts.join(' + '))}`
    })
    .join('\n')
}
