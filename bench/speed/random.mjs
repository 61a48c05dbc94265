// Chance that is the same in every run.

/** mulberry32, 0..1. @param seed  any whole number */
export function randomFrom(seed) {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** A seed for the n-th of many things, far from those of its neighbours. */
export const seedOf = (seed, n) => Math.imul(n + 1, 0x9e3779b1) ^ Math.imul(seed + 1, 0x85ebca77)

/** Fills a vector with independent normal values. */
export function fillNormal(vector, random) {
  for (let at = 0; at < vector.length; at += 2) {
    const radius = Math.sqrt(-2 * Math.log(1 - random()))
    const angle = 2 * Math.PI * random()
    vector[at] = radius * Math.cos(angle)
    if (at + 1 < vector.length) vector[at + 1] = radius * Math.sin(angle)
  }
  return vector
}

/** Brings a vector to unit length, in place. */
export function normalized(vector) {
  let sum = 0
  for (let at = 0; at < vector.length; at++) sum += vector[at] * vector[at]
  const length = Math.sqrt(sum)
  for (let at = 0; at < vector.length; at++) vector[at] /= length
  return vector
}

export function dot(a, b) {
  let sum = 0
  for (let at = 0; at < a.length; at++) sum += a[at] * b[at]
  return sum
}

/** 0..count-1, the n-th 1/n as often as the first (Zipf). */
export const zipf = (count, random) => Math.floor(count ** random()) - 1

export const pick = (list, random) => list[Math.floor(random() * list.length)]
