import { journalTool } from '../tools/journal.js'
import type { MemoryTool, MemoryToolName } from '../tools/memory-tool.js'
import { recallTool } from '../tools/recall.js'
import { rememberTool } from '../tools/remember.js'
import type { HostOptions, TurnPort } from '../types.js'

/** Makes the tools of these names; all of them share the port. */
export function toolsOf(
  port: TurnPort,
  names: readonly MemoryToolName[],
  parts: Pick<HostOptions, 'randomBytes'>,
): readonly MemoryTool[] {
  const detail = port.store.capabilities?.remember === 'detail' ? 'detail' : 'text'
  const makers: Readonly<Record<MemoryToolName, () => MemoryTool>> = {
    MemoryRecall: () =>
      recallTool(port, {
        hasJournal: names.includes('MemoryJournal'),
        hasLabels: port.store.capabilities?.labels ?? false,
      }),
    MemoryJournal: () => journalTool(port, parts),
    Remember: () => rememberTool(port, detail),
  }
  return names.map((name) => makers[name]())
}
