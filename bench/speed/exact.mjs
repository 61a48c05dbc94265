// The nearest memories by looking at every vector: what recall is compared with.
import { dot } from './random.mjs'

/** Cosines closer than this are one: which of them comes first is no fault. */
const TIE = 1e-6

/**
 * @param {import('./corpus.mjs').Corpus} corpus
 * @param depth  nearest ones of each question
 * @returns for each question the cosines of its nearest, the highest first; every vector is looked at once
 */
export function exactCosines({ size, vector, questions }, depth) {
  const tops = questions.map(() => new Float64Array(depth).fill(-2))
  for (let n = 0; n < size; n++) {
    const stored = vector(n)
    for (let q = 0; q < questions.length; q++) {
      const cosine = dot(questions[q].vector, stored)
      const top = tops[q]
      if (cosine <= top[depth - 1]) continue
      let place = depth - 1
      for (; place > 0 && top[place - 1] < cosine; place--) top[place] = top[place - 1]
      top[place] = cosine
    }
  }
  return tops
}

/** Share of the exact first `depth` that were found; which of equal ones does not count. @param found  cosines */
export function share(found, exact, depth) {
  const least = exact[depth - 1] - TIE
  return found.slice(0, depth).filter((cosine) => cosine >= least).length / depth
}
