import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { CallToolResult, Tool } from '@modelcontextprotocol/sdk/types.js'
import type { MemoryTool } from '../tools/memory-tool.js'
import { inputSchemaOf, outputSchemaOf } from './json-schema.js'
import { callTool, toolsByName } from './tool-set.js'

/** How a server of tools names itself to a client. */
export interface ToolServerOptions {
  /** Default `mono-agent-memory`. */
  readonly name?: string
  /** Default `0`: a set of tools has no version of its own. */
  readonly version?: string
  /** What a client may tell its model about the tools as a whole. */
  readonly instructions?: string
}

/**
 * An MCP server that lists and calls these tools, and does nothing else; connect it to a transport of the SDK. What an
 * argument may be is decided by the tool: a wrong one is a result with `isError` that tells the model how to mend it. Only
 * a tool that does not exist is an error of the protocol.
 * @throws {TypeError} two tools of one name
 */
export async function createToolServer(
  tools: readonly MemoryTool[],
  options: ToolServerOptions = {},
): Promise<McpServer> {
  return (await toolServers(tools, options))()
}

/** Makes servers of the same tools; schemas are derived once. */
export async function toolServers(
  tools: readonly MemoryTool[],
  { name = 'mono-agent-memory', version = '0', instructions }: ToolServerOptions,
): Promise<() => McpServer> {
  const byName = toolsByName(tools)
  const listing = tools.map(listed)
  // Loaded when it is first needed: the SDK takes longer to load than all of memory, and most hosts embed without it.
  const { McpServer } = await import('@modelcontextprotocol/sdk/server/mcp.js')
  const { CallToolRequestSchema, ErrorCode, ListToolsRequestSchema, McpError } =
    await import('@modelcontextprotocol/sdk/types.js')

  return () => {
    const mcp = new McpServer({ name, version }, instructions === undefined ? {} : { instructions })
    // The handlers of McpServer would parse arguments themselves, and answer the model with raw issues of the schema.
    const { server } = mcp
    server.registerCapabilities({ tools: {} })
    server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: listing }))
    server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }): Promise<CallToolResult> => {
      const tool = byName.get(params.name)
      if (tool === undefined) {
        const known = tools.map((each) => each.name).join(', ')
        throw new McpError(ErrorCode.InvalidParams, `There is no tool of this name. Tools: ${known || 'none'}.`)
      }
      const { text, structured, isError } = await callTool(tool, params.arguments ?? {}, signal)
      return {
        content: [{ type: 'text', text }],
        ...(structured === undefined ? {} : { structuredContent: structured }),
        ...(isError === true ? { isError } : {}),
      }
    })
    return mcp
  }
}

function listed(tool: MemoryTool): Tool {
  const { name, title, description, isReadOnly } = tool
  return {
    name,
    title,
    description,
    inputSchema: { ...inputSchemaOf(tool) },
    outputSchema: { ...outputSchemaOf(tool) },
    // Through its tools memory is only added to (REC-28), and it is a closed world.
    annotations: { title, readOnlyHint: isReadOnly, destructiveHint: false, openWorldHint: false },
  }
}
