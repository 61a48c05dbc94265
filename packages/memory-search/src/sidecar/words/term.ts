/** UTF-8 bytes of a token, where they stand. */
export interface Term {
  readonly bytes: Uint8Array
  readonly start: number
  readonly end: number
  /** `hashOf` its bytes. */
  readonly hash: number
}

/** 32 bits. FNV-1a (Fowler, Noll, Vo) and the last steps of MurmurHash3 (Appleby), with the constants of their authors. */
export function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ (bytes[at] as number), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** Whether so many bytes are the same in both, from two places on. */
export function areEqual(one: Uint8Array, oneAt: number, other: Uint8Array, otherAt: number, length: number): boolean {
  for (let at = 0; at < length; at++) if (one[oneAt + at] !== other[otherAt + at]) return false
  return true
}

/** The order of sealed terms: by hash; by length, then bytes, where it is the same. @returns 0 of the same term */
export function compareTerms(one: Term, other: Term): number {
  if (one.hash !== other.hash) return one.hash - other.hash
  const [length, otherLength] = [one.end - one.start, other.end - other.start]
  if (length !== otherLength) return length - otherLength
  for (let at = 0; at < length; at++) {
    const difference = (one.bytes[one.start + at] as number) - (other.bytes[other.start + at] as number)
    if (difference !== 0) return difference
  }
  return 0
}
