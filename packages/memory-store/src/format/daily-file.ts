import { formatBullet, parseBullet, type Bullet, type ParsedBullet } from './bullet.js'
import { isLabelLine } from './labels.js'
import { isDay } from './instant.js'
import { isMetadataLine, METADATA_OPENING, parseMetadata, readValues } from './metadata.js'
import type { SentenceFault } from './sentence.js'

/** Lines that look like a memory and are none: kept as prose, reported by rebuild and audit (FMT-4). */
export type DayProblem =
  | { readonly kind: 'missing_identity'; readonly line: number; readonly missing: 'id' | 'created' | 'sentence' }
  | { readonly kind: 'invalid_sentence'; readonly line: number; readonly fault: SentenceFault }
  | { readonly kind: 'duplicate_id'; readonly line: number; readonly id: string }

export interface BulletBlock {
  readonly kind: 'bullet'
  readonly bullet: Bullet
  /** 1-based number of the sentence's line. */
  readonly line: number
  readonly lineEnd: '\n' | '\r\n'
}

/** One line that is no part of a bullet; bytes where it is not UTF-8. Without its line feed, with its carriage return. */
export interface ProseBlock {
  readonly kind: 'prose'
  readonly content: string | Uint8Array
  /** 1-based. */
  readonly line: number
  readonly problem?: DayProblem
  /** Id written in a line that has a problem: taken, as far as adding and changing bullets goes. */
  readonly heldId?: string
}

export type DayBlock = BulletBlock | ProseBlock

/** A day file: bullets between lines of prose, in the order in which they stand. */
export interface DayDocument {
  readonly blocks: readonly DayBlock[]
  /** The bullets of `blocks`; each id is there once. */
  readonly bullets: readonly Bullet[]
  readonly problems: readonly DayProblem[]
  /** Lines of prose that are neither blank, nor a heading of the day, nor part of a problem. */
  readonly unstructuredLines: number
  /** The file starts with a byte order mark. */
  readonly hasByteOrderMark: boolean
}

const LINE_FEED = 0x0a
const BYTE_ORDER_MARK = '\uFEFF'
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** What a day's file holds before its first bullet (FMT-2). @throws {RangeError} `day` is not `YYYY-MM-DD` */
export function emptyDayDocument(day: string): DayDocument {
  if (!isDay(day)) throw new RangeError('A day file is named after a day, YYYY-MM-DD.')
  return makeDayDocument([proseBlock(`# ${day}`, 1), proseBlock('', 2)], false)
}

/** The document made of these blocks, as they are numbered. */
export function makeDayDocument(blocks: readonly DayBlock[], hasByteOrderMark: boolean): DayDocument {
  const bullets: Bullet[] = []
  const problems: DayProblem[] = []
  let unstructuredLines = 0
  for (const block of blocks) {
    if (block.kind === 'bullet') bullets.push(block.bullet)
    else if (block.problem !== undefined) problems.push(block.problem)
    else if (block.heldId === undefined && isUnstructured(block.content)) unstructuredLines++
  }
  return { blocks, bullets, problems, unstructuredLines, hasByteOrderMark }
}

function isUnstructured(content: string | Uint8Array): boolean {
  if (typeof content !== 'string') return true
  const text = content.trim()
  return text !== '' && !(text.startsWith('# ') && isDay(text.slice(2)))
}

function proseBlock(content: string | Uint8Array, line: number): ProseBlock {
  return { kind: 'prose', content, line }
}

/** Lines without line feeds. A file that is UTF-8 as a whole is decoded at once; else line by line. */
function splitLines(bytes: Uint8Array): (string | Uint8Array)[] {
  const text = decode(bytes)
  const lines = typeof text === 'string' ? text.split('\n') : splitBytes(text).map(decode)
  if (lines.at(-1)?.length === 0) lines.pop() // what follows the last line feed is no line
  return lines
}

function decode(bytes: Uint8Array): string | Uint8Array {
  try {
    return utf8.decode(bytes)
  } catch {
    return bytes
  }
}

function splitBytes(bytes: Uint8Array): Uint8Array[] {
  const lines: Uint8Array[] = []
  let start = 0
  for (let end = bytes.indexOf(LINE_FEED); end !== -1; end = bytes.indexOf(LINE_FEED, start)) {
    lines.push(bytes.slice(start, end))
    start = end + 1
  }
  lines.push(bytes.slice(start))
  return lines
}

const withoutReturn = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line)

/** Reads a day file (FMT-2, FMT-4). Never fails: what is no bullet is prose, byte for byte. */
export function parseDayFile(bytes: Uint8Array): DayDocument {
  const lines = splitLines(bytes)
  const first = lines[0]
  const hasByteOrderMark = typeof first === 'string' && first.startsWith(BYTE_ORDER_MARK)
  if (hasByteOrderMark) lines[0] = first.slice(1)
  const blocks: DayBlock[] = []
  const ids = new Set<string>()
  for (let index = 0; index < lines.length;) {
    const content = lines[index] as string | Uint8Array
    if (typeof content !== 'string' || !mayBeBullet(content)) {
      blocks.push(proseBlock(content, ++index))
      continue
    }
    index = readItem(lines, index, blocks, ids)
  }
  return makeDayDocument(blocks, hasByteOrderMark)
}

function mayBeBullet(line: string): boolean {
  return /^[-*+] /.test(line) || isMetadataLine(line)
}

/** Reads the bullet or broken bullet that starts at `index`; returns the index after it. */
function readItem(
  lines: readonly (string | Uint8Array)[],
  index: number,
  blocks: DayBlock[],
  ids: Set<string>,
): number {
  const sentenceLine = lines[index] as string
  const lineAt = (at: number): string | undefined => {
    const line = lines[at]
    return typeof line === 'string' ? withoutReturn(line) : undefined
  }
  let end = index + 1
  let parsed: ParsedBullet
  if (isMetadataLine(sentenceLine)) {
    parsed = orphanMetadata(withoutReturn(sentenceLine))
  } else {
    const next = lineAt(end)
    const metadataLine =
      !sentenceLine.includes(METADATA_OPENING) && next !== undefined && isMetadataLine(next) ? next : undefined
    if (metadataLine !== undefined) end++
    const labelLines: string[] = []
    if (metadataLine !== undefined || sentenceLine.includes(METADATA_OPENING)) {
      for (let label = lineAt(end); label !== undefined && isLabelLine(label); label = lineAt(++end))
        labelLines.push(label)
    }
    parsed = parseBullet(withoutReturn(sentenceLine), metadataLine, labelLines)
  }
  const line = index + 1
  if (parsed.kind === 'bullet' && !ids.has(parsed.bullet.id)) {
    ids.add(parsed.bullet.id)
    blocks.push({ kind: 'bullet', bullet: parsed.bullet, line, lineEnd: sentenceLine.endsWith('\r') ? '\r\n' : '\n' })
    return end
  }
  const problem = problemOf(parsed, line)
  const heldId = parsed.kind === 'bullet' ? parsed.bullet.id : parsed.kind === 'prose' ? undefined : parsed.id
  for (let at = index; at < end; at++) {
    const block = proseBlock(lines[at] as string | Uint8Array, at + 1)
    blocks.push({
      ...block,
      ...(problem !== undefined && at === index ? { problem } : {}),
      ...(heldId === undefined ? {} : { heldId }),
    })
  }
  return end
}

/** A metadata comment that no sentence precedes. */
function orphanMetadata(line: string): ParsedBullet {
  const metadata = parseMetadata(line, line.indexOf(METADATA_OPENING))
  const id = metadata === undefined ? undefined : readValues(metadata).get('id')
  return { kind: 'missing_identity', missing: 'sentence', ...(id === undefined ? {} : { id }) }
}

function problemOf(parsed: ParsedBullet, line: number): DayProblem | undefined {
  switch (parsed.kind) {
    case 'prose':
      return undefined
    case 'bullet':
      return { kind: 'duplicate_id', line, id: parsed.bullet.id }
    case 'missing_identity':
      return { kind: 'missing_identity', line, missing: parsed.missing }
    case 'invalid_sentence':
      return { kind: 'invalid_sentence', line, fault: parsed.fault }
  }
}

/**
 * Writes a day file: bullets in the two-line form, prose byte for byte, a line feed after the last line. A file that is in
 * that form already comes out as it went in.
 */
export function formatDayFile(document: DayDocument): Uint8Array {
  const parts: (string | Uint8Array)[] = []
  let text = document.hasByteOrderMark ? BYTE_ORDER_MARK : ''
  for (const block of document.blocks) {
    if (block.kind === 'bullet') text += formatBullet(block.bullet).join(block.lineEnd) + block.lineEnd
    else if (typeof block.content === 'string') text += `${block.content}\n`
    else {
      parts.push(text, block.content)
      text = '\n'
    }
  }
  parts.push(text)
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)))
}
