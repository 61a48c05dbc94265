/** Vectors kept: some 800 KB at 768 dimensions. */
export const QUERY_CACHE_ENTRIES = 256

/** A bounded map that forgets what was asked for the longest time ago (SEA-5). Vectors are copied in and out. */
export class QueryCache {
  readonly #vectors = new Map<string, Float32Array>()

  constructor(private readonly maxEntries: number = QUERY_CACHE_ENTRIES) {}

  get size(): number {
    return this.#vectors.size
  }

  get(key: string): Float32Array | undefined {
    const vector = this.#vectors.get(key)
    if (vector === undefined) return undefined
    this.#touch(key, vector)
    return vector.slice()
  }

  set(key: string, vector: Float32Array): void {
    this.#touch(key, vector.slice())
    if (this.#vectors.size <= this.maxEntries) return
    for (const oldest of this.#vectors.keys()) {
      this.#vectors.delete(oldest)
      return
    }
  }

  /** A `Map` lists keys in the order of insertion: the newest is the last. */
  #touch(key: string, vector: Float32Array): void {
    this.#vectors.delete(key)
    this.#vectors.set(key, vector)
  }
}
