export { createTurnMemory, type TurnMemoryOptions } from './turn/create-turn-memory.js'
export { createStandaloneTools, type StandaloneToolOptions } from './turn/standalone-tools.js'
export { HOST_ERRORS, HostError, type HostErrorCode } from './errors.js'
export type * from './types.js'
export type * from './tools/memory-tool.js'
export type { RecallOutput } from './tools/recall-schema.js'
export type { RememberOutput } from './tools/remember.js'
export type { JournalEntry, JournalOutput } from './journal/journal-output.js'
export { createToolServer, type ToolServerOptions } from './adapters/mcp-server.js'
export { serveOverStdio, type StdioOptions } from './adapters/mcp-stdio.js'
export type { IgnoredLine, TransportEnd } from './adapters/line-transport.js'
export { openToolEndpoint, tryOpenToolEndpoint, type EndpointOptions, type ToolEndpoint } from './adapters/mcp-http.js'
export { MAX_MESSAGE_BYTES } from './adapters/limits.js'
export { toAiSdkTools, type AiSdkInputSchema, type AiSdkTool } from './adapters/ai-sdk.js'
export {
  callOpenAiTool,
  toOpenAiResponsesTools,
  toOpenAiTools,
  type OpenAiFunction,
  type OpenAiResponsesTool,
  type OpenAiTool,
  type OpenAiToolOptions,
} from './adapters/openai.js'
export type { CallOutcome } from './adapters/tool-set.js'
