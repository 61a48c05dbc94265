// LanceDB: flat vector search (no index), its own full-text index, reciprocal rank fusion by its own reranker.
import { join } from 'node:path'
import { peerModule } from './install.mjs'

const LISTED = 50
const BATCH = 10_000

export const name = 'LanceDB flat hybrid'

/** @returns `{ ask, close }` */
export async function open({ size, memory, vector }, directory, limit) {
  const { connect, Index, rerankers } = await peerModule('@lancedb/lancedb')
  const db = await connect(join(directory, 'lance'))
  const rows = (from) =>
    Array.from({ length: Math.min(BATCH, size - from) }, (_, k) => {
      const { id, sentence, createdAt, speaker, conversationId } = memory(from + k)
      return { id, text: sentence, createdAt, speaker, conversationId, vector: vector(from + k) }
    })
  const table = await db.createTable('memories', rows(0))
  for (let from = BATCH; from < size; from += BATCH) await table.add(rows(from))
  await table.createIndex('text', { config: Index.fts() })
  await table.optimize()
  const reranker = await rerankers.RRFReranker.create()
  return {
    async ask({ text, vector: asked }) {
      const found = await table
        .query()
        .nearestTo(asked)
        .distanceType('cosine')
        .fullTextSearch(text)
        .rerank(reranker)
        .select(['id', 'text', 'createdAt', 'speaker', 'conversationId'])
        .limit(LISTED)
        .toArray()
      return found.slice(0, limit).map(({ id }) => id)
    },
    close: () => db.close(),
  }
}
