/** Copies an array to the beginning of a larger one. */
export function grown<T extends { set(from: T): void }>(from: T, into: T): T {
  into.set(from)
  return into
}
