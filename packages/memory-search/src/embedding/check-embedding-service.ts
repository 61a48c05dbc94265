import { createEmbeddingProvider } from './create-embedding-provider.js'
import { sleepOnTimer } from '../service/deadline.js'
import { withRequestDeadline } from './deadline.js'
import { discoverLmStudio } from './discover-lm-studio.js'
import { discoverOllama } from './discover-ollama.js'
import { PROBE_TEXT } from './embed-texts.js'
import { EmbeddingError, type EmbeddingErrorCode } from './errors.js'
import { isEnglishCentred, MULTILINGUAL_MODELS } from './model-families.js'
import { openAiKey } from './openai.js'
import type { EmbeddingConfig, EmbeddingParts } from './service-config.js'

/** One line of `validate` (OPS-9). */
export interface EmbeddingCheck {
  readonly check: 'discovery' | 'probe' | 'language'
  /** `error`: somebody must mend the configuration. `waiting`: the service must come back, or the key be set. */
  readonly status: 'ok' | 'waiting' | 'error'
  readonly code: EmbeddingErrorCode | 'ok' | 'english_centred'
  /** With the mend, unless it is ok. */
  readonly message: string
}

const DISCOVERIES = {
  ollama: discoverOllama,
  'lm-studio': discoverLmStudio,
  openai: async (config: EmbeddingConfig, parts: EmbeddingParts) =>
    openAiKey(config, parts) === undefined
      ? 'No key is declared, and the endpoint is asked without one'
      : 'The key is set',
} as const

/**
 * Asks the configured service, and no other, what it holds and for one real vector of the configured dimension (OPS-9,
 * CFG-2). What a failed check makes pointless is left out.
 * @throws only the reason of the signal
 */
export async function checkEmbeddingService(
  config: EmbeddingConfig,
  parts: EmbeddingParts,
  options: { readonly signal?: AbortSignal } = {},
): Promise<EmbeddingCheck[]> {
  const { signal } = options
  const sleep = parts.sleep ?? sleepOnTimer
  const discovery = await checked('discovery', signal, () =>
    withRequestDeadline((cancel) => DISCOVERIES[config.provider](config, parts, cancel), { sleep, signal }),
  )
  const checks = [discovery]
  if (discovery.status === 'ok') checks.push(await checked('probe', signal, () => probe(config, parts, signal)))
  if (isEnglishCentred(config.model)) checks.push(englishCentred(config))
  return checks
}

async function probe(config: EmbeddingConfig, parts: EmbeddingParts, signal: AbortSignal | undefined): Promise<string> {
  const provider = createEmbeddingProvider(config, parts)
  await provider.embed([PROBE_TEXT], { kind: 'document', ...(signal === undefined ? {} : { signal }) })
  return `A vector of dimension ${config.dim} came back`
}

async function checked(
  check: EmbeddingCheck['check'],
  signal: AbortSignal | undefined,
  run: () => Promise<string>,
): Promise<EmbeddingCheck> {
  try {
    return { check, status: 'ok', code: 'ok', message: await run() }
  } catch (error) {
    signal?.throwIfAborted()
    if (!(error instanceof EmbeddingError)) throw error
    const { code, message } = error
    return { check, status: isPassing(error) ? 'waiting' : 'error', code, message }
  }
}

/** A key that is declared and not yet set is waited for too (CFG-2). */
function isPassing({ code, concerns }: EmbeddingError): boolean {
  return concerns === 'service' || code === 'embedding_key_missing' || code === 'embedding_invalid'
}

function englishCentred({ provider, model }: EmbeddingConfig): EmbeddingCheck {
  const others = MULTILINGUAL_MODELS[provider].join(', ')
  const message = `${model} was trained on English mostly. If the memories are in other languages, choose a multilingual model and rebuild, such as ${others}.`
  return { check: 'language', status: 'ok', code: 'english_centred', message }
}
