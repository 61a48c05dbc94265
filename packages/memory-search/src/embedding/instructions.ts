import type { EmbeddingKind } from './embedding-provider.js'
import { familyOf, type Instructions } from './model-families.js'

/** What a configuration may say instead of the table; an empty string is "none". */
export type InstructionOverride = { readonly [Kind in EmbeddingKind]?: string | undefined }

/** The instructions of a model (SEA-2): what the configuration says, else its family's, else none. */
export function instructionsOf(model: string, override: InstructionOverride = {}): Instructions {
  const known = familyOf(model)?.instructions
  return {
    document: override.document ?? known?.document ?? '',
    query: override.query ?? known?.query ?? '',
  }
}
