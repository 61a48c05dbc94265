import type { EmbeddingProvider } from './embedding-provider.js'
import { EmbeddingError } from './errors.js'

/** Short, plain and English: whatever a service takes, it takes this. */
export const PROBE_TEXT = 'A short sentence to try the model with.'

export interface TextOutcomes<Item> {
  /** Called as soon as vectors are there, so that what follows cannot lose them. */
  made(items: readonly Item[], vectors: readonly Float32Array[]): void
  /** The service takes other texts and not this one. */
  refused(item: Item, error: EmbeddingError): void
}

/**
 * Embeds the texts of one request. If that fails for what may be one of them, they are sent one by one, so that this one
 * delays nobody else. A service that refuses whatever it is sent (no model loaded, a broken gateway) says the same of each:
 * so a text is refused only once the service has taken another one. What a lone text is answered with that need not be
 * its fault is taken as the service's.
 * @throws {EmbeddingError} the service failed  @throws the reason of the signal
 */
export async function embedTexts<Item extends { readonly text: string }>(
  provider: Pick<EmbeddingProvider, 'embed'>,
  items: readonly Item[],
  outcomes: TextOutcomes<Item>,
  signal: AbortSignal = new AbortController().signal,
): Promise<void> {
  const send = async (some: readonly Item[]): Promise<void> => {
    const vectors = await provider.embed(
      some.map(({ text }) => text),
      { kind: 'document', signal },
    )
    signal.throwIfAborted()
    outcomes.made(some, vectors)
  }
  try {
    if (items.length > 0) await send(items)
    return
  } catch (error) {
    if (!mayBeOneText(error)) throw error
    const [lone, ...others] = items
    if (lone !== undefined && others.length === 0) {
      if (error.concerns !== 'text') throw error
      return refuse(lone, error)
    }
  }
  for (const item of items) {
    try {
      await send([item])
    } catch (error) {
      if (!mayBeOneText(error)) throw error
      await refuse(item, error)
    }
  }

  async function refuse(item: Item, error: EmbeddingError): Promise<void> {
    if (error.code !== 'embedding_text_too_long') await provider.embed([PROBE_TEXT], { kind: 'document', signal })
    signal.throwIfAborted()
    outcomes.refused(item, error)
  }
}

/** A service that writes NaN for one text sends JSON that nobody can read, for the whole batch. */
function mayBeOneText(error: unknown): error is EmbeddingError {
  return error instanceof EmbeddingError && (error.concerns === 'text' || error.code === 'embedding_invalid')
}
