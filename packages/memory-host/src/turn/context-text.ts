import type { TurnContextText } from '../types.js'

/** @param parts  each set apart from the next; empty ones are left out */
export function contextText(parts: readonly string[], memoryIds: readonly string[]): TurnContextText {
  const text = joined(parts)
  return {
    text,
    bytes: Buffer.byteLength(text),
    memoryIds,
    appendTo: (message) => (text === '' ? message : joined([message, text])),
  }
}

/** UTF-8 bytes that a part takes up behind another, with what sets it apart. */
export const bytesBehind = (part: string): number => (part === '' ? 0 : Buffer.byteLength(`${APART}${part}`))

const APART = '\n\n'

const joined = (parts: readonly string[]): string => parts.filter((part) => part !== '').join(APART)
