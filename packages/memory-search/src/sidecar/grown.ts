/** Room for this share of what there is, or for this many more, whenever an array grows: a sidecar is compacted before it is full. */
const SLACK_SHARE = 1 / 32
const SLACK = 224

/** Slots to make room for where so many are needed, and more may come. */
export const withRoom = (slots: number): number => slots + Math.max(SLACK, Math.ceil(slots * SLACK_SHARE))

/** Copies an array to the beginning of a larger one. */
export function grown<T extends { set(from: T): void }>(from: T, into: T): T {
  into.set(from)
  return into
}
