import type { ContextBlock } from '@mono-agent/memory-store'

/**
 * The same blocks, each memory as a whole in the first of them that tells it: a preference of the owner's may be in profile,
 * background and lines. A card tells single facts, so it neither counts nor loses any. Before sessions and budget have
 * their say: what a session was sent in one block must not come again in another.
 */
export function eachMemoryOnce(blocks: readonly ContextBlock[]): ContextBlock[] {
  const told = new Set<string>()
  return blocks.flatMap((block) => {
    if (block.kind === 'person') return [block]
    const lines = block.lines.filter(({ memoryIds }) => memoryIds.length === 0 || memoryIds.some((id) => !told.has(id)))
    for (const { memoryIds } of lines) for (const id of memoryIds) told.add(id)
    return lines.length === 0 ? [] : [{ ...block, lines }]
  })
}
