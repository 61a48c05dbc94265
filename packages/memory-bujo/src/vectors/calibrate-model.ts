import {
  chooseFloors,
  measureModel,
  shippedCalibration,
  type Calibration,
  type EmbeddingProvider,
} from '@mono-agent/memory-search'

/**
 * What the scores of a model mean (SEA-15): shipped for the default model, else measured with the bundled sentences, some
 * fifteen requests.
 * @throws {EmbeddingError}  @throws the signal's reason
 */
export async function calibrateModel(embed: EmbeddingProvider, signal?: AbortSignal): Promise<Calibration> {
  const shipped = shippedCalibration(embed.identity)
  if (shipped !== undefined) return shipped
  const { calibration, languages } = chooseFloors(await measureModel(embed, signal === undefined ? {} : { signal }))
  return { ...calibration, basis: { source: 'sentences', languages } }
}
