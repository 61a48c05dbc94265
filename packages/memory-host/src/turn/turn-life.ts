/** Whether a turn goes on; shared with its tools, which are made before it. */
export class TurnLife {
  #isEnded = false
  readonly #atEnd: (() => void)[] = []

  get isEnded(): boolean {
    return this.#isEnded
  }

  /** Runs now if it is over already. */
  atEnd(work: () => void): void {
    if (this.#isEnded) work()
    else this.#atEnd.push(work)
  }

  end(): void {
    if (this.#isEnded) return
    this.#isEnded = true
    for (const work of this.#atEnd) work()
  }
}
