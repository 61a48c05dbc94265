import {
  sampleQueryScores,
  type EmbeddingProvider,
  type IndexReader,
  type LabelledQuery,
  type StoreVectors,
} from '@mono-agent/memory-search'
import { BujoError } from '../errors.js'

/** A question to the store and the memories that answer it; none where the store holds no answer. */
export interface LabelledQuestion {
  readonly query: string
  readonly relevant: readonly string[]
}

/** Texts of one request (SEA-4). */
const BATCH = 32
/** What recall finds at most (REC-1). */
const MAX_HITS = 50

export interface ScoreParts {
  readonly index: IndexReader
  readonly vectors: StoreVectors
  readonly embed: EmbeddingProvider
  /** Of the store, to see what says nothing. */
  readonly sample: readonly Float32Array[]
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
 * Asks each question as recall would and scores what is found by its cosine, which is what floors are compared with. The
 * cosine is taken from the vectors: an explanation says 0 for what lies below the present noise floor.
 * @throws {EmbeddingError}  @throws the signal's reason
 */
export async function scoreQuestions(
  questions: readonly LabelledQuestion[],
  parts: ScoreParts,
): Promise<LabelledQuery[]> {
  const { index, embed, signal, onProgress = () => undefined } = parts
  const scored: LabelledQuery[] = []
  for (let start = 0; start < questions.length; start += BATCH) {
    onProgress(start, questions.length)
    const batch = questions.slice(start, start + BATCH)
    const texts = batch.map(({ query }) => embeddableText(index, query))
    const made = await embed.embed(texts, { kind: 'query', ...(signal === undefined ? {} : { signal }) })
    batch.forEach((question, at) => scored.push(scoreQuestion(question, made[at] as Float32Array, parts)))
  }
  onProgress(questions.length, questions.length)
  return scored
}

/** As in recall, but that a question of nothing but names is asked as it is: it has to have a vector here. */
function embeddableText(index: IndexReader, query: string): string {
  const text = index.embeddable(query)
  return text.trim() === '' ? query : text
}

function scoreQuestion(
  { query, relevant }: LabelledQuestion,
  vector: Float32Array,
  { index, vectors, sample }: ScoreParts,
): LabelledQuery {
  const hits = index.search({ query, limit: MAX_HITS, vector }).flatMap(({ id }) => {
    const contentHash = index.get(id)?.contentHash
    const own = contentHash === undefined ? undefined : vectors.ofContent(contentHash)
    const [score] = own === undefined ? [] : sampleQueryScores(vector, [own])
    return score === undefined ? [] : [{ id, score }]
  })
  return { relevant: new Set(relevant), hits, background: sampleQueryScores(vector, sample) }
}
