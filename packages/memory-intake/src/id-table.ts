import { LEDGER_ENTRY_BYTES } from './format/ledger-entry.js'

/** Where an id's fingerprint stands: hex digits 2..9, behind those that choose the shard. */
const FINGERPRINT_START = 2
const FINGERPRINT_DIGITS = 8
const FIRST_SLOTS = 16
/** Part of the slots that may be taken before there are twice as many. */
const MAX_LOAD = 0.7

const HEX_VALUE = new Uint8Array(256)
for (let digit = 0; digit < 16; digit++) HEX_VALUE[digit.toString(16).charCodeAt(0)] = digit

/**
 * Which entries of one shard may hold an id: 32 bits an entry, in ledger order, and an open-addressed table over them.
 * 10 to 16 bytes an entry in typed arrays, so that a million entries are no million objects. A hit is a candidate: whoever
 * asks reads the entry (a false one is met once in a million look-ups of a shard with 4,096 entries).
 */
export class ShardIds {
  #fingerprints = new Uint32Array(FIRST_SLOTS)
  /** Entry number + 1, or 0. */
  #slots = new Uint32Array(FIRST_SLOTS)
  #count = 0

  /** Entries of the shard. */
  get count(): number {
    return this.#count
  }

  /** @param entries  whole ledger entries */
  addEntries(entries: Uint8Array): void {
    for (let start = 0; start + LEDGER_ENTRY_BYTES <= entries.length; start += LEDGER_ENTRY_BYTES) {
      let fingerprint = 0
      const from = start + FINGERPRINT_START
      for (let at = from; at < from + FINGERPRINT_DIGITS; at++) {
        fingerprint = (fingerprint << 4) | (HEX_VALUE[entries[at] ?? 0] ?? 0)
      }
      this.#add(fingerprint >>> 0)
    }
  }

  /** Entry numbers that may hold `id`, from 0. */
  *candidates(id: string): Generator<number> {
    const fingerprint = Number.parseInt(id.slice(FINGERPRINT_START, FINGERPRINT_START + FINGERPRINT_DIGITS), 16)
    const mask = this.#slots.length - 1
    for (let slot = fingerprint & mask; ; slot = (slot + 1) & mask) {
      const taken = this.#slots[slot] ?? 0
      if (taken === 0) return
      if (this.#fingerprints[taken - 1] === fingerprint) yield taken - 1
    }
  }

  #add(fingerprint: number): void {
    if (this.#count === this.#fingerprints.length) this.#fingerprints = grown(this.#fingerprints)
    this.#fingerprints[this.#count] = fingerprint
    this.#count++
    if (this.#count > this.#slots.length * MAX_LOAD) this.#rebuild()
    else this.#place(this.#count - 1, fingerprint)
  }

  #place(entry: number, fingerprint: number): void {
    const mask = this.#slots.length - 1
    let slot = fingerprint & mask
    while (this.#slots[slot] !== 0) slot = (slot + 1) & mask
    this.#slots[slot] = entry + 1
  }

  #rebuild(): void {
    this.#slots = new Uint32Array(this.#slots.length * 2)
    for (let entry = 0; entry < this.#count; entry++) this.#place(entry, this.#fingerprints[entry] ?? 0)
  }
}

function grown(array: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(array.length * 2)
  larger.set(array)
  return larger
}
