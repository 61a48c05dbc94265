// Vectors as embeddings are, beyond what any data set holds: Zipf-weighted clusters, a spectrum that falls by a power law,
// a mean that is not zero, all of it turned at random so that no axis is special. The n-th is made when it is asked for.
// At 100,000 the cosine of a question with any memory is .38, with its nearest .71, with its fiftieth nearest .61.
import { fillNormal, normalized, randomFrom, seedOf, zipf } from './random.mjs'

const CLUSTERS = 3_000
/** Of each cluster, Zipf-weighted: what is told again and again. */
const TOPICS = 40
/** Shares of the squared length: what all have in common, what a cluster and a topic have, what is a vector's own. */
const MEAN = 0.37
const CLUSTER = 0.17
const TOPIC = 0.16
const OWN = 0.3
/** The n-th axis varies n to this power as much as the first. */
const SPECTRUM = -0.35
/** Rounds of turns in random planes: each vector's parts are mixed into all axes after ten (2^10 > 768). */
const ROUNDS = 12

/** A random rotation: in every round the axes are paired anew, and each pair is turned. */
function rotation(dimension, random) {
  const rounds = Array.from({ length: ROUNDS }, () => {
    const axes = Uint16Array.from({ length: dimension }, (_, at) => at)
    for (let at = dimension - 1; at > 0; at--) {
      const other = Math.floor(random() * (at + 1))
      ;[axes[at], axes[other]] = [axes[other], axes[at]]
    }
    const angles = Array.from({ length: dimension / 2 }, () => 2 * Math.PI * random())
    return { axes, cos: Float64Array.from(angles, Math.cos), sin: Float64Array.from(angles, Math.sin) }
  })
  return (vector) => {
    for (const { axes, cos, sin } of rounds) {
      for (let pair = 0; pair < cos.length; pair++) {
        const [a, b] = [axes[2 * pair], axes[2 * pair + 1]]
        const [x, y] = [vector[a], vector[b]]
        vector[a] = cos[pair] * x - sin[pair] * y
        vector[b] = sin[pair] * x + cos[pair] * y
      }
    }
    return vector
  }
}

/** @returns the vector of the n-th memory and of the n-th question, of unit length; questions are drawn as memories are */
export function clusteredVectors(dimension, seed) {
  const random = randomFrom(seed)
  const turn = rotation(dimension, random)
  const mean = normalized(fillNormal(new Float32Array(dimension), random)).map((value) => value * Math.sqrt(MEAN))
  const centres = Array.from({ length: CLUSTERS }, () => fillNormal(new Float32Array(dimension), random))
  const spectrum = normalized(Float32Array.from({ length: dimension }, (_, at) => (at + 1) ** SPECTRUM))
  const drawn = (own) => {
    const vector = fillNormal(new Float32Array(dimension), own)
    const cluster = zipf(CLUSTERS, own)
    const centre = centres[cluster]
    const topic = centres[(cluster + 1 + zipf(TOPICS, own) * 71) % CLUSTERS]
    for (let at = 0; at < dimension; at++) {
      const varied = Math.sqrt(CLUSTER) * centre[at] + Math.sqrt(TOPIC) * topic[at] + Math.sqrt(OWN) * vector[at]
      vector[at] = mean[at] + spectrum[at] * varied
    }
    return normalized(turn(vector))
  }
  return {
    memory: (n) => drawn(randomFrom(seedOf(seed, n))),
    question: (n) => drawn(randomFrom(seedOf(~seed, n))),
  }
}
