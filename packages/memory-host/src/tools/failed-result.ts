import { shownText } from '@mono-agent/memory-bujo'
import { z } from 'zod'
import type { ToolResult } from './memory-tool.js'

/** Part of every output schema: what a result with `isError` holds as data. */
export const toolError = z
  .strictObject({
    code: z.string().describe('Stable name of the fault.'),
    message: z.string().describe('What happened, what it left, what to do.'),
  })
  .describe('Present, and alone, where the call failed.')

/** @param message  what happened, what it left, what to do: no raw error, path or secret */
export function failedResult(code: string, message: string): ToolResult {
  return { text: message, structured: { error: { code, message } }, isError: true }
}

/** Faults of an input that are told; whoever mends these sees the rest with the next call. */
const MAX_FAULTS = 5
const MAX_FAULT_BYTES = 256

/** Every fault with the field it is in, so that a model can mend its call. Values are not repeated; unknown keys are. */
export function invalidInput({ issues }: z.ZodError): ToolResult {
  const faults = issues.slice(0, MAX_FAULTS).map(({ path, message }) => {
    return `- ${shownText([...path.map(String), message].join(': '), MAX_FAULT_BYTES)}`
  })
  return failedResult('input_invalid', `The call is not valid, and nothing was done. Mend it:\n${faults.join('\n')}`)
}

/** Of any tool whose turn is over. */
export const turnEnded = (): ToolResult =>
  failedResult('turn_ended', 'The turn of this tool is over, and nothing was done. Use the tools of the present turn.')
