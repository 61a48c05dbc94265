import { RunningMean } from '../../../src/sidecar/vectors/mean.js'

/** @throws {RangeError} a vector of another dimension */
export function meanOf(vectors: Iterable<Float32Array>, dimension: number): Float32Array {
  const mean = new RunningMean(dimension)
  for (const vector of vectors) mean.add(vector)
  return mean.value
}
