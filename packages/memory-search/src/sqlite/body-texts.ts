import { bodyText } from './full-text.js'

/**
 * What the body column holds of sentences, each analyzed once: a record's words are needed for itself and for the two
 * after it, and what is asked for ahead costs a transaction nothing.
 */
export class BodyTexts {
  readonly #known = new Map<string, string>()

  of(sentence: string): string {
    const known = this.#known.get(sentence)
    if (known !== undefined) return known
    const text = bodyText(sentence)
    this.#known.set(sentence, text)
    return text
  }
}
