// An embedding service in the process: unit vectors made from hashes, so that everybody knows the vector of every text.
import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { EmbeddingError } from '../../packages/memory-search/dist/index.js'
import { wordOf } from './turns.mjs'

/** Of the service of the journal scenarios. In 64 dimensions random vectors are far from alike. */
export const DIMENSION = 64

/** Asks for what is said of a run without any of its words: the two mean the same to the service. */
export const paraphraseOf = (runId) => `s${wordOf(runId).slice(1)}`

/** What a text means: its word of a run, or that word's paraphrase; else the text itself. */
const meaningOf = (text) => /\b[ws]([a-p]{12})\b/.exec(text)?.[1] ?? text

/** The vector of a text, of unit length. */
export function vectorOf(text, dimension = DIMENSION) {
  const meaning = meaningOf(text)
  const numbers = Array.from({ length: dimension / 8 }, (_, block) => {
    const hash = createHash('sha256').update(`${block} ${meaning}`).digest()
    return Array.from({ length: 8 }, (__, at) => hash.readInt32LE(at * 4) / 2 ** 31)
  }).flat()
  const length = Math.sqrt(numbers.reduce((sum, value) => sum + value * value, 0))
  return Float32Array.from(numbers, (value) => value / length)
}

/** What of the configuration goes with a service. */
export const embeddingsBlock = (dimension = DIMENSION) => ({ provider: 'ollama', model: 'hashes', dim: dimension })

/**
 * A service that can fail, and hold the vectors of documents back.
 * @returns `embed`, the provider; `asked`, the documents it was asked for; `fail` and `mend`; `hold`, which keeps answers
 *   until `release`, and `holding`, which resolves when one is kept; `onAsked`, called with the documents of a request
 */
export function hashEmbeddings(dimension = DIMENSION) {
  const { model } = embeddingsBlock()
  const fingerprint = createHash('sha256').update(`${model} ${dimension}`).digest('hex')
  const identity = { provider: 'ollama', model, dimension, fingerprint }
  let isAway = false
  let release = () => undefined
  let released
  let reached = () => undefined
  const service = {
    asked: [],
    onAsked: () => undefined,
    fail: () => (isAway = true),
    mend: () => (isAway = false),
    hold: () => (released = new Promise((resolve) => (release = resolve))),
    holding: () => new Promise((resolve) => (reached = resolve)),
    release: () => ((released = undefined), release()),
    embed: { id: `ollama:${model}`, identity, embed },
  }
  return service

  async function embed(texts, { kind }) {
    if (kind === 'document') {
      service.onAsked(texts)
      service.asked.push(...texts)
    }
    await setImmediate() // an answer never comes at once
    if (released !== undefined && kind === 'document') {
      reached()
      await released
    }
    if (isAway) throw new EmbeddingError('embedding_unavailable')
    return texts.map((text) => vectorOf(text, dimension))
  }
}
