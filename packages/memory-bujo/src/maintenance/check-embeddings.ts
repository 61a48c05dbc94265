import {
  checkEmbeddingService,
  EmbeddingError,
  isEnglishCentred,
  type EmbeddingConfig,
  type EmbeddingProvider,
} from '@mono-agent/memory-search'
import type { Host } from '../host.js'
import { fine, type ValidationCheck } from './validation.js'

/** Anything will do; it is the only text that is sent. */
const PROBE_TEXT = 'A short sentence to try the model with.'

/**
 * Discovery and a real probe of the configured service (OPS-9), and what is known of the model's languages (CFG-2); of a
 * provider that the host injects only the probe.
 */
export async function checkEmbeddings(
  config: EmbeddingConfig,
  host: Host,
  signal: AbortSignal | undefined,
): Promise<{ readonly service: readonly ValidationCheck[]; readonly language: readonly ValidationCheck[] }> {
  const { env, fetch, monotonicNow, sleep, embed } = host
  const cancel = signal === undefined ? {} : { signal }
  const checks: readonly ValidationCheck[] =
    embed === undefined
      ? await checkEmbeddingService(config, { env, fetch, monotonicNow, sleep }, cancel)
      : [await probe(embed, signal)]
  const warned = checks
    .filter(({ check }) => check === 'language')
    .map((check) => ({ ...check, status: 'note' }) as const)
  return {
    service: checks.filter(({ check }) => check !== 'language'),
    language: warned.length > 0 || isEnglishCentred(config.model) ? warned : [fine('language', NOT_ENGLISH)],
  }
}

const NOT_ENGLISH = 'The model is not known to be English-centred.'

async function probe(embed: EmbeddingProvider, signal: AbortSignal | undefined): Promise<ValidationCheck> {
  try {
    await embed.embed([PROBE_TEXT], { kind: 'document', ...(signal === undefined ? {} : { signal }) })
    return fine('probe', `A vector of dimension ${embed.identity.dimension} came back`)
  } catch (error) {
    signal?.throwIfAborted()
    if (!(error instanceof EmbeddingError)) throw error
    const status = error.concerns === 'configuration' ? 'error' : 'waiting'
    return { check: 'probe', status, code: error.code, message: error.message }
  }
}
