import type { MemoryTool } from '../tools/memory-tool.js'
import { inputSchemaOf, type ObjectSchema } from './json-schema.js'
import { strictSchema } from './strict-schema.js'
import { callTool, toolsByName, type CallOutcome } from './tool-set.js'

export interface OpenAiToolOptions {
  /**
   * Default true: the service holds the model to the schema, in which an optional field is one that may be null. False for
   * services that do not know the mode: the schema as it is.
   */
  readonly strict?: boolean
}

export interface OpenAiFunction {
  name: string
  description: string
  parameters: Record<string, unknown>
  strict: boolean
}

/** An entry of `tools` in the Chat Completions API, and of services compatible with it. */
export interface OpenAiTool {
  type: 'function'
  function: OpenAiFunction
}

/** An entry of `tools` in the Responses API. */
export interface OpenAiResponsesTool extends OpenAiFunction {
  type: 'function'
}

/** The tools as Chat Completions takes them. @throws {TypeError} two tools of one name */
export function toOpenAiTools(tools: readonly MemoryTool[], options: OpenAiToolOptions = {}): OpenAiTool[] {
  return functionsOf(tools, options).map((each) => ({ type: 'function', function: each }))
}

/** The tools as the Responses API takes them. @throws {TypeError} two tools of one name */
export function toOpenAiResponsesTools(
  tools: readonly MemoryTool[],
  options: OpenAiToolOptions = {},
): OpenAiResponsesTool[] {
  return functionsOf(tools, options).map((each) => ({ type: 'function', ...each }))
}

function functionsOf(tools: readonly MemoryTool[], { strict = true }: OpenAiToolOptions): OpenAiFunction[] {
  return [...toolsByName(tools)].map(([name, tool]) => {
    const schema: ObjectSchema = inputSchemaOf(tool)
    return { name, description: tool.description, parameters: { ...(strict ? strictSchema(schema) : schema) }, strict }
  })
}

/**
 * Calls a tool as the model asked: its name, and its arguments as the JSON text that the API hands over. A field that is
 * null counts as left out. Never rejects: a name or arguments that cannot be used are a result with `isError`, whose text
 * is the tool's message to the model.
 */
export async function callOpenAiTool(
  tools: readonly MemoryTool[],
  name: string,
  argumentsJson: string,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<CallOutcome> {
  const tool = tools.find((each) => each.name === name)
  if (tool === undefined) {
    const known = tools.map((each) => each.name).join(', ')
    return { text: `There is no tool of this name. Tools: ${known || 'none'}.`, isError: true }
  }
  const input = parseArguments(argumentsJson)
  if (input === undefined) {
    return { text: 'The arguments are not one JSON object. Nothing was done. Send them again as one.', isError: true }
  }
  return callTool(tool, input, signal)
}

/** Models leave the text empty where a function needs no arguments. */
function parseArguments(json: string): Record<string, unknown> | undefined {
  let value: unknown
  try {
    value = json.trim() === '' ? {} : JSON.parse(json)
  } catch {
    return undefined
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null))
}
