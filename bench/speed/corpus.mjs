// The memories of one run, their vectors, and what is asked: the same for the store, the naive one and the peers.
import {
  chooseFloors,
  identityOfConfig,
  measureModel,
  shippedCalibration,
  UNCALIBRATED,
} from '../../packages/memory-search/dist/index.js'
import { clusteredVectors } from './clustered-vectors.mjs'
import { normalized, pick, randomFrom, seedOf } from './random.mjs'
import {
  composedQuestions,
  composedSentences,
  dialogSentences,
  plainEnglish,
  recombined,
  SPEAKERS,
} from './sentences.mjs'

const SEED = 20_260
const START = Date.parse('2023-01-01T08:00:00Z')
const DAY_MS = 86_400_000
/** Vectors kept in memory; more are made anew each time, for a million take three gigabytes. */
const KEPT = 200_000
/** Sentences that the encoder is asked for: it takes some twenty milliseconds each. */
const ENCODED = 2_000
/** Beyond real vectors: x + JITTER (u - v), with u and v real ones. */
const JITTER = 0.35

/** The default model as the specification calibrates it: words add nothing to a score. */
export const STRONG = shippedCalibration(identityOfConfig({ provider: 'ollama', model: 'nomic-embed-text', dim: 768 }))

/** What every memory is beside its words: spread over days, conversations and speakers. */
function memoriesOf(sentences) {
  const aDay = sentences.length > KEPT ? 2_000 : 500
  return (n) => {
    const { text, speaker } = sentences[n]
    const day = Math.floor(n / aDay)
    return {
      id: `m-${n}`,
      sentence: text,
      createdAt: new Date(START + day * DAY_MS + (n % aDay) * 20_000).toISOString(),
      speaker,
      conversationId: `chat-${n % 50}`,
    }
  }
}

export const numberOf = (id) => Number(id.slice(2))

/** Days of memories, as `withRootOfDays` takes them. */
export function* daysOf({ size, memory }) {
  let day = []
  for (let n = 0; n < size; n++) {
    const next = memory(n)
    if (day.length > 0 && next.createdAt.slice(0, 10) !== day[0].createdAt.slice(0, 10)) {
      yield [day[0].createdAt.slice(0, 10), day]
      day = []
    }
    day.push(next)
  }
  yield [day[0].createdAt.slice(0, 10), day]
}

function kept(size, dimension, make) {
  if (size > KEPT) return make
  const all = new Float32Array(size * dimension)
  for (let n = 0; n < size; n++) all.set(make(n), n * dimension)
  return (n) => all.subarray(n * dimension, (n + 1) * dimension)
}

/**
 * @typedef {object} Corpus
 * @property {string} name  in a line of results
 * @property {number} size  memories
 * @property {number} dimension
 * @property {(n: number) => object} memory  fields of a bullet
 * @property {(n: number) => Float32Array} vector  of unit length
 * @property {{ text: string, kind: string, vector: Float32Array }[]} questions
 * @property {object} weak  a calibration under which words count beside the vectors
 */

/** @returns {Corpus} of vectors in clusters and composed sentences */
export function clusteredCorpus(size, questions) {
  const dimension = 768
  const vectors = clusteredVectors(dimension, SEED)
  const texts = composedSentences(size, SEED)
  const random = randomFrom(SEED)
  const sentences = texts.map((text) => ({ text, speaker: pick(SPEAKERS, random) }))
  return {
    name: `${size.toLocaleString('en')} memories`,
    size,
    dimension,
    memory: memoriesOf(sentences),
    vector: kept(size, dimension, vectors.memory),
    questions: composedQuestions(texts, questions, ~SEED).map((one, n) => ({ ...one, vector: vectors.question(n) })),
    weak: UNCALIBRATED,
  }
}

/**
 * Sentences of a data set, or plain English ones, with the vectors of a small real model; beyond them others close by.
 * @param encoder  an `EmbeddingProvider`  @param dataset  path of a LoCoMo file, if there is one
 * @returns {Promise<Corpus>}
 */
export async function realCorpus(size, questions, encoder, dataset) {
  const { sentences, questions: asked } =
    dataset === undefined ? plainEnglish(ENCODED - questions, questions, SEED) : dialogSentences(dataset)
  const real = sentences.slice(0, Math.min(ENCODED, size))
  const chosen = asked.filter((_, n) => n % Math.ceil(asked.length / questions) === 0).slice(0, questions)
  const textsOf = (list) => list.map(({ text }) => text)
  const stored = await encoder.embed(textsOf(real), { kind: 'document' })
  const askedVectors = await encoder.embed(textsOf(chosen), { kind: 'query' })
  const near = (n) => {
    const random = randomFrom(seedOf(SEED, n))
    const [x, u, v] = [pick(stored, random), pick(stored, random), pick(stored, random)]
    return normalized(x.map((value, at) => value + JITTER * (u[at] - v[at])))
  }
  const { calibration } = chooseFloors(await measureModel(encoder))
  const { dimension } = encoder.identity
  return {
    name: `${size.toLocaleString('en')} memories with vectors of a real model`,
    size,
    dimension,
    memory: memoriesOf(recombined(real, size, SEED)),
    vector: kept(size, dimension, (n) => (n < stored.length ? normalized(Float32Array.from(stored[n])) : near(n))),
    questions: chosen.map((one, n) => ({ ...one, vector: normalized(Float32Array.from(askedVectors[n])) })),
    weak: calibration,
  }
}
