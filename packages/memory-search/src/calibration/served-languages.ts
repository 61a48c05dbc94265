import type { Measurement, PairScores } from './measure.js'
import { median, separation } from './scores.js'

/**
 * A model knows a language only if a matched pair scores above an unrelated one at least this often; chance is 0.5. Of a
 * language it never saw a model reads most sentences as one of a few, so that gaps between medians are accidents.
 */
export const SERVED_SEPARATION = 0.9

/**
 * And only if it sets the two apart at least this share as far as in the language it knows best. One floor serves scores
 * of one scale: an English model may order German pairs well and yet put the unrelated ones at 0.75, above every English
 * answer.
 */
export const SERVED_CONTRAST_SHARE = 0.5

/** How far matched pairs stand above unrelated ones: the difference of their medians, never below 0. */
export const contrast = ({ matched, unrelated }: PairScores): number => Math.max(0, median(matched) - median(unrelated))

/** The languages that the model knows, in the order measured; all of them when it knows none. */
export function servedLanguages({ languages }: Measurement): string[] {
  const ordered = Object.entries(languages)
    .filter(([, { matched, unrelated }]) => separation(matched, unrelated) >= SERVED_SEPARATION)
    .map(([language, pairs]) => ({ language, gap: contrast(pairs) }))
  if (ordered.length === 0) return Object.keys(languages)
  const widest = Math.max(...ordered.map(({ gap }) => gap))
  return ordered.filter(({ gap }) => gap >= widest * SERVED_CONTRAST_SHARE).map(({ language }) => language)
}
