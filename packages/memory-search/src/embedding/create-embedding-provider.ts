import { sleepOnTimer } from '../service/deadline.js'
import { completeSource, type CompleteEmbeddingProvider, type Patience } from './complete-source.js'
import { contextLimitOf } from './context-limit.js'
import type { EmbedOptions } from './embedding-provider.js'
import { lmStudioSource } from './lm-studio.js'
import { ollamaSource } from './ollama.js'
import { openAiSource } from './openai.js'
import type { EmbeddingConfig, EmbeddingParts } from './service-config.js'

const SOURCES = { ollama: ollamaSource, 'lm-studio': lmStudioSource, openai: openAiSource } as const

/**
 * The provider that a configuration names; never another one (SEA-4). Nothing is sent yet, and keys are looked up at each
 * request, so that a variable that is set later mends what was missing.
 * @throws {EmbeddingError} `embedding_endpoint_invalid`  @throws {RangeError} `dim` or `contextTokens` out of range
 */
export function createEmbeddingProvider(config: EmbeddingConfig, parts: EmbeddingParts): CompleteEmbeddingProvider {
  checkNumbers(config.dim, config.contextTokens)
  return completeSource(SOURCES[config.provider](config, parts), patienceOf(parts))
}

/** An embedding service of the host's own: what it brings is checked, and waited for, like that of any other. */
export interface HostEmbeddings {
  /** A name for the service, other than the built-in ones. */
  readonly provider: string
  readonly model: string
  readonly dimension: number
  /** What the host does to texts before it embeds them; part of the fingerprint, so change it when that changes. */
  readonly policy?: string
  /** If given, texts are cut to it before the host sees them. From 16. */
  readonly contextTokens?: number
  /** At most 32 texts; one vector each, in order, of any length but zero. An error is taken as an outage. */
  embed(
    texts: readonly string[],
    options: Required<EmbedOptions>,
  ): Promise<readonly (Float32Array | readonly number[])[]>
}

/** @throws {RangeError} `dimension` or `contextTokens` out of range  @throws {TypeError} the name of a built-in service */
export function completeEmbeddingProvider(
  host: HostEmbeddings,
  parts: Pick<EmbeddingParts, 'monotonicNow' | 'sleep'>,
): CompleteEmbeddingProvider {
  const { provider, model, dimension, policy = 'host', contextTokens } = host
  checkNumbers(dimension, contextTokens)
  if (Object.hasOwn(SOURCES, provider))
    throw new TypeError(`The provider name ${provider} is a built-in service's; choose another.`)
  const source = {
    provider,
    model,
    dimension,
    instructions: policy,
    contextLimit: contextTokens === undefined ? undefined : contextLimitOf(model, contextTokens),
    request: host.embed.bind(host),
  }
  return completeSource(source, patienceOf(parts))
}

function patienceOf({ monotonicNow, sleep = sleepOnTimer }: Pick<EmbeddingParts, 'monotonicNow' | 'sleep'>): Patience {
  return { monotonicNow, sleep }
}

function checkNumbers(dimension: number, contextTokens: number | undefined): void {
  if (!Number.isInteger(dimension) || dimension < 1)
    throw new RangeError('An embedding dimension is a whole number from 1.')
  if (contextTokens !== undefined && !(Number.isInteger(contextTokens) && contextTokens >= 16)) {
    throw new RangeError('contextTokens is a whole number from 16.')
  }
}
