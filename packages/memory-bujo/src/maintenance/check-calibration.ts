import { shippedCalibration, type Calibration, type EmbeddingIdentity } from '@mono-agent/memory-search'
import { fine, type ValidationCheck } from './validation.js'

/** From here on words count as much as meaning (SEA-13): the model hardly tells what belongs together. */
const WEAK_LEXICAL_WEIGHT = 1

/** Which floors judge the scores, and what they rest on (SEA-15). @param present  of the manifest, if there is one */
export function checkCalibration(present: Calibration | undefined, identity: EmbeddingIdentity): ValidationCheck[] {
  const used = present ?? shippedCalibration(identity)
  if (used === undefined) {
    const message =
      'The model has not been measured; that is done before its first vector is made. Until then words lead, and nothing is cut.'
    return [note('calibration_pending', message)]
  }
  const { noiseFloor, automaticFloor, deliberateFloor } = used
  const floors = [noiseFloor, automaticFloor, deliberateFloor].map((floor) => floor.toFixed(2)).join(', ')
  const message = `Floors ${floors} (noise, automatic, deliberate), ${basisOf(used)}.`
  const weak = used.lexicalWeight < WEAK_LEXICAL_WEIGHT ? [] : [note('model_weak', WEAK)]
  if (used.basis?.source !== 'pairs') return [fine('calibration', message), ...weak]
  const advice = ' They err towards silence: run `calibrate --queries` with labelled queries, or `calibrate --reset`.'
  return [note('calibration_unlabelled', message + advice), ...weak]
}

const WEAK =
  'The model hardly tells sentences that belong together from others, so words lead. Choose another model if you can, and rebuild.'

const note = (code: string, message: string): ValidationCheck => ({
  check: 'calibration',
  status: 'note',
  code,
  message,
})

function basisOf({ basis }: Calibration): string {
  if (basis === undefined) return 'shipped with the library for this model'
  if (basis.source === 'queries') return 'measured with labelled queries of this store'
  if (basis.source === 'pairs') return 'measured with pairs of memories of this store'
  return `measured with the bundled sentences in ${(basis.languages ?? []).join(', ')}`
}
