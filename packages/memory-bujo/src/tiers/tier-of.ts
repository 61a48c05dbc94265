import type { BujoSettings } from '../capture/bujo-settings.js'
import { capturePolicyOf } from '../capture/capture-policy.js'
import { createChatModel, createReconcileModel } from '../chat/create-chat-model.js'
import type { MemoryConfig } from '../config.js'
import { BujoError } from '../errors.js'
import type { Host } from '../host.js'
import { bujoTier } from './bujo.js'
import { embeddingsOf } from './embeddings-of.js'
import { journalTier } from './journal.js'
import { liteTier } from './lite.js'
import type { Tier } from './tier.js'

/** What of a configuration decides on the tier. */
export type TierConfig = Pick<MemoryConfig, 'mode' | 'writeMode' | 'embeddings' | 'llm' | 'capture'>

/**
 * The tier of a configuration; never a smaller one in its place (CFG-1). Nothing is sent to a service yet.
 * @throws {BujoError} `config_invalid`  @throws {EmbeddingError} `embedding_endpoint_invalid`  @throws {ChatError} `chat_endpoint_invalid`
 */
export function tierOf(config: TierConfig, host: Host): Tier {
  const { mode } = config
  if (mode === 'lite') return liteTier(host)
  const embed = embeddingsOf(config, host)
  return mode === 'journal' ? journalTier(embed, host) : bujoTier(embed, bujoSettingsOf(config, host), host)
}

function bujoSettingsOf(config: TierConfig, host: Host): BujoSettings {
  const { writeMode, llm } = config
  if (llm === undefined) {
    throw new BujoError('config_invalid', 'memory.llm: is required in bujo. Nothing was opened. Add the block.')
  }
  const reconcileModel = createReconcileModel(config, host)
  return {
    writeMode,
    llm: createChatModel(llm, host),
    ...(reconcileModel === undefined ? {} : { reconcileModel }),
    policy: capturePolicyOf(config),
  }
}
