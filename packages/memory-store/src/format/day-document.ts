import type { Bullet } from './bullet.js'
import { isDay } from './instant.js'
import type { SentenceFault } from './sentence.js'

/** A line that looks like a memory and is none: kept as prose, reported by rebuild and audit (FMT-4). `line` is 1-based. */
export type DayProblem =
  | { readonly kind: 'missing_identity'; readonly line: number; readonly missing: 'id' | 'created' | 'sentence' }
  | { readonly kind: 'invalid_sentence'; readonly line: number; readonly fault: SentenceFault }
  | { readonly kind: 'duplicate_id'; readonly line: number; readonly id: string }

export interface BulletBlock {
  readonly kind: 'bullet'
  readonly bullet: Bullet
  /** 1-based number of the line of the sentence. */
  readonly line: number
  readonly lineEnd: '\n' | '\r\n'
}

/** One line that is no part of a bullet. */
export interface ProseBlock {
  readonly kind: 'prose'
  /** Without its line feed, with its carriage return; bytes where it is not UTF-8. */
  readonly content: string | Uint8Array
  /** 1-based. */
  readonly line: number
  /** On the first line of what has the problem. */
  readonly problem?: DayProblem
  /** Id written in a broken or repeated bullet, on each of its lines: taken, so nothing is added under it. */
  readonly heldId?: string
  /** A later line of what has the problem. */
  readonly isContinuation?: true
}

export type DayBlock = BulletBlock | ProseBlock

/** A day file: bullets between lines of prose, in the order in which they stand. */
export interface DayDocument {
  readonly blocks: readonly DayBlock[]
  /** The bullets of `blocks`; each id is there once. */
  readonly bullets: readonly Bullet[]
  readonly problems: readonly DayProblem[]
  /** Lines of prose that are neither blank, nor the heading of a day, nor part of a problem. */
  readonly unstructuredLines: number
  /** The file starts with a byte order mark. */
  readonly hasByteOrderMark: boolean
}

/** The document that these blocks make, numbered as they are. */
export function makeDayDocument(blocks: readonly DayBlock[], hasByteOrderMark: boolean): DayDocument {
  const bullets: Bullet[] = []
  const problems: DayProblem[] = []
  let unstructuredLines = 0
  for (const block of blocks) {
    if (block.kind === 'bullet') bullets.push(block.bullet)
    else if (block.problem !== undefined) problems.push(block.problem)
    else if (block.isContinuation !== true && isUnstructured(block.content)) unstructuredLines++
  }
  return { blocks, bullets, problems, unstructuredLines, hasByteOrderMark }
}

function isUnstructured(content: string | Uint8Array): boolean {
  if (typeof content !== 'string') return true
  const text = content.trim()
  return text !== '' && !(text.startsWith('# ') && isDay(text.slice(2)))
}

/** What a day's file holds before its first bullet (FMT-2). @throws {RangeError} `day` is not `YYYY-MM-DD` */
export function emptyDayDocument(day: string): DayDocument {
  if (!isDay(day)) throw new RangeError('A day file is named after a day, YYYY-MM-DD.')
  const blocks: DayBlock[] = [
    { kind: 'prose', content: `# ${day}`, line: 1 },
    { kind: 'prose', content: '', line: 2 },
  ]
  return makeDayDocument(blocks, false)
}

/** The blocks with the line numbers that they get when they are written, bullets in the two-line form. */
export function renumberBlocks(blocks: readonly DayBlock[]): DayBlock[] {
  let next = 1
  return blocks.map((block) => {
    const line = next
    next += block.kind === 'bullet' ? 2 + block.bullet.labelLines.length : 1
    if (block.line === line) return block
    const hasProblem = block.kind === 'prose' && block.problem !== undefined
    return hasProblem ? { ...block, line, problem: { ...block.problem, line } } : { ...block, line }
  })
}

/** Number of the line, 1-based, that holds the sentence of a bullet; undefined if the document has no bullet of that id. */
export function lineOfBullet(document: DayDocument, id: string): number | undefined {
  return document.blocks.find((block) => block.kind === 'bullet' && block.bullet.id === id)?.line
}
