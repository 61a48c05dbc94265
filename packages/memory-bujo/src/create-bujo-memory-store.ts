import { guardProvider, type EmbeddingProvider } from '@mono-agent/memory-search'
import { openBuiltInStore } from './built-in-store.js'
import { capturePolicyOf } from './capture/capture-policy.js'
import type { ChatModel } from './chat/chat-model.js'
import { guardChatModel } from './chat/guard-chat-model.js'
import { DEFAULT_LLM_TIMEOUT_MS, parseMemoryConfig, type MemoryConfigInput } from './config.js'
import { BujoError } from './errors.js'
import { completeHost } from './host.js'
import { requireChatModel, requireEmbeddings, requireRoot } from './injected-parts.js'
import { bujoTier } from './tiers/bujo.js'
import type { BuiltInMemoryStore, HostParts } from './types.js'
import { withoutUndefined } from './without-undefined.js'

export interface BujoStoreOptions extends Omit<HostParts, 'embed' | 'chat' | 'fetch' | 'env'> {
  /** Folder of the store, made if it is not there. */
  readonly root: string
  readonly embeddings: EmbeddingProvider
  /** Of the vectors; must be the provider's own. */
  readonly dim: number
  /** Extracts and reviews; reconciles too, unless `reconcileModel` does. */
  readonly llm: ChatModel
  readonly reconcileModel?: ChatModel
  /** Milliseconds that one call of either may take: 1,000 to 600,000, default 60,000 (CAP-23). */
  readonly llmTimeoutMs?: number
  /** Default `capture`. */
  readonly writeMode?: MemoryConfigInput['writeMode']
  /** As in the configuration; with `writeMode: 'capture'` only. */
  readonly capture?: Omit<NonNullable<MemoryConfigInput['capture']>, 'reconcileModel'>
  readonly maxBytes?: number
  /** As in the configuration. */
  readonly recall?: MemoryConfigInput['recall']
  readonly profile?: MemoryConfigInput['profile']
  readonly recallTool?: MemoryConfigInput['recallTool']
  readonly rememberTool?: MemoryConfigInput['rememberTool']
}

/**
 * Opens a bujo store from parts, for harnesses that bring their own models (CFG-6). Everything else is as in
 * `createMemoryStore` with mode `bujo`.
 * @throws {BujoError} `config_invalid`, `outbox_invalid`  @throws {StoreError} `writer_active`, `path_unsafe`, `storage_failed`
 * @throws {SearchError} `configured_identity_mismatch`  @throws {IntakeError} `intake_invalid`
 */
export async function createBujoMemoryStore(options: BujoStoreOptions): Promise<BuiltInMemoryStore> {
  const { root, embeddings, dim, llm, reconcileModel, llmTimeoutMs, ...rest } = options
  const { writeMode = 'capture', capture, maxBytes, recall, profile, recallTool, rememberTool, ...hostParts } = rest
  requireRoot(root)
  requireEmbeddings('embeddings', embeddings)
  requireChatModel('llm', llm)
  if (reconcileModel !== undefined) requireChatModel('reconcileModel', reconcileModel)
  if (embeddings.identity.dimension !== dim) {
    throw new BujoError(
      'config_invalid',
      `dim is ${dim}, but the embedding provider makes vectors of ${embeddings.identity.dimension} dimensions. ` +
        'Nothing was opened. Make them agree.',
    )
  }
  const { config } = parseMemoryConfig({
    mode: 'bujo',
    path: root,
    writeMode,
    embeddings: { dim },
    llm: { provider: 'agent-host', model: llm.id, ...(llmTimeoutMs === undefined ? {} : { timeoutMs: llmTimeoutMs }) },
    ...(capture === undefined ? {} : { capture }),
    ...withoutUndefined({ maxBytes, recall, profile, recallTool, rememberTool }),
  })
  const host = completeHost(hostParts)
  const patience = { timeoutMs: config.llm?.timeoutMs ?? DEFAULT_LLM_TIMEOUT_MS, sleep: host.sleep }
  const settings = {
    writeMode,
    llm: guardChatModel(llm, patience),
    ...(reconcileModel === undefined ? {} : { reconcileModel: guardChatModel(reconcileModel, patience) }),
    policy: capturePolicyOf(config),
  }
  return openBuiltInStore(config, bujoTier(guardProvider(embeddings), settings, host), host)
}
