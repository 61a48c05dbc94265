/** Of WebAssembly with SIMD, or its twin in JavaScript. */
export type Kernel = 'simd' | 'plain'

/** Takes memory for so much. @throws {RangeError} there is not as much */
type Create<T> = (size: number) => T

/**
 * What a kernel does, or its twin in JavaScript, which does the same, bit for bit, and slower.
 * @param simd  undefined where the platform has no WebAssembly with SIMD
 * @param kernel  only this one; absent: the twin where there is no other
 * @throws {RangeError} SIMD was asked for where there is none
 */
export function kernelOrTwin<T>(simd: Create<T> | undefined, plain: Create<T>, kernel?: Kernel): Create<T> {
  if (simd === undefined && kernel === 'simd') throw new RangeError('This platform has no WebAssembly with SIMD.')
  if (simd === undefined || kernel === 'plain') return plain
  return kernel === 'simd' ? simd : withTwin(simd, plain)
}

/**
 * Each memory of WebAssembly takes gigabytes of addresses: where they are limited (`ulimit -v`) there is soon none to be had,
 * though there is room enough for the twin.
 */
const withTwin =
  <T>(simd: Create<T>, plain: Create<T>): Create<T> =>
  (size) => {
    try {
      return simd(size)
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      return plain(size)
    }
  }
