import type { CanonicalWriter } from '../../canonical-writer.js'
import type { FiledBullet } from './standing-target.js'

/** The bullets of these day files as they are now, by id. Within the canonical section. */
export async function readBullets(
  writer: Pick<CanonicalWriter, 'read'>,
  files: Iterable<string>,
): Promise<ReadonlyMap<string, FiledBullet>> {
  const bullets = new Map<string, FiledBullet>()
  for (const file of new Set(files)) {
    for (const bullet of (await writer.read(file))?.document.bullets ?? []) bullets.set(bullet.id, { file, bullet })
  }
  return bullets
}
