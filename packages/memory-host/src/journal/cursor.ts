import { createHmac, timingSafeEqual } from 'node:crypto'

/** Where in which snapshot a page begins. */
export interface CursorPlace {
  /** Number of the snapshot within its request, 1..4,294,967,295. */
  readonly snapshot: number
  /** Entries before the page, 0..65,535. */
  readonly offset: number
}

export interface Cursors {
  issue(place: CursorPlace): string
  /** The place that a cursor of these names; undefined for any other text, whatever is wrong with it. */
  read(cursor: string): CursorPlace | undefined
}

/** Bytes of the key of HMAC-SHA-256. */
export const CURSOR_KEY_BYTES = 32
const VERSION = 1
/** Version, snapshot, offset. */
const PLACE_BYTES = 1 + 4 + 2
const MAC_BYTES = 32
/** Whole groups of three bytes: base64url has no spare bits in which two spellings of one cursor could differ. */
const CURSOR_LENGTH = ((PLACE_BYTES + MAC_BYTES) / 3) * 4
const BASE64URL = /^[A-Za-z0-9_-]*$/

/**
 * Cursors of one request (REC-23): a place and its HMAC-SHA-256 under a key that lives as long as the request, so that none
 * can be made up, altered or brought from another request. They hold two numbers and nothing of the memory.
 * @param key  fresh, random, 32 bytes  @throws {RangeError} a key of another length
 */
export function createCursors(key: Uint8Array): Cursors {
  if (key.length !== CURSOR_KEY_BYTES) throw new RangeError(`A key has ${CURSOR_KEY_BYTES} bytes.`)
  const macOf = (place: Uint8Array): Buffer => createHmac('sha256', key).update(place).digest()
  return {
    issue(place) {
      const bytes = placeBytes(place)
      return Buffer.concat([bytes, macOf(bytes)]).toString('base64url')
    },
    read(cursor) {
      if (cursor.length !== CURSOR_LENGTH || !BASE64URL.test(cursor)) return undefined
      const bytes = Buffer.from(cursor, 'base64url')
      const place = bytes.subarray(0, PLACE_BYTES)
      if (!timingSafeEqual(bytes.subarray(PLACE_BYTES), macOf(place))) return undefined
      if (place.readUInt8(0) !== VERSION) return undefined
      return { snapshot: place.readUInt32BE(1), offset: place.readUInt16BE(5) }
    },
  }
}

function placeBytes({ snapshot, offset }: CursorPlace): Buffer {
  const bytes = Buffer.alloc(PLACE_BYTES)
  bytes.writeUInt8(VERSION, 0)
  bytes.writeUInt32BE(snapshot, 1)
  bytes.writeUInt16BE(offset, 5)
  return bytes
}
