import { sha256Hex, type Bullet } from '@mono-agent/memory-store'
import type { IndexIdentity } from '../../../src/index.js'
import { bullet } from '../../support/roots.js'
import { JOURNAL, STRONG, unit } from '../../support/vectors.js'
import { normals, seeded } from '../vectors/vectors.js'
import { instantOf } from './stories.js'
import type { Tier } from './tiers.js'

/** Of the goals (SEA-18). */
export const DIMENSION = 768

export const WIDE_JOURNAL: IndexIdentity = {
  ...JOURNAL,
  model: 'clusters',
  dimension: DIMENSION,
  fingerprint: 'clusters-768',
}

const CLUSTERS = 60
const VOCABULARY = 400

/**
 * Vectors as models make them: with a mean that is not zero, and in clusters of which a few hold most of them. Two of a cluster
 * have a cosine of about .65, any other two of about .35.
 */
const seedOf = (text: string): number => Number.parseInt(sha256Hex(text).slice(0, 8), 16)
const direction = (seed: number): Float32Array => {
  const next = normals(seed)
  return unit(Array.from({ length: DIMENSION }, next))
}
const MEAN = direction(1)
const centres = Array.from({ length: CLUSTERS }, (_, at) => direction(100 + at))

/** The first word of a text says of which cluster it is. */
export function clusteredVector(text: string): Float32Array {
  const centre = centres[Number(/^topic(\d+)/.exec(text)?.[1] ?? 0) % CLUSTERS] as Float32Array
  const own = direction(seedOf(text))
  return unit(Array.from(own, (value, at) => 0.6 * value + 0.6 * (MEAN[at] as number) + 0.55 * (centre[at] as number)))
}

/** A number from 0, the low ones far more often, as words and topics are. */
const zipf = (next: () => number, count: number): number => Math.floor(count ** next()) - 1

/** A sentence of some topic. */
export function sentenceOf(seed: number): string {
  const next = seeded(seed)
  const words = Array.from({ length: 4 + Math.floor(next() * 8) }, () => `word${zipf(next, VOCABULARY)}`)
  return [`topic${zipf(next, CLUSTERS)}`, ...words].join(' ')
}

/** Records of these numbers, of all that records can have. */
export const recordsOf = (from: number, count: number): Bullet[] =>
  Array.from({ length: count }, (_, n) => {
    const at = from + n
    return bullet({
      id: `m-${String((at * 7_919) % 100_000).padStart(5, '0')}`,
      sentence: sentenceOf(at),
      createdAt: instantOf(1 + (at % 4), at % 60),
      ...(at % 3 === 0 ? { speaker: at % 2 === 0 ? 'Ana' : 'Bob Marsh' } : {}),
      ...(at % 4 === 0 ? {} : { conversationId: `c-${at % 40}` }),
      ...(at % 20 === 0 ? { labels: [{ kind: 'lesson' as const, scope: 'agent' as const, verified: true }] } : {}),
    })
  })

export const LARGE: Tier = {
  identity: WIDE_JOURNAL,
  calibration: { ...STRONG, noiseFloor: 0 },
  vectorOf: clusteredVector,
}
