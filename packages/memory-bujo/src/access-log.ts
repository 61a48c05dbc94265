/** Ids that are held before they are written; some hundred turns. */
const MAX_HELD = 1_000

/**
 * Accesses on their way to the index (REC-13). Held in memory for a while: a write at each turn would make the index drop
 * what it holds of itself in memory, and a crash may well lose some, for nothing but audits reads them.
 */
export class AccessLog {
  #held: string[] = []

  /** @param write  counts an access for each mention of an id */
  constructor(private readonly write: (ids: readonly string[]) => void) {}

  note(ids: readonly string[]): void {
    this.#held.push(...ids)
    if (this.#held.length >= MAX_HELD) this.flush()
  }

  /** What cannot be written now is let go of. */
  flush(): void {
    const ids = this.#held
    this.#held = []
    if (ids.length > 0) this.write(ids)
  }
}
