import type { Calibration } from '@mono-agent/memory-bujo'

/** The floors of a model on one line; what has not been measured is said. */
export function formatCalibration(calibration: Calibration | undefined): string {
  if (calibration === undefined) return 'none yet; the model is measured before its first vector is made'
  const { noiseFloor, automaticFloor, automaticWindow, deliberateFloor, tail, lexicalWeight } = calibration
  return [
    `noise ${noiseFloor.toFixed(2)}`,
    `automatic ${automaticFloor.toFixed(2)} (window ${automaticWindow.toFixed(2)})`,
    `deliberate ${deliberateFloor.toFixed(2)}`,
    `tail ${tail.toFixed(2)}`,
    `words ${lexicalWeight.toFixed(2)}`,
    basisOf(calibration),
  ].join(', ')
}

function basisOf({ basis }: Calibration): string {
  if (basis === undefined) return 'shipped'
  if (basis.source === 'sentences') return `measured in ${(basis.languages ?? []).join(' ')}`
  return basis.source === 'queries' ? 'by labelled queries' : 'by pairs of memories'
}
