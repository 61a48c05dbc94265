/** Vectors that are kept at most: some 2,000 of 768 dimensions, as many as a small store has. */
export const MAX_CACHED_BYTES = 6 * 1024 * 1024

/**
 * Stored vectors that were read lately, by row: recalls of one conversation weigh the same ones again and again, and reading
 * one takes as long as several cosines. Those that came first go first. Whoever changes a vector says so.
 */
export class VectorCache {
  readonly #vectors = new Map<number, Float32Array>()
  #bytes = 0

  get bytes(): number {
    return this.#bytes
  }

  /** @param read  what the database holds; undefined is not kept */
  get(row: number, read: (row: number) => Float32Array | undefined): Float32Array | undefined {
    const known = this.#vectors.get(row)
    if (known !== undefined) return known
    const vector = read(row)
    if (vector === undefined) return undefined
    this.#vectors.set(row, vector)
    this.#bytes += vector.byteLength
    while (this.#bytes > MAX_CACHED_BYTES) this.forget(this.#vectors.keys().next().value as number)
    return vector
  }

  forget(row: number): void {
    const vector = this.#vectors.get(row)
    if (vector === undefined) return
    this.#vectors.delete(row)
    this.#bytes -= vector.byteLength
  }
}
