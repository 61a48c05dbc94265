/** The same object without the keys that have no value: optional keys of our types are absent, never undefined. */
export function withoutUndefined<T extends object>(block: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(block).filter(([, value]) => value !== undefined)) as never
}
