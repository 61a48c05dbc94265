import type { MemoryTool, ToolResult } from '../tools/memory-tool.js'

/** The tools by their names. @throws {TypeError} two of one name: one of them could never be called */
export function toolsByName(tools: readonly MemoryTool[]): ReadonlyMap<string, MemoryTool> {
  const byName = new Map(tools.map((tool) => [tool.name as string, tool]))
  if (byName.size !== tools.length) throw new TypeError('Two tools have the same name. Hand over each tool once.')
  return byName
}

/** What a call came to. `structured` is absent only where there is no tool that could have made it. */
export interface CallOutcome extends Omit<ToolResult, 'structured'> {
  readonly structured?: ToolResult['structured']
}

/** Words for a defect: what was thrown may hold paths or secrets, and goes no further. */
const DEFECT = 'The tool failed for a reason that it does not know. Go on without it.'

/** Calls a tool; what it throws against its contract becomes a result without detail. */
export async function callTool(
  tool: MemoryTool,
  input: unknown,
  signal: AbortSignal | undefined,
): Promise<CallOutcome> {
  try {
    return await tool.handle(input, signal === undefined ? {} : { signal })
  } catch {
    return { text: DEFECT, isError: true }
  }
}
