import type { Calibration } from './calibration.js'

/**
 * What holds until a model is calibrated: nobody knows what its cosines mean, so words lead, nothing is shown
 * automatically and nothing is cut.
 */
export const UNCALIBRATED: Calibration = {
  noiseFloor: 0,
  automaticFloor: 1,
  automaticWindow: 0,
  deliberateFloor: 1,
  tail: 1,
  lexicalWeight: 1,
}
