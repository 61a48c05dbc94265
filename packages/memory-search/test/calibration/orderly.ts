import { expect } from 'vitest'
import type { Calibration } from '../../src/calibration/calibration.js'

/** What must hold for every calibration, wherever it comes from. */
export function expectOrderly(calibration: Calibration): void {
  for (const value of Object.values(calibration) as number[]) {
    expect(value).toBeGreaterThanOrEqual(0)
    expect(value).toBeLessThanOrEqual(1)
    expect(value).toBe(Math.round(value * 100) / 100)
  }
  expect(calibration.noiseFloor).toBeLessThanOrEqual(calibration.automaticFloor)
  expect(calibration.automaticFloor).toBeLessThanOrEqual(calibration.deliberateFloor)
  expect(calibration.automaticWindow).toBeLessThanOrEqual(calibration.tail)
  expect(calibration.automaticWindow).toBeGreaterThan(0)
}
