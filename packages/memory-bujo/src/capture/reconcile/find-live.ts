import { isLive, type IndexedMemory, type IndexReader } from '@mono-agent/memory-search'

/** The live memory of this content. A superseded line of the same words is history: said again it is news (CAP-13). */
export function findLive(index: Pick<IndexReader, 'findByContentHash'>, hash: string): IndexedMemory | undefined {
  return index.findByContentHash(hash).find(({ status, supersededBy }) => isLive(status) && supersededBy === undefined)
}
