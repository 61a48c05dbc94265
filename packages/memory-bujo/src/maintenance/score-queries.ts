import {
  noiseFloorOf,
  sampleQueryScores,
  type Calibration,
  type EmbeddingProvider,
  type IndexReader,
  type MeasuredQueries,
} from '@mono-agent/memory-search'
import { setImmediate as nextTurnOfLoop } from 'node:timers/promises'
import { BujoError } from '../errors.js'
import { MAX_HITS } from '../recall/recall-request.js'
import type { Vantage } from '../recall/types.js'
import { labelledQuery, measuredQueries, type LabelledQuery } from './labelled-queries.js'

/** A question to the store and the memories that answer it; none where the store holds no answer. */
export interface LabelledQuestion {
  readonly query: string
  readonly relevant: readonly string[]
}

/** Texts of one request (SEA-4). */
const BATCH = 32

export interface ScoreParts {
  /** Opens the index to be ranked by this calibration, whatever its manifest says; closed here. */
  readonly indexWith: (calibration: Calibration) => IndexReader
  /** In use until now. */
  readonly present: Calibration
  readonly embed: EmbeddingProvider
  /** Of the store, to see what says nothing. */
  readonly sample: readonly Float32Array[]
  readonly vantage: Vantage
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((done: number, total: number) => void) | undefined
}

/** @throws {BujoError} calibration_queries_invalid, with the number of the question from 1 and never what it says */
export function checkQuestions(questions: readonly LabelledQuestion[], index: IndexReader): void {
  questions.forEach(({ query, relevant }, at) => {
    if (query.trim() === '') throw invalid(at, 'is empty')
    const unknown = relevant.find((id) => index.get(id) === undefined)
    if (unknown !== undefined) throw invalid(at, 'names a memory that the index does not hold')
  })
}

const invalid = (at: number, what: string): BujoError =>
  new BujoError('calibration_queries_invalid', `Query ${at + 1} ${what}. Nothing was written. Mend or remove it.`)

/**
 * Asks each question as recall would, of everything and without a cut, and keeps what floors are compared with: evidence, not
 * cosines. Evidence depends on the noise floor, so that is found first, and questions are ranked by the one that will hold:
 * measured again with what was proposed, a store gives the same proposal.
 * @throws {EmbeddingError}  @throws the signal's reason
 */
export async function scoreQuestions(
  questions: readonly LabelledQuestion[],
  parts: ScoreParts,
): Promise<MeasuredQueries> {
  const { indexWith, present, sample, vantage, signal } = parts
  const vectors = await queryVectors(questions, parts)
  const backgrounds = vectors.map((vector) => sampleQueryScores(vector, sample))
  const calibration = { ...present, noiseFloor: noiseFloorOf(backgrounds.flat()) }
  const index = indexWith(calibration)
  try {
    const queries: LabelledQuery[] = []
    for (const [at, { query, relevant }] of questions.entries()) {
      await nextTurnOfLoop() // whoever wants to stop it is heard between the rankings
      signal?.throwIfAborted()
      const { ranked } = index.rank({ query, limit: MAX_HITS, vector: vectors[at] as Float32Array })
      queries.push(labelledQuery({ relevant, ranked, background: backgrounds[at] as number[] }, calibration, vantage))
    }
    return measuredQueries(queries, calibration)
  } finally {
    index.close()
  }
}

async function queryVectors(
  questions: readonly LabelledQuestion[],
  { indexWith, present, embed, signal, onProgress = () => undefined }: ScoreParts,
): Promise<Float32Array[]> {
  const index = indexWith(present)
  try {
    const vectors: Float32Array[] = []
    for (let start = 0; start < questions.length; start += BATCH) {
      onProgress(start, questions.length)
      const texts = questions.slice(start, start + BATCH).map(({ query }) => embeddableText(index, query))
      const made = await embed.embed(texts, { kind: 'query', ...(signal === undefined ? {} : { signal }) })
      vectors.push(...made)
    }
    onProgress(questions.length, questions.length)
    return vectors
  } finally {
    index.close()
  }
}

/** As in recall, but that a question of nothing but names is asked as it is: it has to have a vector here. */
function embeddableText(index: IndexReader, query: string): string {
  const text = index.embeddable(query)
  return text.trim() === '' ? query : text
}
