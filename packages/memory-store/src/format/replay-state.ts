import { replayEntryJson } from './replay-log.js'
import type { ReplayEntry, SupersedeEntry, TerminalEntry, ThreadEntry } from './replay-types.js'

/** Thread edges out of one memory (FMT-8). */
export const MAX_THREADS = 5

export interface ReplayBounds {
  readonly maxEntries: number
  /** Of the snapshot that holds them all. */
  readonly maxBytes: number
}

/** FMT-8. */
export const REPLAY_BOUNDS: ReplayBounds = { maxEntries: 131_072, maxBytes: 32 * 1024 * 1024 }

/** From this part of a bound on no thread edges are added, so that lifecycle does not lack room (FMT-8). */
export const THREADS_UP_TO = 0.9

/** Why an entry is not added. `duplicate`: it is there, perhaps with another instant, weight or authority. */
export type ReplayRefusal = 'duplicate' | 'has_successor' | 'cycle' | 'edge_limit' | 'full'

/** Bytes of a snapshot without entries, `{"entries":[],"v":1}`. */
const EMPTY_SNAPSHOT_BYTES = 20

/** All ASCII, so units are bytes; with the comma after it. */
const bytesOf = (entry: ReplayEntry): number => replayEntryJson(entry).length + 1

/**
 * The fold of the replay authority's entries (FMT-8): a set, of two entries for one thing the first counts. Thread edges are
 * one by their two ends, supersessions and terminals by their memory. It never holds what the rules forbid. A state on top
 * of another one (`base`) is a draft: it sees the base's entries and leaves them alone.
 */
export class ReplayState {
  readonly #threads = new Map<string, Map<string, ThreadEntry>>()
  readonly #successors = new Map<string, SupersedeEntry>()
  readonly #terminals = new Map<string, TerminalEntry>()
  /** From a memory to a later one of its chain: finding the end takes few steps, however long the chain. */
  readonly #shortcuts = new Map<string, string>()
  readonly #bounds: ReplayBounds
  #size: number
  #bytes: number

  constructor(
    bounds: ReplayBounds = REPLAY_BOUNDS,
    private readonly base?: ReplayState,
  ) {
    this.#bounds = bounds
    this.#size = base?.size ?? 0
    this.#bytes = base?.snapshotBytes ?? EMPTY_SNAPSHOT_BYTES
  }

  /** A state on top of this one, for trying what could be added. */
  draft(): ReplayState {
    return new ReplayState(this.#bounds, this)
  }

  get size(): number {
    return this.#size
  }

  /** Bytes of the snapshot that holds all entries. */
  get snapshotBytes(): number {
    return this.#bytes
  }

  /** Adds a new entry, or says why it must not be: as `add`, and thread edges leave lifecycle its room. */
  admit(entry: ReplayEntry): ReplayRefusal | undefined {
    if (entry.kind === 'thread' && this.find(entry) === undefined && !this.#hasRoom(entry, THREADS_UP_TO)) return 'full'
    return this.add(entry)
  }

  /** Adds an entry that is in the files, or says which rule or bound it breaks. */
  add(entry: ReplayEntry): ReplayRefusal | undefined {
    const refusal = this.#refusal(entry)
    if (refusal !== undefined) return refusal
    this.#bytes = this.#bytesWith(entry)
    this.#size++
    if (entry.kind === 'terminal') this.#terminals.set(entry.id, entry)
    else if (entry.kind === 'supersede') this.#successors.set(entry.id, entry)
    else {
      const threads = this.#threads.get(entry.from) ?? new Map<string, ThreadEntry>()
      this.#threads.set(entry.from, threads.set(entry.to, entry))
    }
    return undefined
  }

  #refusal(entry: ReplayEntry): ReplayRefusal | undefined {
    if (this.find(entry) !== undefined) return 'duplicate'
    if (entry.kind === 'supersede') {
      if (this.successorOf(entry.id) !== undefined) return 'has_successor'
      if (this.#lastOf(entry.by) === entry.id) return 'cycle'
    }
    if (entry.kind === 'thread' && this.#threadCount(entry.from) >= MAX_THREADS) return 'edge_limit'
    return this.#hasRoom(entry, 1) ? undefined : 'full'
  }

  #hasRoom(entry: ReplayEntry, part: number): boolean {
    const { maxEntries, maxBytes } = this.#bounds
    return this.#size < maxEntries * part && this.#bytesWith(entry) <= maxBytes * part
  }

  #bytesWith(entry: ReplayEntry): number {
    return this.#bytes + bytesOf(entry) - (this.#size === 0 ? 1 : 0) // the first one has no comma
  }

  /** The entry for the same thing; of a supersession only one with the same successor. */
  find(entry: ReplayEntry): ReplayEntry | undefined {
    if (entry.kind === 'thread') return this.#thread(entry.from, entry.to)
    if (entry.kind === 'terminal') return this.terminalOf(entry.id)
    const successor = this.successorOf(entry.id)
    return successor?.by === entry.by ? successor : undefined
  }

  successorOf(id: string): SupersedeEntry | undefined {
    return this.#successors.get(id) ?? this.base?.successorOf(id)
  }

  terminalOf(id: string): TerminalEntry | undefined {
    return this.#terminals.get(id) ?? this.base?.terminalOf(id)
  }

  threadsOf(from: string): ThreadEntry[] {
    return [...(this.base?.threadsOf(from) ?? []), ...(this.#threads.get(from)?.values() ?? [])]
  }

  #threadCount(from: string): number {
    return (this.base === undefined ? 0 : this.base.#threadCount(from)) + (this.#threads.get(from)?.size ?? 0)
  }

  #thread(from: string, to: string): ThreadEntry | undefined {
    const own = this.#threads.get(from)?.get(to)
    return own !== undefined || this.base === undefined ? own : this.base.#thread(from, to)
  }

  /** The memory at the end of the chain of successors that `id` is in. */
  #lastOf(id: string): string {
    const passed: string[] = []
    let end = this.base === undefined ? id : this.base.#lastOf(id)
    for (;;) {
      const next = this.#shortcuts.get(end) ?? this.#successors.get(end)?.by
      if (next === undefined) break
      passed.push(end)
      end = this.base === undefined ? next : this.base.#lastOf(next)
    }
    for (const memory of passed) this.#shortcuts.set(memory, end)
    return end
  }

  /** Every entry: those of the base, then threads, supersessions and terminals. */
  *entries(): Generator<ReplayEntry> {
    if (this.base !== undefined) yield* this.base.entries()
    for (const threads of this.#threads.values()) yield* threads.values()
    yield* this.#successors.values()
    yield* this.#terminals.values()
  }
}

export interface RefusedEntry {
  readonly entry: ReplayEntry
  readonly reason: ReplayRefusal
}

export interface AdmittedEntries {
  readonly added: readonly ReplayEntry[]
  readonly refused: readonly RefusedEntry[]
}

/** Which of these entries may be added, one after the other, and why the others may not. Leaves `state` as it is. */
export function admitEntries(state: ReplayState, entries: Iterable<ReplayEntry>): AdmittedEntries {
  const draft = state.draft()
  const added: ReplayEntry[] = []
  const refused: RefusedEntry[] = []
  for (const entry of entries) {
    const reason = draft.admit(entry)
    if (reason === undefined) added.push(entry)
    else refused.push({ entry, reason })
  }
  return { added, refused }
}
