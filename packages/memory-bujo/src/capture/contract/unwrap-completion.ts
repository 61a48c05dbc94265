import { MAX_COMPLETION_UNITS } from './bounds.js'
import type { ContractReason } from './contract-error.js'

export type UnwrappedCompletion =
  | { readonly kind: 'answer'; readonly text: string }
  | { readonly kind: 'refused'; readonly reason: Extract<ContractReason, 'too_long' | 'unclosed_wrapper' | 'empty'> }

const THINK = '<think>'
const THINK_END = '</think>'
const FENCE = '```'
const FENCE_START = /^```(?:json)?(?=[ \t\r\n{[])/

/**
 * What a completion says once the wrapping that models add is set aside: one leading `<think>…</think>` block, then one
 * code fence around all the rest, ``` or ```json. Nothing else is tolerated (CAP-6): what is left must be the JSON value.
 */
export function unwrapCompletion(completion: string): UnwrappedCompletion {
  if (completion.length > MAX_COMPLETION_UNITS) return { kind: 'refused', reason: 'too_long' }
  let text = trimJsonSpace(completion)
  if (text.startsWith(THINK)) {
    const end = text.indexOf(THINK_END)
    if (end < 0) return { kind: 'refused', reason: 'unclosed_wrapper' }
    text = trimJsonSpace(text.slice(end + THINK_END.length))
  }
  const fence = FENCE_START.exec(text)?.[0]
  if (fence !== undefined) {
    if (text.length < fence.length + FENCE.length || !text.endsWith(FENCE))
      return { kind: 'refused', reason: 'unclosed_wrapper' }
    text = trimJsonSpace(text.slice(fence.length, -FENCE.length))
  }
  return text === '' ? { kind: 'refused', reason: 'empty' } : { kind: 'answer', text }
}

/** Without the white space of JSON's own grammar at both ends; a scan, as a regular expression is quadratic here. */
function trimJsonSpace(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && isJsonSpace(text.charCodeAt(start))) start++
  while (end > start && isJsonSpace(text.charCodeAt(end - 1))) end--
  return text.slice(start, end)
}

function isJsonSpace(unit: number): boolean {
  return unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09
}
