import type {
  ExtractedEntity,
  ExtractedLabel,
  ExtractedMemory,
  ExtractedRelation,
  Extraction,
  ReconcileDecision,
  ReconcileEntry,
} from '../types.js'
import type { PlannedExtraction, PlannedMemory } from './attribution.js'
import { entitiesNamedBy } from './prune.js'

/** Whether a text carries a credential. */
export type CredentialDetector = (text: string) => Promise<boolean>

/**
 * Places of the memories that would write a credential (CAP-25): in their text, in a label, in an entity that they name or
 * in a relation that they support. The turn's own text was redacted before; this is for what a model puts together again.
 */
export async function memoriesWithSecrets(
  { memories, entities, relations }: PlannedExtraction,
  holdsCredential: CredentialDetector,
): Promise<ReadonlySet<number>> {
  const detector = oncePerText(holdsCredential)
  const declared = new Map(entities.map((entity) => [entity.id, entity]))
  const found = new Set<number>()
  for (const [place, memory] of memories.entries()) {
    const supported = relations.filter((relation) => relation.memories.includes(place))
    if (await anyHolds(writtenBy(memory, supported, declared), detector)) found.add(place)
  }
  return found
}

/**
 * An extraction without the memories that would write a credential, without relations that they alone support and without
 * entities that hold one: it may be retained as it is. Places move up.
 */
export async function withoutSecretMemories(
  extraction: Extraction,
  holdsCredential: CredentialDetector,
): Promise<{ readonly extraction: Extraction; readonly dropped: number }> {
  const secret = await memoriesWithSecrets(extraction, holdsCredential)
  const kept = extraction.memories.map((_, place) => place).filter((place) => !secret.has(place))
  const newPlace = new Map(kept.map((place, at) => [place, at]))
  const memories = kept.map((place) => extraction.memories[place] as ExtractedMemory)
  const relations = extraction.relations
    .map((relation) => ({ ...relation, memories: relation.memories.flatMap((place) => newPlace.get(place) ?? []) }))
    .filter((relation) => relation.memories.length > 0)
  const left = { ...extraction, memories, relations }
  return { extraction: await withoutSecretEntities(left, holdsCredential), dropped: secret.size }
}

/** No memory that is left names one of those that go. */
async function withoutSecretEntities(extraction: Extraction, holdsCredential: CredentialDetector): Promise<Extraction> {
  const entities: ExtractedEntity[] = []
  for (const entity of extraction.entities) {
    const { id, name, summary = '' } = entity
    if (!(await anyHolds([id, name, summary], holdsCredential))) entities.push(entity)
  }
  return { ...extraction, entities }
}

/** Places, among the entries, of decisions whose replacement text carries a credential: nothing of them is written. */
async function decisionsWithSecrets(
  decisions: readonly ReconcileDecision[],
  holdsCredential: CredentialDetector,
): Promise<ReadonlySet<number>> {
  const found = new Set<number>()
  for (const decision of decisions) {
    if ('text' in decision && (await holdsCredential(decision.text))) found.add(decision.index)
  }
  return found
}

/** Entries and decisions without those that would write a credential; the places of the others move up. */
export async function withoutSecretDecisions(
  entries: readonly ReconcileEntry[],
  decisions: readonly ReconcileDecision[],
  holdsCredential: CredentialDetector,
): Promise<{
  readonly entries: readonly ReconcileEntry[]
  readonly decisions: readonly ReconcileDecision[]
  readonly dropped: number
}> {
  const secret = await decisionsWithSecrets(decisions, holdsCredential)
  const kept = entries.map((_, place) => place).filter((place) => !secret.has(place))
  const newPlace = new Map(kept.map((place, at) => [place, at]))
  return {
    entries: kept.map((place) => entries[place] as ReconcileEntry),
    decisions: decisions.flatMap((decision) => {
      const index = newPlace.get(decision.index)
      return index === undefined ? [] : [{ ...decision, index }]
    }),
    dropped: secret.size,
  }
}

function writtenBy(
  memory: PlannedMemory,
  relations: readonly ExtractedRelation[],
  declared: ReadonlyMap<string, ExtractedEntity>,
): string[] {
  const ids = entitiesNamedBy(memory, relations)
  const named = [...ids].flatMap((id) => {
    const entity = declared.get(id)
    return entity === undefined ? [id] : [id, entity.name, entity.summary ?? '']
  })
  const labels = memory.labels.flatMap((label) => [label.quote, ...textsOfLabel(label)]) // a retained plan keeps quotes
  return [memory.text, memory.quote, ...labels, ...relations.map(({ relation }) => relation), ...named]
}

function textsOfLabel(label: ExtractedLabel): string[] {
  switch (label.kind) {
    case 'fact':
      return [label.key, ...Object.values(label.value)]
    case 'preference':
      return [label.scope]
    case 'lesson':
      return [label.scope, label.tool]
  }
}

async function anyHolds(texts: readonly string[], holdsCredential: CredentialDetector): Promise<boolean> {
  for (const text of texts) if (text !== '' && (await holdsCredential(text))) return true
  return false
}

/** Memories of one turn name the same entities over and over. */
function oncePerText(holdsCredential: CredentialDetector): CredentialDetector {
  const known = new Map<string, boolean>()
  return async (text) => {
    const answer = known.get(text) ?? (await holdsCredential(text))
    known.set(text, answer)
    return answer
  }
}
