import { declaredKey, isOpenAiItself, plainEndpoint, type KeyDeclaration } from '@mono-agent/memory-search'
import type { ChatServiceParts } from './chat-source.js'
import { ChatError } from './errors.js'

/** @throws {ChatError} `chat_endpoint_invalid`; the address is not repeated, it may hold a password */
export function chatEndpoint(endpoint: string): string {
  const plain = plainEndpoint(endpoint)
  if (plain === undefined) throw new ChatError('chat_endpoint_invalid')
  return plain
}

/**
 * The key to send to this address; undefined for a service without keys.
 * @throws {ChatError} `chat_key_missing`: declared and not there, or not declared where OpenAI itself is asked
 */
export function chatKey(
  declaration: KeyDeclaration,
  endpoint: string,
  { env }: Pick<ChatServiceParts, 'env'>,
): string | undefined {
  const found = declaredKey(declaration, env)
  if (found.kind === 'key') return found.apiKey
  if (found.kind === 'unusable') throw new ChatError('chat_key_missing', { detail: found.detail })
  if (isOpenAiItself(endpoint)) {
    throw new ChatError('chat_key_missing', { detail: 'neither apiKeyEnv nor apiKey is declared' })
  }
  return undefined
}
