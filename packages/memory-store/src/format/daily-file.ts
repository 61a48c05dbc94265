import { formatBullet, parseBullet, type ParsedBullet } from './bullet.js'
import { readField } from './bullet-fields.js'
import { makeDayDocument, type DayBlock, type DayDocument, type DayProblem, type ProseBlock } from './day-document.js'
import { joinBytes, splitFileLines, type FileLine } from './file-lines.js'
import { isLabelLine } from './labels.js'
import { isMetadataLine, METADATA_OPENING, parseMetadata, readValues } from './metadata.js'

export { emptyDayDocument, type DayDocument } from './day-document.js'

const BYTE_ORDER_MARK = '\uFEFF'

/** Reads a day file (FMT-2, FMT-4). Never fails: what is no bullet is prose, byte for byte. */
export function parseDayFile(bytes: Uint8Array): DayDocument {
  const lines = splitFileLines(bytes)
  const first = lines[0]
  const hasByteOrderMark = typeof first === 'string' && first.startsWith(BYTE_ORDER_MARK)
  if (hasByteOrderMark) lines[0] = first.slice(BYTE_ORDER_MARK.length)
  const blocks: DayBlock[] = []
  const ids = new Set<string>()
  for (let index = 0; index < lines.length;) {
    const item = readItem(lines, index)
    if (item.parsed.kind === 'bullet' && !ids.has(item.parsed.bullet.id)) {
      const lineEnd = (lines[index] as string).endsWith('\r') ? '\r\n' : '\n'
      ids.add(item.parsed.bullet.id)
      blocks.push({ kind: 'bullet', bullet: item.parsed.bullet, line: index + 1, lineEnd })
    } else {
      blocks.push(...proseBlocks(lines.slice(index, item.end), index + 1, item.parsed))
    }
    index = item.end
  }
  return makeDayDocument(blocks, hasByteOrderMark)
}

interface Item {
  readonly parsed: ParsedBullet
  /** Index of the line after it. */
  readonly end: number
}

/** The line as text without its carriage return; undefined past the end or where it is not UTF-8. */
function textAt(lines: readonly FileLine[], index: number): string | undefined {
  const line = lines[index]
  if (typeof line !== 'string') return undefined
  return line.endsWith('\r') ? line.slice(0, -1) : line
}

/** Reads the bullet, whole or broken, that starts at `index`, or one line of prose. */
function readItem(lines: readonly FileLine[], index: number): Item {
  const line = textAt(lines, index)
  if (line === undefined) return { parsed: { kind: 'prose' }, end: index + 1 }
  if (isMetadataLine(line)) return { parsed: orphanMetadata(line), end: index + 1 }
  if (!/^[-*+] /.test(line)) return { parsed: { kind: 'prose' }, end: index + 1 }
  const isOneLine = line.includes(METADATA_OPENING)
  const next = isOneLine ? undefined : textAt(lines, index + 1)
  const metadataLine = next !== undefined && isMetadataLine(next) ? next : undefined
  let end = index + (metadataLine === undefined ? 1 : 2)
  const labelLines: string[] = []
  if (isOneLine || metadataLine !== undefined) {
    for (let label = textAt(lines, end); label !== undefined && isLabelLine(label); label = textAt(lines, ++end)) {
      labelLines.push(label)
    }
  }
  return { parsed: parseBullet(line, metadataLine, labelLines), end }
}

/** A metadata comment that no sentence precedes. */
function orphanMetadata(line: string): ParsedBullet {
  const metadata = parseMetadata(line, line.indexOf(METADATA_OPENING))
  const id = metadata === undefined ? undefined : readField(readValues(metadata), 'id')
  return { kind: 'missing_identity', missing: 'sentence', ...(id === undefined ? {} : { id }) }
}

/** Keeps lines as they are, and says on the first one what is wrong with them, if anything is. */
function proseBlocks(lines: readonly FileLine[], firstLine: number, parsed: ParsedBullet): ProseBlock[] {
  const problem = problemOf(parsed, firstLine)
  const heldId = parsed.kind === 'bullet' ? parsed.bullet.id : parsed.kind === 'prose' ? undefined : parsed.id
  return lines.map((content, index) => ({
    kind: 'prose',
    content,
    line: firstLine + index,
    ...(problem === undefined ? {} : index === 0 ? { problem } : { isContinuation: true }),
    ...(heldId === undefined ? {} : { heldId }),
  }))
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
  const parts: FileLine[] = []
  let text = document.hasByteOrderMark ? BYTE_ORDER_MARK : ''
  for (const block of document.blocks) {
    if (block.kind === 'bullet') text += formatBullet(block.bullet).join(block.lineEnd) + block.lineEnd
    else if (typeof block.content === 'string') text += `${block.content}\n`
    else {
      parts.push(text, block.content)
      text = '\n'
    }
  }
  return joinBytes([...parts, text])
}
