import { grown, withRoom } from './grown.js'
import type { SidecarRecord } from './record.js'

/** What `SlotTable.kinds` holds of the labels of a record, and whether it has a vector. */
export const KIND_BITS = { preference: 1, lesson: 2 } as const
const HAS_VECTOR = 4

/** The columns of the table as they are written to a file, one value a slot. */
export interface SlotColumns {
  readonly rows: Uint32Array
  readonly lengths: Uint16Array
  /** Epoch milliseconds. */
  readonly recordedAt: Float64Array
  /** Row of the record before it in its conversation; 0: none. */
  readonly before: Uint32Array
  readonly kinds: Uint8Array
}

/** A row number beyond this has no place: the sidecar is not for such a database. */
const MAX_ROW = 0xffff_ffff
/**
 * The records of a sidecar by slot: numbers from 0, in the order in which they came. A record that changes gets another
 * slot; its former one is dead until the table is compacted. About 24 bytes a slot.
 */
export class SlotTable implements SlotColumns {
  rows = new Uint32Array()
  lengths = new Uint16Array()
  recordedAt = new Float64Array()
  before = new Uint32Array()
  kinds = new Uint8Array()
  /** 1: holds the present state of its record; 0: dead. */
  live = new Uint8Array()
  /** By row number: its live slot + 1; 0: none. */
  #slotOfRow = new Uint32Array()
  #size = 0
  #dead = 0
  #tokens = 0
  #vectors = 0

  /** Of columns as a file holds them; their slots are all live. The arrays are used as they are and replaced when they grow. */
  static of(columns: SlotColumns): SlotTable {
    const table = new SlotTable()
    const size = columns.rows.length
    table.#resize(withRoom(size))
    table.rows.set(columns.rows)
    table.lengths.set(columns.lengths)
    table.recordedAt.set(columns.recordedAt)
    table.before.set(columns.before)
    table.kinds.set(columns.kinds)
    table.live.fill(1, 0, size)
    table.#size = size
    for (let slot = 0; slot < size; slot++) {
      table.#place(columns.rows[slot] as number, slot)
      table.#tokens += columns.lengths[slot] as number
      if (((columns.kinds[slot] as number) & HAS_VECTOR) !== 0) table.#vectors++
    }
    return table
  }

  /** Slots, dead ones included. */
  get size(): number {
    return this.#size
  }
  get dead(): number {
    return this.#dead
  }
  /** Records. */
  get count(): number {
    return this.#size - this.#dead
  }
  /** Of all records, all columns together. */
  get tokens(): number {
    return this.#tokens
  }
  /** Records with a vector. */
  get vectors(): number {
    return this.#vectors
  }
  get bytes(): number {
    const columns = [this.rows, this.lengths, this.recordedAt, this.before, this.kinds, this.live, this.#slotOfRow]
    return columns.reduce((sum, { byteLength }) => sum + byteLength, 0)
  }

  /** @returns undefined where the row is none */
  slotOf(row: number): number | undefined {
    const place = this.#slotOfRow[row]
    return place === undefined || place === 0 ? undefined : place - 1
  }

  /**
   * The length of the record is 0 until it is told (`setLength`).
   * @returns its slot, the next one  @throws {RangeError} the row number is beyond 32 bits
   */
  add({ row, recordedAt, before, kinds, vector }: SidecarRecord): number {
    if (row > MAX_ROW) throw new RangeError('The number of a row is beyond what a sidecar holds.')
    this.remove(row)
    const slot = this.#size
    if (slot === this.rows.length) this.#resize(withRoom(slot))
    this.rows[slot] = row
    this.lengths[slot] = 0
    this.recordedAt[slot] = recordedAt
    this.before[slot] = before ?? 0
    this.kinds[slot] = kinds.reduce((bits, kind) => bits | KIND_BITS[kind], vector === undefined ? 0 : HAS_VECTOR)
    if (vector !== undefined) this.#vectors++
    this.live[slot] = 1
    this.#place(row, slot)
    this.#size++
    return slot
  }

  /** @param length  tokens of the record in this slot */
  setLength(slot: number, length: number): void {
    this.#tokens += length - (this.lengths[slot] as number)
    this.lengths[slot] = length
  }

  /** @returns whether there was one */
  remove(row: number): boolean {
    const slot = this.slotOf(row)
    if (slot === undefined) return false
    this.live[slot] = 0
    this.#slotOfRow[row] = 0
    this.#tokens -= this.lengths[slot] as number
    if (((this.kinds[slot] as number) & HAS_VECTOR) !== 0) this.#vectors--
    this.#dead++
    return true
  }

  /** The slots that are live, in order. */
  liveSlots(): Uint32Array {
    const slots = new Uint32Array(this.count)
    let at = 0
    for (let slot = 0; slot < this.#size; slot++) if (this.live[slot] === 1) slots[at++] = slot
    return slots
  }

  /** The columns of these slots. */
  columns(slots: Uint32Array): SlotColumns {
    const take = <T extends Uint8Array | Uint16Array | Uint32Array | Float64Array>(from: T, into: T): T => {
      for (let at = 0; at < slots.length; at++) into[at] = from[slots[at] as number] as number
      return into
    }
    return {
      rows: take(this.rows, new Uint32Array(slots.length)),
      lengths: take(this.lengths, new Uint16Array(slots.length)),
      recordedAt: take(this.recordedAt, new Float64Array(slots.length)),
      before: take(this.before, new Uint32Array(slots.length)),
      kinds: take(this.kinds, new Uint8Array(slots.length)),
    }
  }

  #place(row: number, slot: number): void {
    if (row >= this.#slotOfRow.length) {
      this.#slotOfRow = grown(this.#slotOfRow, new Uint32Array(withRoom(row + 1)))
    }
    this.#slotOfRow[row] = slot + 1
  }

  #resize(capacity: number): void {
    this.rows = grown(this.rows, new Uint32Array(capacity))
    this.lengths = grown(this.lengths, new Uint16Array(capacity))
    this.recordedAt = grown(this.recordedAt, new Float64Array(capacity))
    this.before = grown(this.before, new Uint32Array(capacity))
    this.kinds = grown(this.kinds, new Uint8Array(capacity))
    this.live = grown(this.live, new Uint8Array(capacity))
  }
}
