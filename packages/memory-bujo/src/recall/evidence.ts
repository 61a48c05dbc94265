import type { Calibration, RankedMemory } from '@mono-agent/memory-search'

/**
 * What floors, window, tail and median of a calibration are compared with (SEA-15). Beside a strong model it is the score.
 * Beside a weak one a score is on a longer scale, for words count in it as well, while floors are cosines; there it is the
 * cosine and the anchors, which are as exact whatever the model.
 * @returns undefined of a memory that waits for its vector: it was judged by words alone, on yet another scale. It is never
 *   cut and never shown automatically
 */
export function evidenceOf({ score, parts }: RankedMemory, { lexicalWeight }: Calibration): number | undefined {
  if (parts.semantic === undefined) return undefined
  return lexicalWeight === 0 ? score : parts.semantic + (parts.anchors ?? 0)
}
