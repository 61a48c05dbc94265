import { createCursors, CURSOR_KEY_BYTES, type Cursors } from './cursor.js'
import type { FrozenRange } from './frozen-range.js'

/** Snapshots of one request (REC-23): a bound of the memory and the scans that one turn may cost. */
export const MAX_SNAPSHOTS = 4

/** A frozen range and the one offset at which it goes on. */
interface Held {
  readonly range: FrozenRange
  readonly next: number
}

/** Entries `offset` and later of a range, and a way to make the cursor that goes on after some of them. */
export interface Reading {
  readonly range: FrozenRange
  readonly offset: number
  /** The cursor of the entries from `offset` on; undefined where there are none. */
  cursorAt(offset: number): string | undefined
  /** Says how far the page came: only its own cursor goes on from there. */
  shownUpTo(offset: number): void
}

/**
 * The frozen ranges of one request and the right to go on reading them. A cursor is good for one page: the one after what was
 * shown last. It is spent once it was used, and so are all of them once the request has written something: what would be
 * read then is no longer what the memory says.
 */
export class JournalSnapshots {
  readonly #cursors: Cursors
  /** By number; undefined where it is being taken, or was read to its end. They count until the request ends or writes. */
  readonly #held = new Map<number, Held | undefined>()
  #numbered = 0
  #changesSeen: number

  /** @param changes  how often the request has written, so far */
  constructor(
    randomBytes: (count: number) => Uint8Array,
    private readonly changes: () => number,
  ) {
    this.#cursors = createCursors(randomBytes(CURSOR_KEY_BYTES))
    this.#changesSeen = changes()
  }

  /** Takes a place for a range that is about to be read. @returns its number; undefined where all places are taken */
  reserve(): number | undefined {
    this.#forgetAfterWrite()
    if (this.#held.size >= MAX_SNAPSHOTS) return undefined
    this.#numbered += 1
    this.#held.set(this.#numbered, undefined)
    return this.#numbered
  }

  /** Gives back the place of a range that could not be read. */
  release(snapshot: number): void {
    this.#held.delete(snapshot)
  }

  /** The beginning of a range that has just been read. */
  begin(snapshot: number, range: FrozenRange): Reading {
    this.#forgetAfterWrite()
    return this.#readingOf(snapshot, range, 0)
  }

  /** Where a cursor goes on; undefined for every other text: forged, spent, of another request, from before a write. */
  continue(cursor: string): Reading | undefined {
    this.#forgetAfterWrite()
    const place = this.#cursors.read(cursor)
    const held = place === undefined ? undefined : this.#held.get(place.snapshot)
    if (place === undefined || held === undefined || held.next !== place.offset) return undefined
    return this.#readingOf(place.snapshot, held.range, held.next)
  }

  /** The request is over. */
  end(): void {
    this.#held.clear()
  }

  #readingOf(snapshot: number, range: FrozenRange, offset: number): Reading {
    const isLeft = (from: number): boolean => from < range.entries.length
    return {
      range,
      offset,
      cursorAt: (from) => (isLeft(from) ? this.#cursors.issue({ snapshot, offset: from }) : undefined),
      shownUpTo: (next) => {
        // Of one that a write forgot meanwhile nothing is kept: its cursor is refused like any from before the write.
        if (this.#held.has(snapshot)) this.#held.set(snapshot, isLeft(next) ? { range, next } : undefined)
      },
    }
  }

  #forgetAfterWrite(): void {
    const changes = this.changes()
    if (changes !== this.#changesSeen) this.#held.clear()
    this.#changesSeen = changes
  }
}
