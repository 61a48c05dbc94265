import { Command } from 'commander'
import type { MemoryLife } from '@mono-agent/memory-bujo'
import { CliError } from '../errors.js'
import { facts, printable, type Style } from '../output/text.js'
import type { Execute } from '../types.js'

export function logCommand(execute: Execute): Command {
  return new Command('log')
    .description('Show the life of one memory: where it stands and what happened to it.')
    .argument('<id>', 'id of the memory, as `search`, `show` and `top` print it')
    .action((id: string) =>
      execute(({ withReader, style }) =>
        withReader(async (reader) => {
          const life = await reader.log(id)
          if (life === undefined) {
            throw new CliError(
              'memory_unknown',
              'There is no memory of this id in the index. Nothing was changed. Take the id from `search`, `show` or `top`.',
            )
          }
          return { json: life, text: formatLife(life, style) }
        }),
      ),
    )
}

function formatLife({ memory, line, history }: MemoryLife, style: Style): string {
  const about = facts([
    ['id', memory.id],
    ['type', memory.type],
    ['status', memory.status],
    ['salience', memory.salience.toFixed(2)],
    ['speaker', memory.speaker === undefined ? undefined : printable(memory.speaker)],
    ['attribution', memory.attribution],
    ['standing', memory.endedOn === undefined ? memory.currentness : `ended ${memory.endedOn}`],
    ['conversation', memory.conversationId === undefined ? undefined : printable(memory.conversationId)],
    ['due', memory.dueAt],
    ['file', line === undefined ? `${memory.file} (changed since it was indexed)` : `${memory.file}:${line}`],
  ])
  const events = facts(history.map(({ at, event, id }) => [at, wordsOf(event, id)] as const))
  return `${style.strong(printable(memory.text))}\n\n${about}\n\n${events}`
}

function wordsOf(event: MemoryLife['history'][number]['event'], id = ''): string {
  if (event === 'took_place') return `took the place of ${id}`
  return event === 'superseded' ? `superseded by ${id}` : event
}
