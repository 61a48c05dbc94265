/** What memory delivered in one turn: which memories, for their access counts, and which lines, so that they are marked. */
export class Delivered {
  readonly #ids = new Set<string>()
  readonly #lines = new Set<string>()

  /** @returns the ids that were not delivered in this turn before (REC-13) */
  addMemories(memoryIds: readonly string[]): string[] {
    const added = [...new Set(memoryIds)].filter((id) => !this.#ids.has(id))
    for (const id of added) this.#ids.add(id)
    return added
  }

  addText(text: string): void {
    for (const line of text.split('\n')) if (line.trim() !== '') this.#lines.add(line)
  }

  lines(): readonly string[] {
    return [...this.#lines]
  }
}
