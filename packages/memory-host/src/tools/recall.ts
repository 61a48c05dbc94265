import { MemoryError, type MemoryLookup } from '@mono-agent/memory-bujo'
import type { z } from 'zod'
import type { OriginalUnavailable, TurnPort } from '../types.js'
import { failedResult, invalidInput, turnEnded } from './failed-result.js'
import type { MemoryTool, ToolResult } from './memory-tool.js'
import { recallDescription, type Elsewhere } from './recall-advice.js'
import { recallResult } from './recall-result.js'
import { recallInputs, recallOutput, type RecallOutput } from './recall-schema.js'

/** Direct hits and related ones of one call. */
export const RECALL_LIMIT = 10

/**
 * `MemoryRecall`: what is known of one topic, by the lookup that the turn shares (REC-11..13). Backend failures are a
 * degraded answer, never a raw error (REC-8).
 * @param parts  `hasJournal`: whether `MemoryJournal` is offered beside it, so that its description may name it;
 *   `hasLabels`: whether the store can tell `kind` and `about`
 */
export function recallTool(
  port: TurnPort,
  parts: { readonly hasJournal?: boolean; readonly hasLabels?: boolean } = {},
): MemoryTool {
  const inputSchema = recallInputs[parts.hasLabels === true ? 'labels' : 'plain']
  const elsewhere: Elsewhere = { ...port.handOff, hasJournal: parts.hasJournal ?? false }
  return {
    name: 'MemoryRecall',
    title: 'Search memory',
    description: recallDescription(elsewhere),
    inputSchema,
    outputSchema: recallOutput,
    isReadOnly: true,
    async handle(input, { signal } = {}) {
      if (port.isEnded()) return turnEnded()
      const parsed = inputSchema.safeParse(input)
      if (!parsed.success) return invalidInput(parsed.error)
      try {
        const lookup = await lookupFor(port, parsed.data, signal)
        if (port.isEnded()) return turnEnded() // while it was looked up: nothing is shown any more
        return typeof lookup === 'string' ? unavailable(lookup) : answer(port, lookup, parsed.data, elsewhere)
      } catch (error) {
        if (port.isEnded()) return turnEnded()
        return signal?.aborted === true ? failedResult('aborted', ABORTED) : failed(error)
      }
    },
  }
}

type Asked = z.output<typeof recallInputs.labels>

function lookupFor(
  port: TurnPort,
  { query, kind, about }: Asked,
  signal: AbortSignal | undefined,
): Promise<MemoryLookup | OriginalUnavailable> {
  if (query === undefined) return port.original(signal)
  return port.lookUp(query, {
    ...(kind === undefined ? {} : { kind }),
    ...(about === undefined ? {} : { about }),
    ...(signal === undefined ? {} : { signal }),
  })
}

/** The original lookup is shown uncut, narrowed to what is asked for beside it: no second one is made (REC-12). */
function answer(port: TurnPort, lookup: MemoryLookup, { query, kind, about }: Asked, elsewhere: Elsewhere): ToolResult {
  const outcome = lookup.recall({
    limit: RECALL_LIMIT,
    scopes: port.scopes,
    ...(kind === undefined ? {} : { kind }),
    ...(about === undefined ? {} : { about }),
    ...(query === undefined ? { uncut: true } : {}),
  })
  const { result, memoryIds } = recallResult(outcome, elsewhere)
  port.delivered(memoryIds, result.text)
  return result
}

const ABORTED = 'The call was cancelled before memory had answered. Nothing was changed.'
const NO_LABELS =
  'This memory keeps no labels, and nothing was searched. Leave `kind` and `about` out; name in `query` what it is about.'

/** A filter that the store does not have can be mended; of any other failure only its code is told (REC-8). */
function failed(error: unknown): ToolResult {
  const code = error instanceof MemoryError ? (error as MemoryError).code : 'memory_unavailable'
  if (code === 'unsupported_in_tier') return failedResult(code, NO_LABELS)
  const structured: RecallOutput = { hits: [], degraded: { reason: code }, sections: [] }
  return { text: degradedText(code), structured, isError: true }
}

const degradedText = (code: string): string =>
  `Degraded answer (${code}): memory could not be searched now, and nothing is shown. That says nothing of what is ` +
  'recorded. Go on without it, and say so where it matters.'

const UNAVAILABLE: Readonly<Record<Exclude<OriginalUnavailable, 'ended'>, string>> = {
  written: 'Memory was written to in this turn, so what was found for its message is no longer all there is.',
  empty: 'The message of this turn asks nothing that could be looked up.',
  no_turn: 'There is no turn here whose message could be looked up.',
}

function unavailable(reason: OriginalUnavailable): ToolResult {
  if (reason === 'ended') return turnEnded()
  return failedResult('original_unavailable', `${UNAVAILABLE[reason]} Nothing was searched. Call again with \`query\`.`)
}
