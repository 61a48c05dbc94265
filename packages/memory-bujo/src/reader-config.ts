import { parseMemoryConfig, type MemoryConfig } from './config.js'
import type { HostParts, ReaderOptions } from './types.js'

/** What of a configuration readers and operators need: they get its parts, not the whole block. @throws {BujoError} `config_invalid` */
export function readerConfig({
  path,
  mode = 'lite',
  embeddings,
}: ReaderOptions): Pick<MemoryConfig, 'mode' | 'embeddings'> {
  // They ask no chat model, so they have no `llm` to show: of bujo they need what journal needs.
  const checked = mode === 'bujo' ? 'journal' : mode
  return {
    ...parseMemoryConfig({ path, mode: checked, ...(embeddings === undefined ? {} : { embeddings }) }).config,
    mode,
  }
}

/** The injected parts among a reader's options. */
export function hostPartsOf({ fs, now, embed, fetch, env }: ReaderOptions): HostParts {
  return {
    ...(fs === undefined ? {} : { fs }),
    ...(now === undefined ? {} : { now }),
    ...(embed === undefined ? {} : { embed }),
    ...(fetch === undefined ? {} : { fetch }),
    ...(env === undefined ? {} : { env }),
  }
}
