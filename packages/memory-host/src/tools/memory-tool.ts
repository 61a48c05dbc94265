import type { z } from 'zod'

export type MemoryToolName = 'MemoryRecall' | 'MemoryJournal' | 'Remember'

/** What a tool gives back: the same in words and as data. */
export interface ToolResult {
  readonly text: string
  /** JSON; of the tool's `outputSchema`, also where `isError` is true. */
  readonly structured: Readonly<Record<string, unknown>>
  readonly isError?: boolean
}

/** A tool as a plain object; adapters fit it to a protocol or framework (REC-31). */
export interface MemoryTool {
  readonly name: MemoryToolName
  readonly title: string
  readonly description: string
  readonly inputSchema: z.ZodObject
  readonly outputSchema: z.ZodObject
  readonly isReadOnly: boolean
  /**
   * Parses the input and answers. Never rejects for bad input or a state of the store: that is a result with `isError`, in
   * words that an agent can mend it by and that hold no path, secret or raw error.
   */
  handle(input: unknown, options?: { readonly signal?: AbortSignal }): Promise<ToolResult>
}
