import { z } from 'zod'

const offsetInstant = z.iso.datetime({ offset: true })

/** From here on an epoch number is read as milliseconds: as seconds it would lie past the year 5138. */
const FIRST_MILLISECOND_EPOCH = 1e11
/** The last millisecond of the year 9999, the last one that RFC 3339 can write. */
const LAST_INSTANT_MS = 253_402_300_799_999

export type Instant = { readonly kind: 'absent' | 'invalid' } | { readonly kind: 'instant'; readonly at: string }

/**
 * Reads a time as exports write it: RFC 3339 with an offset (kept as it is, its offset tells the local time), or a Unix
 * epoch in seconds or milliseconds (from 1970 on). A local time without an offset is invalid: it names no instant.
 */
export function parseInstant(value: unknown): Instant {
  if (value === undefined || value === null) return { kind: 'absent' }
  if (typeof value === 'string') {
    return offsetInstant.safeParse(value).success ? { kind: 'instant', at: value } : { kind: 'invalid' }
  }
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 0) return { kind: 'invalid' }
  const epochMs = Math.round(value < FIRST_MILLISECOND_EPOCH ? value * 1000 : value)
  if (epochMs > LAST_INSTANT_MS) return { kind: 'invalid' }
  return { kind: 'instant', at: new Date(epochMs).toISOString() }
}
