import stringify from 'fast-json-stable-stringify'
import { isWellFormed } from './well-formed.js'

export interface CanonicalJsonOptions {
  /** Refuse strings and keys with lone surrogates instead of writing them as `\udXXX` escapes. Default false. */
  readonly requireWellFormed?: boolean
}

function checkValue(value: unknown, requireWellFormed: boolean): void {
  if (typeof value === 'string') {
    if (requireWellFormed && !isWellFormed(value)) throw new TypeError('Canonical JSON: a string has a lone surrogate.')
  } else if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new TypeError('Canonical JSON has no form for NaN or Infinity.')
  } else if (Array.isArray(value)) {
    for (const item of value) {
      if (item === undefined) throw new TypeError('Canonical JSON has no form for undefined in an array.')
      checkValue(item, requireWellFormed)
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      checkValue(key, requireWellFormed)
      if (item !== undefined) checkValue(item, requireWellFormed)
    }
  } else if (value !== null && typeof value !== 'boolean') {
    throw new TypeError(`Canonical JSON has no form for a ${typeof value}.`)
  }
}

/**
 * JSON with one spelling a value: keys sorted by UTF-16 code unit, no spaces, properties that are undefined left out.
 * `JSON.parse` reads it back as the same value, but that -0 becomes 0.
 * @throws {TypeError} NaN, Infinity, bigint, symbol, function, undefined outside a property; a cycle
 */
export function canonicalJson(value: unknown, { requireWellFormed = false }: CanonicalJsonOptions = {}): string {
  checkValue(value, requireWellFormed)
  return stringify(value)
}
