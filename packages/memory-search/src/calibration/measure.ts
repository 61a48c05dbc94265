import type { EmbeddingProvider } from '../embedding/embedding-provider.js'
import { cosine } from '../ranking/cosine.js'
import { quantile } from './scores.js'
import type { SentenceTriple } from './sentences/sentence-triple.js'
import { CALIBRATION_SENTENCES, type SentenceSet } from './sentences/sentence-set.js'

/** Cosines between questions and memories, by how the two belong together. In no order that means anything. */
export interface PairScores {
  /** A paraphrase and its own fact. */
  readonly matched: readonly number[]
  /** A paraphrase and the fact that is about the like, but no answer. */
  readonly nearMiss: readonly number[]
  /** A paraphrase and each fact of another subject in the same language. */
  readonly unrelated: readonly number[]
}

/** What a model does with the sentence set. */
export interface Measurement {
  readonly overall: PairScores
  /** By ISO 639-1 code. */
  readonly languages: Readonly<Record<string, PairScores>>
}

/** Vectors of the triples of one language, in their order. */
export interface EmbeddedTriples {
  readonly facts: readonly Float32Array[]
  readonly paraphrases: readonly Float32Array[]
  readonly nearMisses: readonly Float32Array[]
}

/** A distribution in five figures. */
export interface ScoreSummary {
  readonly count: number
  readonly p5: number
  readonly p25: number
  readonly median: number
  readonly p75: number
  readonly p95: number
}

/** The cosines of one language. A near miss is a fact too, so it stands among what is unrelated to the other questions. */
export function scorePairs(triples: EmbeddedTriples): PairScores {
  const matched: number[] = []
  const nearMiss: number[] = []
  const unrelated: number[] = []
  triples.paraphrases.forEach((paraphrase, asked) => {
    triples.facts.forEach((fact, i) => (i === asked ? matched : unrelated).push(cosine(paraphrase, fact)))
    triples.nearMisses.forEach((fact, i) => (i === asked ? nearMiss : unrelated).push(cosine(paraphrase, fact)))
  })
  return { matched, nearMiss, unrelated }
}

/** The pairs of several languages as one. */
export function poolPairs(parts: readonly PairScores[]): PairScores {
  return {
    matched: parts.flatMap((part) => part.matched),
    nearMiss: parts.flatMap((part) => part.nearMiss),
    unrelated: parts.flatMap((part) => part.unrelated),
  }
}

export function summarizeScores(scores: readonly number[]): ScoreSummary {
  const at = (share: number): number => quantile(scores, share)
  return { count: scores.length, p5: at(0.05), p25: at(0.25), median: at(0.5), p75: at(0.75), p95: at(0.95) }
}

/**
 * Embeds the sentence set and scores its pairs (SEA-15): facts and near misses as documents, paraphrases as queries, as a
 * store and its recall would. Two calls of the provider, 480 sentences for the bundled set.
 * @param options.sentences  another set than the bundled one
 * @throws what `provider.embed` throws  @throws {TypeError} it gave another number of vectors than texts
 */
export async function measureModel(
  provider: EmbeddingProvider,
  options: { readonly sentences?: SentenceSet; readonly signal?: AbortSignal } = {},
): Promise<Measurement> {
  const set = options.sentences ?? CALIBRATION_SENTENCES
  const signal = options.signal === undefined ? {} : { signal: options.signal }
  const triples = Object.values(set).flat()
  const documents = await provider.embed(documentsOf(triples), { kind: 'document', ...signal })
  const queries = await provider.embed(queriesOf(triples), { kind: 'query', ...signal })
  expectCount(documents, triples.length * 2)
  expectCount(queries, triples.length)
  return measureVectors(set, documents, queries)
}

const documentsOf = (triples: readonly SentenceTriple[]): string[] => [
  ...triples.map(({ fact }) => fact),
  ...triples.map(({ nearMiss }) => nearMiss),
]

const queriesOf = (triples: readonly SentenceTriple[]): string[] => triples.map(({ paraphrase }) => paraphrase)

/** Deals vectors, in the order of `documentsOf` and `queriesOf`, back to the languages. */
function measureVectors(
  set: SentenceSet,
  documents: readonly Float32Array[],
  queries: readonly Float32Array[],
): Measurement {
  const languages: Record<string, PairScores> = {}
  let start = 0
  for (const [language, { length }] of Object.entries(set)) {
    const take = (vectors: readonly Float32Array[], from: number) => vectors.slice(from, from + length)
    languages[language] = scorePairs({
      facts: take(documents, start),
      paraphrases: take(queries, start),
      nearMisses: take(documents, queries.length + start),
    })
    start += length
  }
  return { overall: poolPairs(Object.values(languages)), languages }
}

function expectCount(vectors: readonly Float32Array[], count: number): void {
  if (vectors.length === count) return
  throw new TypeError(`The embedding provider gave ${vectors.length} vectors for ${count} texts. Nothing was measured.`)
}
