import { Argument, Command } from 'commander'
import type { MemoryReader } from '@mono-agent/memory-bujo'
import { count, facts, table, type Style } from '../output/text.js'
import type { Execute } from '../types.js'
import { parseTurnId } from './arguments.js'

type Inspection = Awaited<ReturnType<MemoryReader['inspect']>>
type Item = Inspection['items'][number]

/** Receipts are thousands in an old store and nobody waits for them: people see the newest only. */
const SHOWN_RECEIPTS = 10

export function inspectCommand(execute: Execute): Command {
  return new Command('inspect')
    .description('Show the turns in intake: pending, dead and resolved. Never shows what they say.')
    .addArgument(new Argument('[id]', 'only this turn').argParser(parseTurnId))
    .action((id: string | undefined) =>
      execute(({ withReader, style }) =>
        withReader(async (reader) => {
          const inspection = await reader.inspect(id)
          if (id === undefined) return { json: inspection, text: formatInspection(inspection, style) }
          const [item] = inspection.items
          return { json: inspection, text: item === undefined ? '' : formatItem(item) }
        }),
      ),
    )
}

function formatInspection({ counts, items }: Inspection, style: Style): string {
  const summary = [
    `${counts.pending} pending (${counts.due} due)`,
    `${counts.dead} dead`,
    count(counts.resolved, 'receipt'),
  ].join(', ')
  const unfinished = items.filter((item) => item.state !== 'resolved')
  const receipts = items.filter((item) => item.state === 'resolved')
  const shown = [...unfinished, ...receipts.slice(-SHOWN_RECEIPTS)]
  if (shown.length === 0) return summary
  const rows = shown.map((item) => [
    item.state,
    item.admittedAt.slice(0, 19),
    item.changedAt.slice(0, 19),
    String(item.attempts),
    item.failure ?? item.reason ?? (item.due ? 'due' : ''),
    item.id,
  ])
  const hidden = receipts.length - Math.min(receipts.length, SHOWN_RECEIPTS)
  const note = hidden === 0 ? '' : `\n${style.dim(`${count(hidden, 'older receipt')} not shown; --json lists all`)}`
  return `${summary}\n\n${table(['state', 'admitted (UTC)', 'changed (UTC)', 'attempts', 'why', 'id'], rows, style)}${note}`
}

function formatItem(item: Item): string {
  return facts([
    ['id', item.id],
    ['state', item.state],
    ['admitted', item.admittedAt],
    ['changed', item.changedAt],
    ['next attempt', item.nextAttemptAt],
    ['attempts', item.attempts],
    ['revision', item.revision],
    ['due', item.due ? 'yes' : 'no'],
    ['failure', item.failure],
    ['reason', item.reason],
  ])
}
