/** 64 hex digits of the id, 64 of the payload hash, a line feed (INT-4). */
export const LEDGER_ENTRY_BYTES = 129
/** One shard for each value of an id's first byte. */
export const SHARD_COUNT = 256

export interface LedgerEntry {
  readonly id: string
  readonly payloadHash: string
}

const ENTRY = /^([0-9a-f]{64})([0-9a-f]{64})\n$/

export function formatLedgerEntry({ id, payloadHash }: LedgerEntry): string {
  return `${id}${payloadHash}\n`
}

/** @returns undefined if the bytes are no entry */
export function parseLedgerEntry(bytes: Uint8Array): LedgerEntry | undefined {
  const match = ENTRY.exec(Buffer.from(bytes).toString('latin1'))
  return match?.[1] === undefined || match[2] === undefined ? undefined : { id: match[1], payloadHash: match[2] }
}

/** 0..255. */
export function shardOf(id: string): number {
  return Number.parseInt(id.slice(0, 2), 16)
}

/** File name of a shard: two lower-case hex digits. */
export function shardName(shard: number): string {
  return shard.toString(16).padStart(2, '0')
}
