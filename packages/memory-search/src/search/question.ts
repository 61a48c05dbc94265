import type { CandidateSource } from '../candidates/candidate-source.js'
import { analyze, nameWords } from '../query/analyzer.js'
import { MAX_QUERY_LENGTH, queryTokens } from '../query/match-expression.js'
import { authorTag, conversationTag, timeTag } from '../query/tags.js'
import { timeMentions } from '../query/time-mention.js'
import { timeLevels, type TimeLevel } from '../ranking/time-fit.js'
import type { SearchRequest } from '../types.js'

/** Name words of a query that authors are looked up by; the first ones. */
const MAX_NAME_WORDS = 32
/** Authors named in one query; the first ones. */
const MAX_AUTHORS = 4

/** Of every group a record must carry at least one tag. */
export type Tags = readonly (readonly string[])[]

/** One way to be lifted by author or time: the tags that records of this kind carry, and how well they can fit, 0..1. */
export interface Lift {
  readonly tags: Tags
  readonly actor: number
  readonly time: number
}

/** Everything a query asks for, before any record is looked at. */
export interface Question {
  readonly words: readonly string[]
  /** Its words that are part of the name of some author: no other author is named. */
  readonly names: ReadonlySet<string>
  readonly levels: readonly TimeLevel[]
  readonly lifts: readonly Lift[]
  readonly scope: Tags
}

/** Words of a query that are part of the name of some author in this store, in order. */
export function namedAuthors({ carried }: Pick<CandidateSource, 'carried'>, query: string): string[] {
  const names = nameWords(query.slice(0, MAX_QUERY_LENGTH)).slice(0, MAX_NAME_WORDS)
  const known = new Set(carried(names.map(authorTag)))
  return names.filter((name) => known.has(authorTag(name)))
}

export function readQuestion(
  source: Pick<CandidateSource, 'carried'>,
  { query, conversationId }: SearchRequest,
): Question {
  const asked = query.slice(0, MAX_QUERY_LENGTH)
  const authors = namedAuthors(source, query)
  const levels = timeLevels(timeMentions(asked))
  const actors = authors.slice(0, MAX_AUTHORS).map((name): Lift => ({ tags: [[authorTag(name)]], actor: 1, time: 0 }))
  const times = [...new Set(levels.map(({ fit }) => fit))].map((fit): Lift => ({
    tags: [levels.filter((level) => level.fit === fit).map(({ mention }) => timeTag(mention))],
    actor: 0,
    time: fit,
  }))
  const both = actors.flatMap((actor) =>
    times.map((time): Lift => ({ tags: [...actor.tags, ...time.tags], actor: 1, time: time.time })),
  )
  return {
    words: queryTokens(analyze(asked)),
    names: new Set(authors),
    levels,
    lifts: [...both, ...actors, ...times].sort((a, b) => b.actor + b.time - (a.actor + a.time)),
    scope: conversationId === undefined ? [] : [[conversationTag(conversationId)]],
  }
}
