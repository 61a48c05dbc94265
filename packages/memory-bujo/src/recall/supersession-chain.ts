import type { HitProvenance } from '@mono-agent/memory-store'
import type { IndexedMemory, IndexReader } from '@mono-agent/memory-search'

/** Memories of one chain that are told; longer ones are cut at the older end. */
const MAX_CHAIN = 32

/**
 * The memories that took each other's place, the oldest first, as far as one thread of them leads: of several that a memory
 * took the place of, the earliest is followed. Undefined where there is nothing but the memory itself (REC-10).
 */
export function supersessionChain(index: IndexReader, { id }: IndexedMemory): HitProvenance['chain'] {
  const ids = [id]
  for (let next = index.supersessionOf(id); next !== undefined && !ids.includes(next.by) && ids.length < MAX_CHAIN;) {
    ids.push(next.by)
    next = index.supersessionOf(next.by)
  }
  for (
    let older = index.predecessorsOf(id)[0];
    older !== undefined && !ids.includes(older.id) && ids.length < MAX_CHAIN;
  ) {
    ids.unshift(older.id)
    older = index.predecessorsOf(older.id)[0]
  }
  if (ids.length === 1) return undefined
  return ids.map((member) => {
    const successor = index.supersessionOf(member)
    return successor === undefined ? { id: member } : { id: member, supersededAt: successor.at }
  })
}
