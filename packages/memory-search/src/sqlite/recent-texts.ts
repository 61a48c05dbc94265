import { bodyText } from './full-text.js'

/**
 * What the body column holds of sentences, of the last ones asked for: records of a conversation stand near each other, and each
 * sentence is asked for with the two after it. Bounded, unlike `BodyTexts`, for a walk through all records.
 */
export class RecentTexts {
  #recent = new Map<string, string>()
  #earlier = new Map<string, string>()

  /** @param capacity  sentences of which the texts are kept for certain; twice as many at most */
  constructor(private readonly capacity: number) {}

  of(sentence: string): string {
    const known = this.#recent.get(sentence)
    if (known !== undefined) return known
    const text = this.#earlier.get(sentence) ?? bodyText(sentence)
    if (this.#recent.size === this.capacity) {
      this.#earlier = this.#recent
      this.#recent = new Map()
    }
    this.#recent.set(sentence, text)
    return text
  }
}
