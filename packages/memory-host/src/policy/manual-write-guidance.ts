import type { StoreCapabilities } from '@mono-agent/memory-bujo'
import type { MemoryToolName } from '../tools/memory-tool.js'
import type { KnownTurn } from './known-turn.js'

const GUIDANCE = [
  'This turn is not captured into memory by itself. If it brings something that will matter later, call Remember with one',
  'self-contained sentence that says its source, its date and any doubt. Call it for nothing else.',
].join(' ')

const DETAIL = [
  'Look for an earlier line with MemoryRecall first: name it in `supersedes` where it is replaced, the person it is about in',
  '`about`, and set `replaceable` on the first note of what will be observed again.',
].join(' ')

/**
 * What is added to the context of a turn whose source is not captured while Remember may be called (REC-30); undefined
 * for every other turn. A continuation has had it already.
 */
export function manualWriteGuidance(
  { source, wake }: Pick<KnownTurn, 'source' | 'wake'>,
  capabilities: StoreCapabilities | undefined,
  tools: readonly MemoryToolName[],
): string | undefined {
  const isSkipped = capabilities?.skippedSources?.includes(source?.kind ?? 'conversation') === true
  if (!isSkipped || wake === 'continuation' || !tools.includes('Remember')) return undefined
  const advice = capabilities.remember === 'detail' ? `${GUIDANCE} ${detailFor(tools)}` : GUIDANCE
  return `<memory-guidance>\n${advice}\n</memory-guidance>`
}

/** Where there is no MemoryRecall, no id is known to supersede. */
function detailFor(tools: readonly MemoryToolName[]): string {
  return tools.includes('MemoryRecall')
    ? DETAIL
    : 'Name the person it is about in `about`, and set `replaceable` on the first note of what will be observed again.'
}
