// The small sentence encoder that also serves the tests (512 dimensions, English), as an index sees any model.
import { loadModelServer } from '../test/model-server/load.mjs'

/** An `EmbeddingProvider` with `close`; vectors are kept on disk between runs. */
export async function openSentenceEncoder() {
  const { createEmbedder } = await loadModelServer()
  const embedder = createEmbedder()
  const { model, dim } = embedder
  return {
    id: `test:${model}`,
    identity: { provider: 'test', model, dimension: dim, fingerprint: 'test' },
    embed: (texts, { signal }) => embedder.embed(texts, { signal }),
    close: () => embedder.close(),
  }
}
