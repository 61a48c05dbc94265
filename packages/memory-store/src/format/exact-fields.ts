/** Whether a value of parsed JSON is what one field may hold. */
export type Check = (value: unknown) => boolean
export type Fields = Readonly<Record<string, Check>>

export const matches =
  (pattern: RegExp): Check =>
  (value) =>
    typeof value === 'string' && pattern.test(value)

export const isKind =
  (kind: string): Check =>
  (value) =>
    value === kind

export const isOneOf =
  (values: readonly string[]): Check =>
  (value) =>
    values.includes(value as string)

/** Exactly these fields, no others: what a newer version added is not ours to read in part. */
export function hasFields(value: object, required: Fields, optional: Fields = {}): boolean {
  const given = value as Readonly<Record<string, unknown>>
  return (
    Object.entries(required).every(([name, check]) => Object.hasOwn(given, name) && check(given[name])) &&
    Object.keys(given).every((name) => Object.hasOwn(required, name) || Object.hasOwn(optional, name)) &&
    Object.entries(optional).every(([name, check]) => !Object.hasOwn(given, name) || check(given[name]))
  )
}
