import { declaredKey, type KeyDeclaration } from '../service/api-key.js'
import { EmbeddingError } from './errors.js'

/**
 * The declared key; undefined if none is declared, which is a service without keys (CFG-2).
 * @throws {EmbeddingError} `embedding_key_missing`: declared, but there is none that can be sent
 */
export function resolveApiKey(
  declaration: KeyDeclaration,
  env: (name: string) => string | undefined,
): string | undefined {
  const found = declaredKey(declaration, env)
  if (found.kind === 'unusable') throw new EmbeddingError('embedding_key_missing', { detail: found.detail })
  return found.kind === 'key' ? found.apiKey : undefined
}
