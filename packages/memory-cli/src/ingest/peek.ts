export interface Peeked {
  /** The first bytes: as many as were needed, the limit, or all there are. */
  readonly head: Uint8Array
  /** All chunks, those of the head included. */
  readonly chunks: AsyncIterable<Uint8Array>
}

/**
 * Looks at the first bytes of a stream that can be read only once, and at no more than `isEnough` asks for: a pipe may
 * be slow, and what it gave must not wait for what it will give.
 */
export async function peek(
  chunks: AsyncIterable<Uint8Array>,
  limit: number,
  isEnough: (head: Uint8Array) => boolean,
): Promise<Peeked> {
  const iterator = chunks[Symbol.asyncIterator]()
  const first: Uint8Array[] = []
  let head = new Uint8Array()
  while (head.length < limit && !isEnough(head)) {
    const next = await iterator.next()
    if (next.done === true) break
    first.push(next.value)
    head = Buffer.concat([head, next.value]).subarray(0, limit)
  }
  return { head, chunks: goOn(first, iterator) }
}

async function* goOn(first: readonly Uint8Array[], rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* first
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value
  } finally {
    await rest.return?.()
  }
}
