import { parseMemoryConfig, type MemoryConfig } from './config.js'
import type { HostParts, ReaderOptions } from './types.js'

/** What of a configuration readers and operators need: they get its parts, not the whole block. @throws {BujoError} `config_invalid` */
export function readerConfig({
  path,
  mode = 'lite',
  embeddings,
}: ReaderOptions): Pick<MemoryConfig, 'mode' | 'embeddings'> {
  return parseMemoryConfig({ path, mode, ...(embeddings === undefined ? {} : { embeddings }) }).config
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
