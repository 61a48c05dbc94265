import type { EmbeddingIdentity } from '../embedding/embedding-provider.js'
import { identityOf } from '../embedding/fingerprint.js'
import type { Calibration } from './calibration.js'

/** Calibration of nomic-embed-text v1.5, the default model, as the specification gives it (SEA-15, REC-3, REC-14). */
export const NOMIC_CALIBRATION: Calibration = {
  noiseFloor: 0.5,
  automaticFloor: 0.62,
  automaticWindow: 0.04,
  deliberateFloor: 0.65,
  tail: 0.15,
  lexicalWeight: 0,
}

/** The model's full size; a vector cut shorter has other cosines. */
const NOMIC_DIMENSION = 768

/** The instructions it was trained with (SEA-2); with others, or none, it has other cosines. */
const NOMIC_INSTRUCTIONS = { document: 'search_document: ', query: 'search_query: ' }

/**
 * Version 1.5 under every name it is served by: `nomic-embed-text`, `…:latest`, `…:v1.5`, `…:137m-v1.5-fp16` (Ollama),
 * `text-embedding-nomic-embed-text-v1.5`, `…@q8_0` (LM Studio), `hf.co/nomic-ai/nomic-embed-text-v1.5-GGUF` (either). A
 * bare name is Ollama's, where it means 1.5. Versions 1 and 2 are other models of the same dimension.
 */
const NOMIC_NAME =
  /^(?:hf\.co\/)?(?:nomic-ai\/)?(?:text-embedding-)?nomic-embed-text(?:(?::latest)?|(?::|:137m-|-)v1\.5(?:[-@:.][\w.-]+)*)$/i

/**
 * The calibration that comes with the library, or undefined where the model has to be measured. Found by model name,
 * dimension and instructions, not in a table of fingerprints: the same weights give the same cosines whichever service
 * runs them, and nobody could read or check a table of hashes. That the instructions are those trained with is seen by
 * making the fingerprint they would give, so an identity is all it takes.
 */
export function shippedCalibration(identity: EmbeddingIdentity): Calibration | undefined {
  const { provider, model, dimension } = identity
  if (dimension !== NOMIC_DIMENSION || !NOMIC_NAME.test(model)) return undefined
  const trained = identityOf({ provider, model, dimension, instructions: NOMIC_INSTRUCTIONS })
  return identity.fingerprint === trained.fingerprint ? NOMIC_CALIBRATION : undefined
}
