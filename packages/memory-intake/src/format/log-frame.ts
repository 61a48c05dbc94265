import { createHash } from 'node:crypto'

/** Which segment of which store a frame belongs to; part of its digest, so that no frame counts elsewhere. */
export interface SegmentName {
  /** 64 hex. */
  readonly store: string
  /** From 1, without gaps. */
  readonly number: number
}

export interface ParsedSegment {
  /** The store that its header names; undefined without a whole header, so that nothing in it was ever acknowledged. */
  readonly store: string | undefined
  /** JSON arrays, in the order in which their groups were written. */
  readonly bodies: readonly string[]
  /** A valid frame stands behind invalid bytes: damage, because a group is written after the fsync of the one before. */
  readonly isDamaged: boolean
}

const LINE_FEED = 0x0a
/** Hex digest, space, decimal length, space. */
const LINE_START = /^([0-9a-f]{64}) (\d{1,9}) /
const MAX_LINE_START = 64 + 1 + 9 + 1

function digest({ store, number }: SegmentName, body: Uint8Array): string {
  return createHash('sha256').update(`${store} ${number} `).update(body).digest('hex')
}

/**
 * One line: `<sha256 hex over store, number and body> <byte length of body> <body>`. A body is JSON and so holds no line
 * feed, which is how reading finds the next line behind an invalid one.
 */
export function formatFrame(segment: SegmentName, body: string): Uint8Array {
  const bytes = Buffer.from(body, 'utf8')
  return Buffer.concat([Buffer.from(`${digest(segment, bytes)} ${bytes.length} `, 'latin1'), bytes, Buffer.from('\n')])
}

function headerBody({ store, number }: SegmentName): string {
  return `{"segment":${number},"store":"${store}"}`
}

/** The first line of a segment. */
export function formatSegmentHeader(segment: SegmentName): Uint8Array {
  return formatFrame(segment, headerBody(segment))
}

/** @param line  without its line feed  @returns the body; undefined if the line is not one that was written whole */
function parseLine(segment: SegmentName, line: Uint8Array): string | undefined {
  const start = LINE_START.exec(Buffer.from(line.subarray(0, MAX_LINE_START)).toString('latin1'))
  if (start?.[1] === undefined || start[2] === undefined) return undefined
  const body = line.subarray(start[0].length)
  if (body.length !== Number(start[2]) || digest(segment, body) !== start[1]) return undefined
  return Buffer.from(body.buffer, body.byteOffset, body.length).toString('utf8')
}

const HEADER_STORE = /"store":"([0-9a-f]{64})"\}$/

/** @returns the store that a whole header names */
function parseHeader(number: number, line: Uint8Array): string | undefined {
  const store = HEADER_STORE.exec(Buffer.from(line.subarray(0, 256)).toString('latin1'))?.[1]
  if (store === undefined) return undefined
  const segment = { store, number }
  return parseLine(segment, line) === headerBody(segment) ? store : undefined
}

/** Lines that end in a line feed; bytes behind the last one are of a group that was cut. */
function splitLines(bytes: Uint8Array): readonly Uint8Array[] {
  const lines: Uint8Array[] = []
  let start = 0
  for (let end = bytes.indexOf(LINE_FEED); end >= 0; end = bytes.indexOf(LINE_FEED, start)) {
    lines.push(bytes.subarray(start, end))
    start = end + 1
  }
  return lines
}

/**
 * Reads a segment as far as it is valid; what follows was never acknowledged, unless `isDamaged`.
 * @param knownStore  the store it should belong to: tells frames behind a header that is gone
 */
export function parseSegment(number: number, bytes: Uint8Array, knownStore?: string): ParsedSegment {
  const [first, ...rest] = splitLines(bytes)
  const store = first === undefined ? undefined : parseHeader(number, first)
  const bodies: string[] = []
  let isBroken = store === undefined
  const segment = { store: store ?? knownStore ?? '', number }
  for (const line of rest) {
    const body = parseLine(segment, line)
    if (body === undefined) isBroken = true
    else if (isBroken) return { store, bodies, isDamaged: true }
    else bodies.push(body)
  }
  return { store, bodies, isDamaged: false }
}
