/**
 * What Markdown cannot hold of the life of memories (FMT-8): ids, instants, weights and digests, never text. `digest` is the
 * SHA-256 of what authorised it, such as the plan of a capture or a Remember; 64 lower-case hex digits.
 */
export type ReplayEntry = ThreadEntry | SupersedeEntry | TerminalEntry

export interface ReplayAuthority {
  /** `capture`: of a Remember too; an earlier release refuses the file for a kind that it does not know. */
  readonly kind: 'capture' | 'maintenance' | 'import' | 'adopted'
  readonly digest: string
}

/** `from` carries `to` on without replacing it. At most five out of one memory. */
export interface ThreadEntry {
  readonly kind: 'thread'
  readonly from: string
  readonly to: string
  /** 0..1. */
  readonly weight: number
  readonly at: string
  readonly authority: ReplayAuthority
}

/** `by` takes the place of `id`, which stays as history. One successor a memory, and no cycle. */
export interface SupersedeEntry {
  readonly kind: 'supersede'
  readonly id: string
  readonly by: string
  readonly at: string
  readonly authority: ReplayAuthority
}

/** The memory was forgotten on purpose at this instant. */
export interface TerminalEntry {
  readonly kind: 'terminal'
  readonly id: string
  readonly at: string
  readonly authority: ReplayAuthority
}
