import type { Measurement, PairScores } from './measure.js'
import { median } from './scores.js'

/**
 * A model knows a language if it sets matched pairs apart from unrelated ones at least this share as far as in the
 * language it knows best. Half: in a language it never saw a model reads all sentences as nearly the same one (English
 * models put Thai sentences at cosines of 0.9 and above), which leaves a quarter of the gap or less.
 */
export const SERVED_CONTRAST_SHARE = 0.5

/** How far matched pairs stand above unrelated ones: the difference of their medians, never below 0. */
export const contrast = ({ matched, unrelated }: PairScores): number => Math.max(0, median(matched) - median(unrelated))

/** The languages that the model knows, in the order measured; all of them when it sets pairs apart in none. */
export function servedLanguages({ languages }: Measurement): string[] {
  const contrasts = Object.entries(languages).map(([language, pairs]) => ({ language, gap: contrast(pairs) }))
  const widest = Math.max(0, ...contrasts.map(({ gap }) => gap))
  return contrasts.filter(({ gap }) => gap >= widest * SERVED_CONTRAST_SHARE).map(({ language }) => language)
}
