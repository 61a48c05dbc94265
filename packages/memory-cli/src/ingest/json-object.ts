export type ParsedJson =
  | { readonly kind: 'object'; readonly value: Readonly<Record<string, unknown>> }
  | { readonly kind: 'bad'; readonly code: 'not_json' | 'not_an_object' }

/** One JSON object, or the code of what it is instead. */
export function parseJsonObject(text: string): ParsedJson {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { kind: 'bad', code: 'not_json' }
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { kind: 'bad', code: 'not_an_object' }
  return { kind: 'object', value: value as Record<string, unknown> }
}
