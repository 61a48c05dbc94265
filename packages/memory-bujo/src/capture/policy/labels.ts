import { canonicalJson, MAX_LABELS, type FactKey, type FactLabel, type MemoryLabel } from '@mono-agent/memory-store'
import { OWNER_ENTITY } from '../contract/bounds.js'
import type { CaptureTurn, DropReason, ExtractedLabel } from '../types.js'
import { isOwnersWord, type BoundSource, type PlannedMemory } from './attribution.js'
import { fitsFormat } from './label-format.js'
import { sawRecovery } from './lessons.js'
import { isOthersWord, isQuotedFrom, saysValue, wordsOfValue, type SpokenTexts } from './quotation.js'
import { scopeOf } from './scope.js'

/** Says who spoke, and of whom: has neither key nor value, and takes no part in fact sheets, cards or conflicts (CAP-9). */
export const COARSE_OWNER_FACT: FactLabel = { kind: 'fact', entityId: OWNER_ENTITY, attribution: 'user-stated' }

export interface LabelContext {
  readonly turn: CaptureTurn
  readonly spoken: SpokenTexts
  /** Name of an entity that the answer declares, by its id. */
  readonly nameOf: (entityId: string) => string | undefined
}

export interface AdmittedLabels {
  readonly labels: readonly MemoryLabel[]
  /** One reason for each that was left out. */
  readonly dropped: readonly LabelDrop[]
}

type LabelDrop = Extract<DropReason, 'label_unsupported' | 'label_not_allowed'>

/**
 * The labels that a memory may carry (CAP-8, CAP-9), each once, at most eight. One that is not borne out is dropped, its
 * memory kept.
 * @param mayBeCoarseFact  false for what the model calls a task
 */
export function admitLabels(
  memory: PlannedMemory,
  bound: BoundSource,
  mayBeCoarseFact: boolean,
  context: LabelContext,
): AdmittedLabels {
  const coarse = mayBeCoarseFact && isOwnersWord(bound, context.turn) ? [COARSE_OWNER_FACT] : []
  const labels = new Map<string, MemoryLabel>()
  const dropped: LabelDrop[] = []
  for (const proposed of memory.labels) {
    const label = admitLabel(proposed, memory, bound, context)
    if (typeof label === 'string') dropped.push(label)
    else if (labels.size + coarse.length < MAX_LABELS) labels.set(canonicalJson(label), label)
    else dropped.push('label_unsupported')
  }
  return { labels: [...labels.values(), ...coarse], dropped }
}

function admitLabel(
  proposed: ExtractedLabel,
  memory: PlannedMemory,
  bound: BoundSource,
  context: LabelContext,
): MemoryLabel | LabelDrop {
  if (!isQuotedFrom(bound.source, proposed.quote, context.spoken)) return 'label_unsupported'
  const label = hostLabel(proposed, memory, bound, context)
  return typeof label === 'string' || fitsFormat(label) ? label : 'label_unsupported'
}

function hostLabel(
  proposed: ExtractedLabel,
  memory: PlannedMemory,
  bound: BoundSource,
  context: LabelContext,
): MemoryLabel | LabelDrop {
  const { turn } = context
  const { source, attribution } = bound
  switch (proposed.kind) {
    case 'fact':
      return admitFact(proposed, memory, bound, context)
    case 'preference': {
      const scope = scopeOf(proposed.scope, turn, source === 'user')
      return scope === undefined ? 'label_not_allowed' : { kind: 'preference', scope, attribution }
    }
    case 'lesson': {
      // What a document says of a tool is not what the host saw of it.
      const verified = source !== 'document' && sawRecovery(turn.toolOutcomes, proposed.tool)
      const scope = scopeOf(proposed.scope, turn, source === 'user' || verified)
      return scope === undefined ? 'label_not_allowed' : { kind: 'lesson', scope, verified }
    }
  }
}

function admitFact(
  fact: Extract<ExtractedLabel, { kind: 'fact' }>,
  memory: PlannedMemory,
  bound: BoundSource,
  { turn, spoken, nameOf }: LabelContext,
): FactLabel | LabelDrop {
  const { entity, value } = fact
  const isDeclared = entity === OWNER_ENTITY || nameOf(entity) !== undefined
  if (!isDeclared || !saysValue(value, [fact.quote, memory.text], nameOf)) return 'label_unsupported'
  const words = wordsOfValue(value, nameOf).filter((given) => given !== undefined)
  if (bound.source === 'user' && words.some((given) => isOthersWord(given, spoken))) return 'label_unsupported'
  if (isAboutOwner(fact) && !isOwnersWord(bound, turn)) return 'label_not_allowed'
  return {
    kind: 'fact',
    entityId: entity,
    key: fact.key as FactKey, // `fitsFormat` refuses any other
    value,
    attribution: bound.attribution,
    ...(fact.validFrom === undefined ? {} : { validFrom: fact.validFrom }),
    ...(fact.validTo === undefined ? {} : { validTo: fact.validTo }),
  }
}

/** "Ana's brother is the owner" says as much of the owner as the reverse. */
function isAboutOwner({ entity, value }: Extract<ExtractedLabel, { kind: 'fact' }>): boolean {
  if (entity === OWNER_ENTITY) return true
  if (value.type === 'entity') return value.entityId === OWNER_ENTITY
  return value.type === 'relationship' && value.target === OWNER_ENTITY
}
