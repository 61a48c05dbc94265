/**
 * What is made of the keys that were asked for last, each once: what stands near each other is asked for again and again. Bounded,
 * for a walk through all records.
 */
export class Recent<Value> {
  #recent = new Map<string, Value>()
  #earlier = new Map<string, Value>()

  /**
   * @param capacity  keys that are remembered for certain; twice as many at most
   * @param make  of the key alone
   */
  constructor(
    private readonly capacity: number,
    private readonly make: (key: string) => Value,
  ) {}

  of(key: string): Value {
    const known = this.#recent.get(key)
    if (known !== undefined) return known
    const value = this.#earlier.get(key) ?? this.make(key)
    if (this.#recent.size === this.capacity) {
      this.#earlier = this.#recent
      this.#recent = new Map()
    }
    this.#recent.set(key, value)
    return value
  }
}
