import type { MemoryTool } from '../tools/memory-tool.js'
import { callTool, toolsByName, type CallOutcome } from './tool-set.js'

/** What `tool()` of the AI SDK makes, version 6, in structure alone: the SDK is no dependency. */
export interface AiSdkTool {
  readonly title: string
  readonly description: string
  readonly inputSchema: AiSdkInputSchema
  /** Never rejects: the SDK would show the model a raw error. */
  execute(
    input: Readonly<Record<string, unknown>>,
    options: { readonly abortSignal?: AbortSignal },
  ): Promise<CallOutcome>
  /** What the model reads: the words. The host reads text and data, as `output` of the tool's result. */
  toModelOutput(options: { readonly output: CallOutcome }): {
    readonly type: 'text' | 'error-text'
    readonly value: string
  }
}

/** A Standard Schema that can tell its JSON Schema (standardschema.dev). */
export interface AiSdkInputSchema {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => { readonly value: Readonly<Record<string, unknown>> }
    readonly jsonSchema: NonNullable<MemoryTool['inputSchema']['~standard']['jsonSchema']>
  }
}

/**
 * The tools as the AI SDK takes them: `generateText({ tools: { ...toAiSdkTools(turn.tools), ...yours } })`.
 * @throws {TypeError} two tools of one name
 */
export function toAiSdkTools(tools: readonly MemoryTool[]): Record<string, AiSdkTool> {
  return Object.fromEntries([...toolsByName(tools)].map(([name, tool]) => [name, aiSdkTool(tool)]))
}

function aiSdkTool(tool: MemoryTool): AiSdkTool {
  const { title, description, inputSchema } = tool
  return {
    title,
    description,
    inputSchema: {
      '~standard': {
        version: 1,
        vendor: 'mono-agent-memory',
        // All passes: the tool itself judges its input, in words that a model can mend it by.
        validate: (value) => ({ value: value as Readonly<Record<string, unknown>> }),
        jsonSchema: inputSchema['~standard'].jsonSchema,
      },
    },
    execute: (input, { abortSignal }) => callTool(tool, input, abortSignal),
    toModelOutput: ({ output: { text, isError } }) => ({ type: isError === true ? 'error-text' : 'text', value: text }),
  }
}
