import type { ContextBlock, ContextLine } from '@mono-agent/memory-store'
import { FRAME_BYTES, framed } from './frame.js'
import { plainLine } from './plain-line.js'

/** UTF-8 bytes of all automatic context, its frame included (REC-14). */
export const MAX_AUTOMATIC_BYTES = 2_560
/** UTF-8 bytes of the possibly relevant, its heading and all its line breaks included (REC-14). */
export const MAX_RELEVANT_BYTES = 1_536

/** In this order blocks are shown, and have first call on the budget. */
const ORDER: Readonly<Record<ContextBlock['kind'], number>> = { profile: 0, person: 1, background: 2, relevant: 3 }

export interface ComposedContext {
  /** Empty where nothing is shown. */
  readonly text: string
  /** UTF-8 bytes of `text`. */
  readonly bytes: number
  /** Memories that are shown, each once, in the order of the text. */
  readonly memoryIds: readonly string[]
  /** What is shown: the lines that fit, as they stand in the text, and the blocks that have any. */
  readonly blocks: readonly ContextBlock[]
}

/**
 * Puts blocks into one framed text within the budget. Lines are whole or left out; one that does not fit does not keep
 * later ones out; a block without lines is left out with its heading. Whoever made the blocks, a line is one line and an
 * item of a list, and nothing in it can end the frame. The same blocks give the same bytes (REC-34).
 * @param options.maxBytes  UTF-8 bytes at most; more than `MAX_AUTOMATIC_BYTES` counts as that
 * @throws {RangeError} `maxBytes` is no number from 0 on
 */
export function composeContext(
  blocks: readonly ContextBlock[],
  { maxBytes }: { readonly maxBytes: number },
): ComposedContext {
  if (!(maxBytes >= 0)) throw new RangeError('maxBytes must be a number of bytes, 0 or more.')
  let left = Math.min(maxBytes, MAX_AUTOMATIC_BYTES) - FRAME_BYTES
  const kept: ContextBlock[] = []
  for (const block of [...blocks].sort((a, b) => ORDER[a.kind] - ORDER[b.kind])) {
    const budget = block.kind === 'relevant' ? Math.min(left, MAX_RELEVANT_BYTES) : left
    const { block: fitting, bytes } = fitBlock(block, budget)
    if (fitting.lines.length === 0) continue
    kept.push(fitting)
    left -= bytes
  }
  if (kept.length === 0) return { text: '', bytes: 0, memoryIds: [], blocks: [] }
  const text = framed(kept.flatMap(({ heading, lines }) => [heading, ...lines.map((line) => line.text)]))
  const memoryIds = kept.flatMap(({ lines }) => lines.flatMap((line) => line.memoryIds))
  return { text, bytes: Buffer.byteLength(text), memoryIds: [...new Set(memoryIds)], blocks: kept }
}

/** Of one line within the frame. */
const bytesOf = (line: string): number => Buffer.byteLength(line) + 1

function fitBlock(block: ContextBlock, budget: number): { readonly block: ContextBlock; readonly bytes: number } {
  const heading = plainLine(block.heading)
  let bytes = bytesOf(heading)
  const lines: ContextLine[] = []
  for (const line of block.lines) {
    const text = asItem(line.text)
    if (text === undefined || bytes + bytesOf(text) > budget) continue
    bytes += bytesOf(text)
    lines.push({ ...line, text })
  }
  return { block: { ...block, heading, lines }, bytes }
}

const ITEM = '- '

/** Items begin as items, so that none of them reads as a heading. */
function asItem(text: string): string | undefined {
  const line = plainLine(text)
  if (line === '' || line === ITEM.trim()) return undefined
  return line.startsWith(ITEM) ? line : ITEM + line
}
