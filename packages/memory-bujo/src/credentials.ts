import { setImmediate as nextTurnOfLoop } from 'node:timers/promises'
import { detectCredentials, type Range } from './credential-detector.js'
import { undisguise } from './undisguise.js'

export const REDACTION = '[credential redacted]'

/** UTF-16 units looked at in one go: at most some 15 ms. */
const WINDOW_UNITS = 24_576
/** UTF-16 units of a credential: the longest that a rule bounds is a private key, 10,000 and the lines around it. */
const LONGEST_CREDENTIAL = 10_240

/** Credentials in order; none touches another. Lets the event loop run between parts, whatever the length of `text`. */
async function* findCredentials(text: string): AsyncGenerator<Range> {
  let pending: Range | undefined
  for await (const range of detectUndisguised(text)) {
    if (pending !== undefined && range[0] <= pending[1]) pending = [pending[0], Math.max(pending[1], range[1])]
    else {
      if (pending !== undefined) yield pending
      pending = range
    }
  }
  if (pending !== undefined) yield pending
}

/** By their start. A disguise is looked behind and at: what stands between two parts may be what parts them. */
async function* detectUndisguised(text: string): AsyncGenerator<Range> {
  const plain = await undisguise(text)
  if (plain === undefined) {
    yield* detectInWindows(text)
    return
  }
  const ranges: Range[] = []
  for await (const range of detectInWindows(text)) ranges.push(range)
  for await (const [start, end] of detectInWindows(plain.text)) ranges.push([plain.startOf(start), plain.endOf(end)])
  yield* ranges.sort((a, b) => a[0] - b[0])
}

/** What looking at the whole text at once finds: each window is judged only as far as nothing beyond it can matter. */
async function* detectInWindows(text: string): AsyncGenerator<Range> {
  let start = 0
  let size = WINDOW_UNITS
  for (;;) {
    const end = start + size
    const before = contextOf(text, start)
    const found = await detectCredentials(before + text.slice(start, end))
    const shift = start - before.length
    const ranges = found.map(([from, to]): Range => [from + shift, to + shift])
    if (end >= text.length) {
      yield* ranges
      return
    }
    const next = cutBetween(ranges, text, start, end - LONGEST_CREDENTIAL)
    if (next > start) {
      yield* ranges.filter(([, to]) => to <= next)
      start = next
      size = WINDOW_UNITS
    } else {
      size *= 2 // one credential fills all of it; some have no greatest length
    }
    await nextTurnOfLoop()
  }
}

/** Stands for what is before a window, since rules ask for a word's beginning; no credential starts with it. */
function contextOf(text: string, start: number): string {
  const before = text.slice(Math.max(0, start - 1), start)
  if (/[A-Za-z]/.test(before)) return 'Z'
  return /[0-9_]/.test(before) ? '0' : ''
}

/** The last place up to `limit` that is inside no credential, found or beginning; `start` if there is none. */
function cutBetween(ranges: readonly Range[], text: string, start: number, limit: number): number {
  let cut = limit
  while (cut > start && !mayPart(text, cut)) cut--
  // One long word: any place will do, if it is none that the rules allowed white space in.
  if (cut === start && !/\s/.test(text.slice(start, limit))) cut = limit
  for (const [from, to] of ranges.toReversed()) if (from < cut && cut < to) cut = from
  return cut
}

/** Credentials are printable ASCII, but for the white space between a name and its secret, which may be of any length. */
function mayPart(text: string, at: number): boolean {
  const unit = text.charCodeAt(at)
  if ((unit > 0x20 && unit < 0x7f) || (unit >= 0xdc00 && unit <= 0xdfff)) return false
  if (text.charCodeAt(at - 1) === 0x20) return false
  return !/\s/.test(text[at] as string) || !/(?:[\s:=>]|key["']?)$/i.test(text.slice(Math.max(0, at - 4), at))
}

export async function holdsCredential(text: string): Promise<boolean> {
  for await (const _range of findCredentials(text)) return true
  return false
}

/** Replaces each credential by `REDACTION`; everything else stays as it is (CAP-25). */
export async function redactCredentials(text: string): Promise<{ readonly text: string; readonly count: number }> {
  let redacted = ''
  let end = 0
  let count = 0
  for await (const [from, to] of findCredentials(text)) {
    redacted += text.slice(end, from) + REDACTION
    end = to
    count += 1
  }
  return { text: redacted + text.slice(end), count }
}
