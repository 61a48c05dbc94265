import type { SentenceSet } from './sentences/sentence-set.js'

/** How well each of `documents` answers `query`, in their order; any scale, higher is better. */
export type ScoreDocuments = (
  query: string,
  documents: readonly string[],
  language: string,
) => readonly number[] | Promise<readonly number[]>

/** How often a paraphrase finds its fact in one language, beside what blind choice would find; shares of queries, 0..1. */
export interface LanguageRanking {
  readonly language: string
  readonly queries: number
  /** Facts and near misses that stand for choice. */
  readonly documents: number
  readonly hitAt1: number
  readonly hitAt3: number
  readonly chanceAt1: number
  readonly chanceAt3: number
}

/**
 * Asks every paraphrase among all facts and near misses of its language. A tie counts against the fact, so that a score
 * that says nothing finds nothing.
 * @throws {TypeError} `score` gave another number of scores than documents, or one that is not a number
 */
export async function rankLanguages(sentences: SentenceSet, score: ScoreDocuments): Promise<LanguageRanking[]> {
  const rankings: LanguageRanking[] = []
  for (const [language, triples] of Object.entries(sentences)) {
    const documents = triples.flatMap(({ fact, nearMiss }) => [fact, nearMiss])
    const ranks: number[] = []
    for (const { fact, paraphrase } of triples) {
      ranks.push(rankOf(documents.indexOf(fact), await score(paraphrase, documents, language), documents.length))
    }
    const shareWithin = (k: number) => ranks.filter((rank) => rank <= k).length / Math.max(1, ranks.length)
    const chance = (k: number) => Math.min(1, k / Math.max(1, documents.length))
    rankings.push({
      language,
      queries: triples.length,
      documents: documents.length,
      hitAt1: shareWithin(1),
      hitAt3: shareWithin(3),
      chanceAt1: chance(1),
      chanceAt3: chance(3),
    })
  }
  return rankings
}

/** 1 for the best; documents of the same score stand before it. */
function rankOf(index: number, scores: readonly number[], count: number): number {
  const own = scores[index]
  if (scores.length !== count || own === undefined || scores.some(Number.isNaN)) {
    throw new TypeError(
      `A scoring function must give ${count} numbers for ${count} documents; it gave ${scores.length}.`,
    )
  }
  return scores.filter((other) => other >= own).length
}
