export interface Peeked {
  /** The first bytes: `count`, or all there are. */
  readonly head: Uint8Array
  /** All chunks, those of the head included. */
  readonly chunks: AsyncIterable<Uint8Array>
}

/** Looks at the first bytes of a stream that can be read only once. */
export async function peek(chunks: AsyncIterable<Uint8Array>, count: number): Promise<Peeked> {
  const iterator = chunks[Symbol.asyncIterator]()
  const first: Uint8Array[] = []
  let length = 0
  while (length < count) {
    const next = await iterator.next()
    if (next.done === true) break
    first.push(next.value)
    length += next.value.length
  }
  return { head: Buffer.concat(first).subarray(0, count), chunks: goOn(first, iterator) }
}

async function* goOn(first: readonly Uint8Array[], rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* first
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value
  } finally {
    await rest.return?.()
  }
}
