import { EmbeddingError } from './errors.js'

export interface KeyDeclaration {
  /** Preferred: the name of an environment variable. */
  readonly apiKeyEnv?: string | undefined
  readonly apiKey?: string | undefined
}

/** What a header may hold: anything else would make `fetch` fail with the key in its message. */
const SENDABLE = /^[\x21-\x7e]+$/

/**
 * The declared key; undefined if none is declared, which is a service without keys (CFG-2).
 * @throws {EmbeddingError} `embedding_key_missing`: declared, but there is none that can be sent
 */
export function resolveApiKey(
  { apiKeyEnv, apiKey }: KeyDeclaration,
  env: (name: string) => string | undefined,
): string | undefined {
  if (apiKeyEnv === undefined && apiKey === undefined) return undefined
  const key = (apiKeyEnv === undefined ? apiKey : env(apiKeyEnv))?.trim() ?? ''
  const source = apiKeyEnv === undefined ? 'apiKey' : apiKeyEnv
  if (key === '') throw new EmbeddingError('embedding_key_missing', { detail: `${source} is empty` })
  if (!SENDABLE.test(key)) {
    throw new EmbeddingError('embedding_key_missing', { detail: `${source} holds characters that no header may` })
  }
  return key
}
