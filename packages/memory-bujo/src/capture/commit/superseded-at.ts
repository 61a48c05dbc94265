import type { Bullet } from '@mono-agent/memory-store'

/**
 * When a memory lost its place: at the instant of what took it, but not before it was recorded itself. A turn may be curated
 * long after its admission, and by then there are memories that are younger than it; a life that ends before it begins would be
 * in no answer of an instant (REC-9).
 * @param at  RFC 3339, UTC, milliseconds, as `createdAt`
 */
export const supersededAt = ({ createdAt }: Pick<Bullet, 'createdAt'>, at: string): string =>
  createdAt > at ? createdAt : at
