import { contentHash, type FactLabel } from '@mono-agent/memory-store'
import type { EmbeddingProvider, IndexedMemory, NearMemory, NewVector, SearchIndex } from '@mono-agent/memory-search'
import { findLive } from './find-live.js'
import { wordingsOf } from '../policy/echo.js'
import type { AdmittedMemory, Candidate, ReconcileEntry } from '../types.js'

/** Memories offered for a new one by their vectors (CAP-14): enough to hold a fact, its correction and their like. */
export const NEAREST_OFFERED = 5
/** How close they must be where the model's scores were not measured yet: the noise floor of the default model (SEA-15). */
export const UNMEASURED_FLOOR = 0.5
/** Memories offered besides, since they are about the same entities (CAP-14). */
export const ABOUT_OFFERED = 3

type CandidateIndex = Pick<
  SearchIndex,
  'findByContentHash' | 'nearest' | 'warmNearest' | 'aboutEntities' | 'calibration'
>

export interface CandidateParts {
  readonly index: CandidateIndex
  readonly embed: EmbeddingProvider
  readonly ensureCalibrated: (signal: AbortSignal) => Promise<void>
}

export interface GatheredCandidates {
  /** Memories whose very words the store, or an earlier memory of this turn, holds already (CAP-13). */
  readonly repeats: readonly { readonly memory: AdmittedMemory; readonly target: IndexedMemory | undefined }[]
  /** Memories that only repeat what memory itself delivered (CAP-28). */
  readonly echoes: readonly AdmittedMemory[]
  /** The others, with what is offered for each; aliases are unique among all. */
  readonly entries: readonly ReconcileEntry[]
  /** Of the words of `entries`, so that they are not embedded again. */
  readonly vectors: readonly NewVector[]
}

/**
 * What the store holds that new memories may be about. Exact repeats and echoes cost neither a vector nor a call.
 * @throws {EmbeddingError}  @throws the signal's reason
 */
export async function gatherCandidates(
  { index, embed, ensureCalibrated }: CandidateParts,
  memories: readonly AdmittedMemory[],
  signal: AbortSignal,
): Promise<GatheredCandidates> {
  const { repeats, echoes, fresh } = sortRepeats(index, memories)
  const texts = fresh.map(({ text }) => text)
  if (texts.length > 0) await ensureCalibrated(signal)
  const vectors = texts.length === 0 ? [] : await embed.embed(texts, { kind: 'document', signal })
  if (texts.length > 0) await index.warmNearest() // in slices: the first question would read all vectors in one go
  const nameOf = aliases()
  const entries = fresh.map((memory, at): ReconcileEntry => {
    const vector = vectors[at]
    return { memory, candidates: vector === undefined ? [] : candidatesOf(index, memory, vector, nameOf) }
  })
  return {
    repeats,
    echoes,
    entries,
    vectors: vectors.map((vector, at) => ({ contentHash: contentHash(texts[at] as string), vector })),
  }
}

function sortRepeats(index: CandidateIndex, memories: readonly AdmittedMemory[]) {
  const repeats: { memory: AdmittedMemory; target: IndexedMemory | undefined }[] = []
  const echoes: AdmittedMemory[] = []
  const fresh: AdmittedMemory[] = []
  const said = new Set<string>()
  for (const memory of memories) {
    const hash = contentHash(memory.text)
    const target = findLive(index, hash)
    if (target !== undefined || said.has(hash)) repeats.push({ memory, target })
    else if ([...wordingsOf(memory.quote)].some((words) => findLive(index, contentHash(words)) !== undefined))
      echoes.push(memory)
    else fresh.push(memory)
    said.add(hash)
  }
  return { repeats, echoes, fresh }
}

function candidatesOf(
  index: CandidateIndex,
  memory: AdmittedMemory,
  vector: Float32Array,
  nameOf: (memory: IndexedMemory) => string,
): Candidate[] {
  const floor = index.calibration()?.noiseFloor ?? UNMEASURED_FLOOR
  const near = index.nearest(vector, { limit: NEAREST_OFFERED, floor })
  const known = new Set(near.map(({ memory: { id } }) => id))
  const about = index
    .aboutEntities(memory.entities, { factKeys: factKeysOf(memory), limit: ABOUT_OFFERED + known.size })
    .filter(({ id }) => !known.has(id))
    .slice(0, ABOUT_OFFERED)
  return [
    ...near.map((found: NearMemory) => ({ alias: nameOf(found.memory), ...found })),
    ...about.map((found) => ({ alias: nameOf(found), memory: found })),
  ]
}

function factKeysOf({ labels }: AdmittedMemory): string[] {
  return labels
    .filter((label): label is FactLabel => label.kind === 'fact')
    .flatMap(({ entityId, key }) => (key === undefined ? [] : [`${entityId} ${key}`]))
}

/** One name a memory, `m1`, `m2`…, in the order in which they are first offered. */
function aliases(): (memory: IndexedMemory) => string {
  const names = new Map<string, string>()
  return ({ id }) => {
    const known = names.get(id)
    if (known !== undefined) return known
    const name = `m${names.size + 1}`
    names.set(id, name)
    return name
  }
}
