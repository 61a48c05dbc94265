import { HAS_POSIX_FILES, layout, locateRoot, MemoryError, onDisk } from '@mono-agent/memory-store'
import {
  identityOfConfig,
  readIndexManifest,
  requireNativeModules,
  type Calibration,
  type EmbeddingIdentity,
} from '@mono-agent/memory-search'
import { parseMemoryConfig, type MemoryConfig, type MemoryConfigInput } from '../config.js'
import { completeHost, type Host } from '../host.js'
import { hostPartsOf } from '../reader-config.js'
import type { HostParts, ReaderOptions } from '../types.js'
import { checkCalibration } from './check-calibration.js'
import { checkChat } from './check-chat.js'
import { checkConsolidation } from './check-consolidation.js'
import { checkEmbeddings } from './check-embeddings.js'
import { checkIdentity } from './check-identity.js'
import { checkRootWritable } from './check-root.js'
import { checked, fine, reportOf, sectionOf, type ValidationCheck, type ValidationReport } from './validation.js'

/** What of the block only bujo has; as in the configuration. */
type Curating = Pick<MemoryConfigInput, 'writeMode' | 'llm' | 'capture' | 'consolidation'>

export interface ValidateOptions
  extends ReaderOptions, Curating, Pick<HostParts, 'chat' | 'sleep' | 'monotonicNow' | 'randomBytes'> {
  /** Ends the waiting for a service. */
  readonly signal?: AbortSignal
}

/**
 * Looks at everything a start of this configuration rests on (OPS-9): native modules, index identity, root, embedding
 * service with a real probe, calibration, languages of the model, in bujo the chat model, its contract and the cadence of
 * consolidation, platform. Takes no lease and leaves nothing behind, so it runs beside an agent and before its first start.
 * One short sentence is sent to the configured embedding service, one small turn to the chat model, and nothing elsewhere.
 * @throws {BujoError} config_invalid  @throws the signal's reason
 */
export async function validateMemory(options: ValidateOptions): Promise<ValidationReport> {
  const { path, signal, chat, sleep, monotonicNow, randomBytes } = options
  const host = completeHost({
    ...hostPartsOf(options),
    ...(chat === undefined ? {} : { chat }),
    ...(sleep === undefined ? {} : { sleep }),
    ...(monotonicNow === undefined ? {} : { monotonicNow }),
    ...(randomBytes === undefined ? {} : { randomBytes }),
  })
  const config = configOf(options)
  const { mode, embeddings, llm } = config
  const embedding = embeddings === undefined ? undefined : (host.embed?.identity ?? identityOfConfig(embeddings))
  const identity = { tier: mode, ...embedding }
  const { fs, now } = host
  const sections = [
    sectionOf('native', await checkNativeModules(embedding !== undefined)),
    sectionOf('identity', [await checked('identity', () => checkIdentity({ fs, path, identity, now }))]),
    sectionOf('root', [await checked('root', () => checkRootWritable(fs, path, temporaryNumber(host)))]),
  ]
  if (embeddings !== undefined && embedding !== undefined) {
    const { service, language } = await checkEmbeddings(embeddings, host, signal)
    sections.push(
      sectionOf('service', service),
      sectionOf('calibration', checkCalibration(presentCalibration(host, path, embedding), embedding)),
      sectionOf('language', language),
    )
  }
  if (llm !== undefined) {
    sections.push(
      sectionOf('chat', await checkChat({ ...config, llm }, host, signal)),
      sectionOf('consolidation', [await checkConsolidation(config, now())]),
    )
  }
  return reportOf([...sections, sectionOf('platform', [platformCheck()])])
}

/** @throws {BujoError} `config_invalid` */
function configOf(options: ValidateOptions): MemoryConfig {
  const { path, mode = 'lite', embeddings, writeMode, llm, capture, consolidation } = options
  const given = { embeddings, writeMode, llm, capture, consolidation }
  const blocks = Object.fromEntries(Object.entries(given).filter(([, block]) => block !== undefined))
  return parseMemoryConfig({ path, mode, ...blocks }).config
}

async function checkNativeModules(needsVectors: boolean): Promise<ValidationCheck[]> {
  const sqlite = await checked('better-sqlite3', () => {
    requireNativeModules(false)
    return 'better-sqlite3 works.'
  })
  if (!needsVectors || sqlite.status === 'error') return [sqlite]
  const vectors = await checked('sqlite-vec', () => {
    requireNativeModules(true)
    return 'sqlite-vec works.'
  })
  return [sqlite, vectors]
}

/** Two checks at once must not stumble over each other's file. */
const temporaryNumber = ({ randomBytes }: Host): number => Buffer.from(randomBytes(6)).readUIntBE(0, 6)

/** Of an index that is of this very model; the section of the identity tells of any other. */
function presentCalibration({ fs }: Host, path: string, { fingerprint }: EmbeddingIdentity): Calibration | undefined {
  try {
    if (onDisk('look at', path, () => fs.lstat(path)) === undefined) return undefined
    const manifest = readIndexManifest(fs, locateRoot(fs, path))
    return manifest?.identity.fingerprint === fingerprint ? manifest?.calibration : undefined
  } catch (error) {
    if (error instanceof MemoryError) return undefined // told by the section of the identity, with its mend
    throw error
  }
}

function platformCheck(): ValidationCheck {
  if (HAS_POSIX_FILES) return fine('platform', 'Owners, links and modes are checked, and directories are flushed.')
  const message =
    'This platform has neither POSIX owners and modes nor directory flushes: owners and links are not checked, ' +
    `others may be kept out of ${layout.daily} by the rights of the folder only, and a power loss may undo a new name.`
  return { check: 'platform', status: 'note', code: 'posix_files_missing', message }
}
