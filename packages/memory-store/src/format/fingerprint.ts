import { sha256Hex } from './sha256.js'

export interface FingerprintedFile {
  /** Relative to the root, with `/`, e.g. `daily/2026-05-01.md`. */
  readonly path: string
  /** Bytes. */
  readonly length: number
  /** SHA-256 of the bytes, 64 lower-case hex digits. */
  readonly digest: string
}

const DIGEST = /^[0-9a-f]{64}$/
const HEADER = 'memory-fingerprint 1\n'

/**
 * The name of a canonical state (FMT-10): SHA-256 over a header line and, sorted by path in UTF-16 code units, one line
 * `path NUL length NUL digest LF` a file. The order of `files` does not count.
 * @throws {RangeError} a path named twice, empty or with NUL or LF; a length or digest that is none
 */
export function fingerprint(files: Iterable<FingerprintedFile>): string {
  const lines = new Map<string, string>()
  for (const { path, length, digest } of files) {
    if (path === '' || /[\0\n]/.test(path)) throw new RangeError('Fingerprint: a path is empty or holds NUL or LF.')
    if (lines.has(path)) throw new RangeError('Fingerprint: a file is named twice.')
    if (!Number.isSafeInteger(length) || length < 0) throw new RangeError('Fingerprint: a length is no count of bytes.')
    if (!DIGEST.test(digest)) throw new RangeError('Fingerprint: a digest is not 64 lower-case hex digits.')
    lines.set(path, `${path}\0${length}\0${digest}\n`)
  }
  const sorted = [...lines.keys()].sort().map((path) => lines.get(path))
  return sha256Hex(HEADER + sorted.join(''))
}
