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

const joined = (parts: readonly string[]): string => parts.filter((part) => part !== '').join('\n\n')
