const LINE_FEED = 0x0a
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Reads one line without its line feed; undefined if it is none of this log. */
export type ParseLine<Line> = (text: string) => Line | undefined

/** A line that cannot be read, and where it begins. */
export interface LogDamage {
  /** Bytes from the start of the file. */
  readonly offset: number
  /** From 1. */
  readonly line: number
  /** `torn`: the last one, without a line feed; what an append that was cut leaves, or an editor. */
  readonly kind: 'invalid' | 'torn'
}

export interface ParsedLog<Line> {
  readonly lines: readonly Line[]
  /** In file order; empty if the whole file can be read. */
  readonly damage: readonly LogDamage[]
}

function readLine<Line>(bytes: Uint8Array, parse: ParseLine<Line>): Line | undefined {
  try {
    return parse(utf8.decode(bytes))
  } catch (error) {
    if (error instanceof TypeError) return undefined // not UTF-8
    throw error
  }
}

/** Reads a log of one line an entry. Never fails: what cannot be read is reported, and what follows it is read. */
export function parseLineLog<Line>(bytes: Uint8Array, parse: ParseLine<Line>): ParsedLog<Line> {
  const lines: Line[] = []
  const damage: LogDamage[] = []
  let offset = 0
  for (let number = 1; offset < bytes.length; number++) {
    const end = bytes.indexOf(LINE_FEED, offset)
    const line = end === -1 ? undefined : readLine(bytes.subarray(offset, end), parse)
    if (line !== undefined) lines.push(line)
    else damage.push({ offset, line: number, kind: end === -1 ? 'torn' : 'invalid' })
    offset = end === -1 ? bytes.length : end + 1
  }
  return { lines, damage }
}

/** The bytes of lines as they stand in a log. */
export function formatLineLog(lines: readonly string[]): Uint8Array {
  return Buffer.from(lines.map((line) => `${line}\n`).join(''))
}

/**
 * How many bytes from the start of a log a plan has to keep, whose append begins at `base`: what an append that was cut
 * left behind `base` is not kept, lines of somebody else are, and with them all that stands before them. So are whole lines
 * that the plan wrote before and would not write now; but none behind damage: they were torn together.
 * @param ours     the lines to be written, without line feeds
 * @param planned  all that the plan may have written before
 */
export function keptLength<Line>(
  bytes: Uint8Array,
  base: number,
  ours: ReadonlySet<string>,
  planned: ReadonlySet<string>,
  parse: ParseLine<Line>,
): number {
  let kept = base
  let isDamaged = false
  for (let offset = base, end; (end = bytes.indexOf(LINE_FEED, offset)) !== -1; offset = end + 1) {
    const text = readLine(bytes.subarray(offset, end), (line) => (parse(line) === undefined ? undefined : line))
    if (text === undefined) isDamaged = true
    else if (!ours.has(text) && !(isDamaged && planned.has(text))) kept = end + 1
  }
  return kept
}
