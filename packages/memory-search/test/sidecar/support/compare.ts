import { expect } from 'vitest'
import type { IndexReader } from '../../../src/index.js'
import { expectSame, requestOf, type Question } from './questions.js'
import { isFast, type Store } from './stores.js'

/** How many of the answers came from a sidecar: a comparison of the reference path with itself would say nothing. */
export interface Tally {
  fast: number
  all: number
}
export const NO_TALLY: Readonly<Tally> = { fast: 0, all: 0 }

/** Asks all of them the same, as the store is now. */
export function compare(
  { story, tier }: Store,
  paths: { readonly fast: readonly IndexReader[]; readonly reference: IndexReader },
  questions: readonly Question[],
  tally: Tally,
): void {
  for (const asked of questions) {
    const request = requestOf(asked, paths.reference, story.bullets, tier.vectorOf)
    const exact = paths.reference.rank(request)
    for (const index of paths.fast) {
      tally.all++
      if (isFast(index)) tally.fast++
      expectSame(index.rank(request), exact)
      expect(index.embeddable(request.query)).toBe(paths.reference.embeddable(request.query))
    }
  }
}
