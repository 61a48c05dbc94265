import type { MemoryTool, MemoryToolName } from '../tools/memory-tool.js'
import type { TurnPort } from '../types.js'
import type { TurnLife } from './turn-life.js'

/** The tools of one port, in the order of their names' list. */
export function toolsOf(
  _port: TurnPort,
  _names: readonly MemoryToolName[],
  _randomBytes: (count: number) => Uint8Array,
  _life: TurnLife | undefined,
): readonly MemoryTool[] {
  return []
}
