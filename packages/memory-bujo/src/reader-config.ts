import { parseMemoryConfig, type MemoryConfig } from './config.js'
import type { HostParts, ReaderOptions } from './types.js'
import { withoutUndefined } from './without-undefined.js'

/** Readers and operators ask no chat model; a configuration of bujo is checked with one that nobody is asked for. */
const NO_MODEL = { provider: 'agent-host', model: 'none' } as const

/** What of a configuration readers and operators need: they get its parts, not the whole block. @throws {BujoError} `config_invalid` */
export function readerConfig(
  options: ReaderOptions,
): Pick<MemoryConfig, 'mode' | 'embeddings' | 'recall' | 'profile' | 'recallTool' | 'maxBytes'> {
  const { path, mode = 'lite', embeddings, recall, profile, recallTool, maxBytes } = options
  return parseMemoryConfig({
    path,
    mode,
    ...(mode === 'bujo' ? { llm: NO_MODEL } : {}),
    ...withoutUndefined({ embeddings, recall, profile, recallTool, maxBytes }),
  }).config
}

/** The injected parts among a reader's options. */
export function hostPartsOf({ fs, now, embed, fetch, env, timeZone }: ReaderOptions): HostParts {
  return withoutUndefined({ fs, now, embed, fetch, env, timeZone })
}
