import { visit } from 'jsonc-parser'
import { MAX_JSON_DEPTH } from './bounds.js'
import type { ContractReason } from './contract-error.js'

export type StrictJson =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'refused'; readonly reason: Extract<ContractReason, 'not_json' | 'too_deep' | 'duplicate_key'> }

/**
 * Exactly one JSON value of RFC 8259, no deeper than 16, in which no object has a key twice. `JSON.parse` says what JSON
 * is; of two equal keys it silently keeps the last, so the keys are looked through besides.
 */
export function parseStrictJson(text: string): StrictJson {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { kind: 'refused', reason: 'not_json' } // its message quotes the text, so it is not passed on
  }
  const reason = lookThroughKeys(text)
  return reason === undefined ? { kind: 'value', value } : { kind: 'refused', reason }
}

class KeyFault extends Error {
  constructor(readonly reason: 'too_deep' | 'duplicate_key') {
    super(reason)
  }
}

/** Throws out of the visit where something is wrong: it recurses, so nesting must end it before it ends the stack. */
function lookThroughKeys(text: string): KeyFault['reason'] | undefined {
  const open: Set<string>[] = [] // the keys of each object that is open; those of an array stay empty
  const begin = (): void => {
    if (open.push(new Set()) > MAX_JSON_DEPTH) throw new KeyFault('too_deep')
  }
  const end = (): void => void open.pop()
  const onObjectProperty = (key: string): void => {
    const keys = open.at(-1)
    if (keys?.has(key)) throw new KeyFault('duplicate_key')
    keys?.add(key)
  }
  try {
    visit(text, { onObjectBegin: begin, onObjectEnd: end, onArrayBegin: begin, onArrayEnd: end, onObjectProperty })
    return undefined
  } catch (error) {
    if (error instanceof KeyFault) return error.reason
    throw error
  }
}
