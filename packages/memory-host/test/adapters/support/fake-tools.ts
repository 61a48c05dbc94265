import { z } from 'zod'
import type { MemoryTool, ToolResult } from '../../../src/tools/memory-tool.js'

export interface Call {
  readonly name: string
  readonly input: unknown
  readonly signal: AbortSignal | undefined
}

export interface FakeTools {
  readonly tools: readonly MemoryTool[]
  readonly calls: Call[]
}

const outcome = z.strictObject({ status: z.enum(['ok', 'invalid']), words: z.string() })

const SCHEMAS = {
  MemoryRecall: z.strictObject({
    query: z.string().min(1).max(64).optional().describe('What to look for.'),
    useOriginalQuery: z.literal(true).optional(),
    kind: z.enum(['preference', 'lesson']).optional(),
  }),
  MemoryJournal: z.strictObject({ fromDate: z.string(), limit: z.int().min(1).max(25).default(10) }),
  Remember: z.strictObject({ text: z.string().min(1).max(64).describe('One sentence.') }),
}

/**
 * Tools of the real names that answer with their input, and refuse a wrong one as the real ones do.
 * @param before  runs in each call, after its input was accepted
 */
export function fakeTools(before: (call: Call) => Promise<void> | void = () => undefined): FakeTools {
  const calls: Call[] = []
  const make = (name: keyof typeof SCHEMAS): MemoryTool => ({
    name,
    title: `Title of ${name}`,
    description: `Description of ${name}.`,
    inputSchema: SCHEMAS[name],
    outputSchema: outcome,
    isReadOnly: name !== 'Remember',
    async handle(input, options = {}): Promise<ToolResult> {
      const call = { name, input, signal: options.signal }
      calls.push(call)
      if (!SCHEMAS[name].safeParse(input).success) {
        return { text: `Mend ${name}.`, structured: { status: 'invalid', words: '' }, isError: true }
      }
      await before(call)
      const words = JSON.stringify(input)
      return { text: `${name}: ${words}`, structured: { status: 'ok', words } }
    },
  })
  return { tools: [make('MemoryRecall'), make('MemoryJournal'), make('Remember')], calls }
}

/** A gate that calls wait at. */
export function gate() {
  let open!: () => void
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { open, opened }
}
