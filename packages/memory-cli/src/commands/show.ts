import { Argument, Command } from 'commander'
import { formatMemories, STALE_NOTE } from '../output/memories.js'
import { count } from '../output/text.js'
import type { CommandResult, Execute, Session } from '../types.js'
import { parseDay } from './arguments.js'

export function showCommand(execute: Execute): Command {
  return new Command('show')
    .description('Show the memories of one UTC day, in the order of its day file.')
    .addArgument(new Argument('<date>', 'the day, YYYY-MM-DD').argParser(parseDay))
    .action((day: string) => execute((session) => showDay(session, day)))
}

export function todayCommand(execute: Execute): Command {
  return new Command('today')
    .description('Show the memories of the present UTC day.')
    .action(() => execute((session) => showDay(session, new Date(session.host.now()).toISOString().slice(0, 10))))
}

function showDay({ withReader, style }: Session, day: string): Promise<CommandResult> {
  return withReader(async (reader) => {
    const shown = await reader.show(day)
    const heading = style.strong(`${day}: ${count(shown.memories.length, 'memory', 'memories')}`)
    const text = shown.memories.length === 0 ? heading : `${heading}\n\n${formatMemories(shown.memories, style)}`
    return { json: shown, text, ...(shown.stale ? { diagnostics: [STALE_NOTE] } : {}) }
  })
}
