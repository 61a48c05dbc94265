import type { WordColumns } from '../sqlite/full-text.js'

/** What recall needs of a searchable record, as one snapshot of the index database has it (SEA-19). */
export interface SidecarRecord {
  /** Of the table `memories`. */
  readonly row: number
  /** Body, the one and the two before it, tags (SEA-9): tokens as FTS5 holds them, parted by one space; may be empty. */
  readonly columns: WordColumns
  /** When it was recorded, epoch milliseconds. */
  readonly recordedAt: number
  /** Of its labels, each once. */
  readonly kinds: readonly ('preference' | 'lesson')[]
  /** Row of the searchable record right before it in its conversation. */
  readonly before: number | undefined
  /** Of unit length; undefined as long as it waits for one, and in lite. */
  readonly vector: Float32Array | undefined
}
