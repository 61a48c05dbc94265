import type { EmbeddingProvider } from '@mono-agent/memory-search'
import type { ChatModel } from './chat/chat-model.js'
import { BujoError } from './errors.js'

/**
 * Harnesses without types hand over anything: what could not work later is told before anything is opened.
 * @param name  of the option, for the message
 * @throws {BujoError} `config_invalid`
 */
export function requireChatModel(name: string, model: ChatModel): void {
  if (isText(read(model, 'id')) && typeof read(model, 'complete') === 'function') return
  throw partInvalid(name, 'an object with `id`, a string, and `complete`, a function that returns `{ text }`')
}

/** @throws {BujoError} `config_invalid` */
export function requireEmbeddings(name: string, provider: EmbeddingProvider): void {
  const identity = read(provider, 'identity')
  const isIdentity =
    ['provider', 'model', 'fingerprint'].every((key) => isText(read(identity, key))) &&
    typeof read(identity, 'dimension') === 'number'
  if (isIdentity && isText(read(provider, 'id')) && typeof read(provider, 'embed') === 'function') return
  throw partInvalid(
    name,
    'an object with `id`, a string, `identity: { provider, model, dimension, fingerprint }`, and `embed`, a function',
  )
}

/** @throws {BujoError} `config_invalid` */
export function requireRoot(root: string): void {
  if (!isText(root)) throw partInvalid('root', 'the folder of the store, a string')
}

const partInvalid = (name: string, what: string): BujoError =>
  new BujoError('config_invalid', `${name}: must be ${what}. Nothing was opened. Mend it.`)

const isText = (value: unknown): boolean => typeof value === 'string' && value !== ''

const read = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined
