import { MemoryError, readTier, type EmbeddingProvider, type StoreTier } from '@mono-agent/memory-bujo'
import { CliError } from '../errors.js'

const NEEDED =
  'The store at --path is a journal or bujo: this needs its embeddings or llm block, which only a configuration has. ' +
  'Nothing was sent. Run the command in the folder of mono-agent.config.json, or name it with --config. ' +
  'If its models are functions of an application, that has to ask.'

/** What a root without a configuration is opened with. */
export type BareRoot =
  | { readonly mode: 'lite' }
  | {
      readonly mode: 'journal' | 'bujo'
      readonly embeddings: { readonly dim: number }
      readonly embed: EmbeddingProvider
      /** Of bujo: nobody knows its chat model, and it is asked for none. */
      readonly llm?: { readonly provider: 'agent-host'; readonly model: 'unknown' }
    }

/**
 * The tier of a root that is named by `--path` alone: what `--mode` says, else what its index was built for, else lite.
 * Which service made the vectors of a journal or bujo is known, but not where it is and with which key: everything that
 * needs no embedding and no chat model works, and what does says `configuration_needed`. No service is ever guessed.
 * @throws {CliError} configuration_needed, tier_unknown  @throws {SearchError}  @throws {StoreError} path_unsafe
 */
export function bareRoot(path: string, asked: string | undefined): BareRoot {
  if (asked === 'lite') return { mode: asked }
  if (path.includes('\0')) return { mode: 'lite' } // no path at all: the schema refuses it
  const found = tierAt(path)
  const tier = found?.identity.tier
  if (found !== undefined && tier !== 'lite' && (asked ?? tier) === tier) return embeddedOf(found)
  if (asked !== undefined) throw configurationNeeded()
  return { mode: 'lite' }
}

/** What only a configuration knows of a store that is named by its path alone. */
export const configurationNeeded = (): CliError => new CliError('configuration_needed', NEEDED)

/** A manifest that cannot be read must not make lite of a journal. */
function tierAt(path: string): StoreTier | undefined {
  try {
    return readTier(path)
  } catch (error) {
    const code = error instanceof MemoryError ? (error.code as string) : undefined
    if (code !== 'manifest_invalid' && code !== 'index_obstructed') throw error
    throw new CliError(
      'tier_unknown',
      'What the store at --path was built for cannot be read from its index. Nothing was opened. ' +
        'Name the configuration with --config, or say --mode lite if it is one.',
      { cause: error },
    )
  }
}

function embeddedOf({ identity }: StoreTier): BareRoot {
  const { tier, provider, model, dimension, fingerprint } = identity
  if (
    tier === 'lite' ||
    provider === undefined ||
    model === undefined ||
    dimension === undefined ||
    fingerprint === undefined
  ) {
    throw configurationNeeded()
  }
  const embed: EmbeddingProvider = {
    id: `${provider}:${model}`,
    identity: { provider, model, dimension, fingerprint },
    embed: (texts) => (texts.length === 0 ? Promise.resolve([]) : Promise.reject(configurationNeeded())),
  }
  const parts = { embeddings: { dim: dimension }, embed }
  return tier === 'journal'
    ? { mode: tier, ...parts }
    : { mode: tier, ...parts, llm: { provider: 'agent-host', model: 'unknown' } }
}
