import { locateRoot, onDisk } from '@mono-agent/memory-store'
import {
  openIndexReader,
  openStoreVectors,
  openWritableIndex,
  proposeCalibration,
  sampleStoreScores,
  type Calibration,
  type CalibrationProposal,
  type EmbeddingProvider,
  type FloorRow,
  type IndexIdentity,
} from '@mono-agent/memory-search'
import { BUJO_ERRORS, BujoError } from '../errors.js'
import { completeHost, type Host } from '../host.js'
import { hostPartsOf, readerConfig } from '../reader-config.js'
import { withStoppedStore } from '../stopped-store.js'
import { recallSettingsOf } from '../recall/recall-settings.js'
import { readingTierOf } from '../tiers/reading.js'
import type { ReaderOptions } from '../types.js'
import { calibrateModel } from '../vectors/calibrate-model.js'
import { checkQuestions, scoreQuestions, type LabelledQuestion } from './score-queries.js'

export type { LabelledQuestion } from './score-queries.js'

/** Vectors of a store that are looked at; what `sampleStoreScores` compares at most. */
const SAMPLED_VECTORS = 2_000

export interface CalibrateOptions extends ReaderOptions {
  /** Labelled queries; without them the store's own memories stand in, and floors err towards silence. */
  readonly queries?: readonly LabelledQuestion[]
  /** Back to what the model gets by itself: what the library ships, or measures with its bundled sentences. */
  readonly reset?: boolean
  /** Puts the proposal into the manifest; needs the stopped store. Default: nothing is written. */
  readonly write?: boolean
  readonly onProgress?: (done: number, total: number) => void
  readonly signal?: AbortSignal
}

export interface CalibrationReport {
  /** `model`: what the model gets by itself. */
  readonly basis: 'queries' | 'pairs' | 'model'
  /** In use until now. */
  readonly present: Calibration
  readonly proposed: Calibration
  /** What floors bring and cost, rising; empty for `model`. */
  readonly table: readonly FloorRow[]
  readonly written: boolean
}

/**
 * Measures what scores mean in this store and proposes floors (OPS-18). Only reads, unless `write` is set.
 * @throws {BujoError} calibration_too_few, calibration_queries_invalid, unsupported_in_tier, root_missing
 * @throws {SearchError} configured_identity_mismatch, manifest_missing  @throws {EmbeddingError}
 * @throws {StoreError} writer_active, with `write` beside a running agent  @throws the signal's reason
 */
export async function calibrateMemory(options: CalibrateOptions): Promise<CalibrationReport> {
  if (options.write === true) return calibrateStopped(options)
  const { path } = options
  const host = completeHost(hostPartsOf(options))
  const { identity, embed } = readingTierOf(readerConfig(options), host)
  requireEmbeddings(embed)
  if (onDisk('look at', path, () => host.fs.lstat(path)) === undefined) {
    throw new BujoError('root_missing', BUJO_ERRORS.root_missing)
  }
  const proposal = await measure({ root: locateRoot(host.fs, path), host, identity, embed }, options)
  return { ...proposal, written: false }
}

/** The lease is taken first: who may not write should not wait for the measurement to hear it. */
function calibrateStopped(options: CalibrateOptions): Promise<CalibrationReport> {
  return withStoppedStore(options, async ({ opened, tier, host }) => {
    const { identity, embed } = tier
    requireEmbeddings(embed)
    const { root, lease } = opened
    const proposal = await measure({ root, host, identity, embed }, options)
    const index = await openWritableIndex({ root, fs: host.fs, lease, identity, now: host.now })
    try {
      await index.setCalibration(proposal.proposed)
    } finally {
      index.close()
    }
    return { ...proposal, written: true }
  })
}

function requireEmbeddings(embed: EmbeddingProvider | undefined): asserts embed is EmbeddingProvider {
  if (embed !== undefined) return
  throw new BujoError('unsupported_in_tier', 'Calibration is of embeddings; lite has none. Nothing was changed.')
}

interface Measured {
  readonly root: string
  readonly host: Host
  readonly identity: IndexIdentity
  readonly embed: EmbeddingProvider
}

async function measure(
  { root, host, identity, embed }: Measured,
  options: CalibrateOptions,
): Promise<Omit<CalibrationReport, 'written'>> {
  const { queries, reset, signal, onProgress } = options
  const { fs, now, timeZone } = host
  const vantage = { at: now(), timeZone, intentExpiry: recallSettingsOf(readerConfig(options)).intentExpiry }
  const index = openIndexReader({ root, fs, identity, now })
  const vectors = openStoreVectors({ root, fs, identity })
  try {
    if (queries !== undefined) checkQuestions(queries, index)
    const present = index.calibration() ?? (await calibrateModel(embed, signal))
    if (reset === true) {
      return { basis: 'model', present, proposed: await calibrateModel(embed, signal), table: [] }
    }
    const sample = vectors.sample(SAMPLED_VECTORS)
    const indexWith = (calibration: Calibration) => openIndexReader({ root, fs, identity, now, calibration })
    const parts = { indexWith, present, embed, sample, vantage, signal, onProgress }
    const samples =
      queries === undefined
        ? ({ basis: 'pairs', store: sampleStoreScores(sample) } as const)
        : ({ basis: 'queries', queries: await scoreQuestions(queries, parts) } as const)
    const proposal = proposeCalibration(samples, present)
    if (proposal.kind === 'too_few') throw tooFew(proposal)
    const { basis, calibration, table } = proposal
    return { basis, present, proposed: { ...calibration, basis: { source: basis } }, table }
  } finally {
    vectors.close()
    index.close()
  }
}

const COUNTED = { random_pairs: 'comparisons of unrelated texts', answerable_queries: 'queries that have an answer' }

function tooFew({ what, found, needed }: Extract<CalibrationProposal, { kind: 'too_few' }>): BujoError {
  const more = what === 'random_pairs' ? 'Let more memories with vectors gather' : 'Label more queries'
  return new BujoError(
    'calibration_too_few',
    `Found ${found} ${COUNTED[what]}; ${needed} are needed. Nothing was written. ${more}.`,
  )
}
