// Orama: everything in memory, hybrid search as it comes.
import { peerModule } from './install.mjs'

const BATCH = 1_000

export const name = 'Orama hybrid'

/** @returns `{ ask, close }` */
export async function open({ size, dimension, memory, vector }, _directory, limit) {
  const { create, insertMultiple, search } = await peerModule('@orama/orama')
  const schema = { text: 'string', speaker: 'string', createdAt: 'string', embedding: `vector[${dimension}]` }
  let db = create({ schema })
  for (let from = 0; from < size; from += BATCH) {
    const documents = Array.from({ length: Math.min(BATCH, size - from) }, (_, k) => {
      const { id, sentence, createdAt, speaker } = memory(from + k)
      return { id, text: sentence, createdAt, speaker, embedding: Array.from(vector(from + k)) }
    })
    await insertMultiple(db, documents, BATCH)
  }
  return {
    async ask({ text, vector: asked }) {
      const { hits } = await search(db, {
        mode: 'hybrid',
        term: text,
        properties: ['text'],
        vector: { value: Array.from(asked), property: 'embedding' },
        similarity: 0,
        limit,
      })
      return hits.map(({ id }) => id)
    },
    close: () => (db = undefined),
  }
}
