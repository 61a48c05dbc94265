import { bulletDigest, type Bullet } from '../format/bullet.js'
import type { DayDocument } from '../format/daily-file.js'
import type { DayFileDelta } from './day-file-state.js'

/** Bullets that were carried over are the same objects; only others are worth a digest. */
function isSameBullet(a: Bullet, b: Bullet): boolean {
  return a === b || bulletDigest(a) === bulletDigest(b)
}

/** What makes `after` out of `before`, by id, in file order. A bullet that only moved within its file did not change. */
export function dayFileDelta(base: string | undefined, before: DayDocument, after: DayDocument): DayFileDelta {
  const old = new Map(before.bullets.map((bullet) => [bullet.id, bullet]))
  const added: Bullet[] = []
  const changed: Bullet[] = []
  for (const bullet of after.bullets) {
    const earlier = old.get(bullet.id)
    if (earlier === undefined) added.push(bullet)
    else if (!isSameBullet(earlier, bullet)) changed.push(bullet)
    old.delete(bullet.id)
  }
  return { base, added, changed, removed: [...old.keys()] }
}
