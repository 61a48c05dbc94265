/**
 * A computation in short parts: between two calls of `next()` its caller may let others run. It yields nothing but that,
 * and a computation that is short anyway does not yield at all.
 */
export type Stepwise<Result> = Generator<undefined, Result>

/** The result, without a break. */
export function runToEnd<Result>(steps: Stepwise<Result>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/** UTF-16 units of a slice: the costliest pass over one takes a few milliseconds. */
export const SLICE_UNITS = 16_384

/** `text` in pieces of at least `SLICE_UNITS` each, cut at the first place from there on that `mayPart` allows. */
export function* inSlices(text: string, mayPart: (text: string, at: number) => boolean): Generator<string> {
  let start = 0
  while (start < text.length) {
    let end = Math.min(start + SLICE_UNITS, text.length)
    while (end < text.length && !mayPart(text, end)) end++
    yield text.slice(start, end)
    start = end
  }
}
