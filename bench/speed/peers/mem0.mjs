// mem0's open-source store: the search by vector and the search by words of its MemoryVectorStore, fused by rank.
import { join } from 'node:path'
import { fused } from '../naive.mjs'
import { peerModule } from './install.mjs'

const LISTED = 50
const BATCH = 1_000

export const name = 'mem0 store'

/** @returns `{ ask, close }` */
export async function open({ size, dimension, memory, vector }, directory, limit) {
  const { MemoryVectorStore } = await peerModule('mem0ai/oss')
  const store = new MemoryVectorStore({ dimension, dbPath: join(directory, 'mem0.db') })
  for (let from = 0; from < size; from += BATCH) {
    const of = Array.from({ length: Math.min(BATCH, size - from) }, (_, k) => from + k)
    const memories = of.map(memory)
    await store.insert(
      of.map(vector),
      memories.map(({ id }) => id),
      memories.map(({ sentence, createdAt, speaker }) => ({ data: sentence, createdAt, speaker, userId: 'bench' })),
    )
  }
  return {
    async ask({ text, vector: asked }) {
      const near = await store.search(Array.from(asked), LISTED)
      const words = await store.keywordSearch(text, LISTED)
      // It tells a failed search on the console and gives null.
      if (words === null) throw new Error('the keyword search of mem0 failed')
      return fused(
        [near, words].map((list) => list.map(({ id }) => id)),
        limit,
      )
    },
    close: () => store.db.close(),
  }
}
