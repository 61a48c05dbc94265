import type { Calibration } from '../../../src/calibration/calibration.js'
import type { IndexIdentity } from '../../../src/index.js'
import { BUJO } from '../../support/authority.js'
import { LITE } from '../../support/roots.js'
import { coarseVector, JOURNAL, STRONG, WEAK } from '../../support/vectors.js'

// Without anything of the test runner: programs of other processes import it too.

export interface Tier {
  readonly identity: IndexIdentity
  readonly calibration: Calibration
  /** Absent in lite. */
  readonly vectorOf: ((text: string) => Float32Array) | undefined
}

/** A weak model asks for the record before; beside a strong one without a floor words decide nothing. */
export const TIERS = {
  lite: { identity: LITE, calibration: STRONG, vectorOf: undefined },
  journal: { identity: JOURNAL, calibration: { ...WEAK, noiseFloor: 0 }, vectorOf: coarseVector },
  bujo: { identity: BUJO, calibration: { ...STRONG, noiseFloor: 0, lexicalWeight: 0.3 }, vectorOf: coarseVector },
} as const satisfies Record<string, Tier>
export type TierName = keyof typeof TIERS
export const TIER_NAMES = Object.keys(TIERS) as TierName[]
