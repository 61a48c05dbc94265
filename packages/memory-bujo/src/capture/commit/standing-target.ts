import { bulletDigest, contentHash, type Bullet } from '@mono-agent/memory-store'
import type { IndexedMemory } from '@mono-agent/memory-search'
import type { EdgeTarget } from './plan-types.js'

/** A memory of the store as its day file holds it. */
export interface FiledBullet {
  readonly file: string
  readonly bullet: Bullet
}

/** What the store holds of the memories that a capture refers to. */
export interface KnownTargets {
  /** By id; absent: its day file does not hold it any more. */
  readonly bullets: ReadonlyMap<string, FiledBullet>
  /** Whether another memory took the place of this one. */
  readonly isSuperseded: (id: string) => boolean
}

/**
 * The line of a target, if it is still what was judged: there, in the same words and state, and nothing took its place. The
 * index and the model saw it a while ago; a person may have changed it since.
 */
export function standingTarget(target: IndexedMemory, known: KnownTargets): FiledBullet | undefined {
  const filed = known.bullets.get(target.id)
  if (filed === undefined || known.isSuperseded(target.id)) return undefined
  const { sentence, status } = filed.bullet
  return contentHash(sentence) === target.contentHash && status === target.status ? filed : undefined
}

/**
 * Whether the edge to a target is still to be written when its plan is carried out, perhaps after a crash: it is what it was
 * when the plan was made, or what the plan itself made of it.
 * @param bullet     as its day file holds it now
 * @param successor  the memory that took its place, if one did
 * @param ownIds     ids of the plan
 */
export function mayLeadTo(
  target: EdgeTarget,
  bullet: Bullet | undefined,
  successor: string | undefined,
  ownIds: ReadonlySet<string>,
): boolean {
  if (bullet === undefined || (successor !== undefined && !ownIds.has(successor))) return false
  const isOurs = target.rev !== undefined && bullet.rev === target.rev
  return isOurs || bulletDigest(bullet) === target.digest
}
