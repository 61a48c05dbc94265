import { canonicalJson, sha256Hex } from '@mono-agent/memory-store'
import type { EmbeddingIdentity } from './embedding-provider.js'
import { instructionsOf } from './instructions.js'
import type { Instructions } from './model-families.js'
import type { EmbeddingConfig } from './service-config.js'

export interface EmbeddingOrigin {
  readonly provider: string
  readonly model: string
  readonly dimension: number
  /** The prefixes; or, where a host does its own, whatever names what it does to a text. */
  readonly instructions: Instructions | string
}

/** The identity of vectors (SEA-1). Its fingerprint is stored in every index: the recipe never changes. */
export function identityOf({ provider, model, dimension, instructions }: EmbeddingOrigin): EmbeddingIdentity {
  const policy =
    typeof instructions === 'string' ? instructions : { document: instructions.document, query: instructions.query }
  const fingerprint = sha256Hex(canonicalJson({ dimension, instructions: policy, model, provider }))
  return { provider, model, dimension, fingerprint }
}

/** The identity that a provider made from `config` has: what readers and operators compare without a service. */
export function identityOfConfig(
  config: Pick<EmbeddingConfig, 'provider' | 'model' | 'dim' | 'instructions'>,
): EmbeddingIdentity {
  const { provider, model, dim } = config
  return identityOf({ provider, model, dimension: dim, instructions: instructionsOf(model, config.instructions) })
}
