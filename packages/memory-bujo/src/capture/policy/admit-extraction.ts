import { checkSentence } from '@mono-agent/memory-store'
import type { AdmittedCapture, AdmittedMemory, CapturePolicy, CaptureTurn, DropReason } from '../types.js'
import { boundSource, type PlannedExtraction, type PlannedMemory } from './attribution.js'
import { countDrops } from './drop-counts.js'
import { isBelowFloor } from './floor.js'
import { judgeIntention, type Intention } from './intentions.js'
import { admitLabels, type LabelContext } from './labels.js'
import { entitiesOnTurn, withoutForgedOwner } from './owner.js'
import { pruneGraph } from './prune.js'
import { spokenTexts } from './quotation.js'
import { memoriesWithSecrets, type CredentialDetector } from './secrets.js'
import { historyType } from './tasks.js'
import { withValidity } from './validity.js'

/**
 * What the host makes of a parsed answer: every gate between what a model says and what may be written. In this order:
 *
 * 1. a memory that would write a credential, or is no sentence, goes (CAP-25, FMT-5);
 * 2. its source is bounded by what the host knows of the turn (CAP-9), and one that is then the assistant's and too slight
 *    goes (CAP-11);
 * 3. a task becomes a note (CAP-18), an intention gets its status and end (CAP-24);
 * 4. labels are judged by their quotes and the turn, and get the validity of the memory (CAP-8, CAP-9);
 * 5. relations that speak of the owner need the owner's words; then what no remaining memory names goes.
 *
 * Labels come after the source, since it says who their speaker is; the graph last, since it must know what remains.
 * @param origin  `retained`: a plan of an earlier attempt, which keeps the intentions it proposed (CAP-24)
 */
export async function admitExtraction(
  extraction: PlannedExtraction,
  turn: CaptureTurn,
  policy: CapturePolicy,
  holdsCredential: CredentialDetector,
  origin: 'fresh' | 'retained' = 'fresh',
): Promise<AdmittedCapture> {
  const secret = await memoriesWithSecrets(extraction, holdsCredential)
  const names = new Map(extraction.entities.map(({ id, name }) => [id, name]))
  const context: LabelContext = { turn, spoken: spokenTexts(turn), nameOf: (id) => names.get(id) }
  const honoursIntentions = policy.intentLifecycle || origin === 'retained'
  const memories: AdmittedMemory[] = []
  const drops: DropReason[] = []
  for (const [index, memory] of extraction.memories.entries()) {
    if (secret.has(index)) drops.push('credential')
    else if (checkSentence(memory.text) !== undefined) drops.push('sentence_invalid')
    else {
      const admitted = admitMemory(memory, index, context, honoursIntentions)
      drops.push(...admitted.drops)
      if (admitted.memory !== undefined) memories.push(admitted.memory)
    }
  }
  const { relations, refused } = withoutForgedOwner(supportedBy(memories, extraction), memories, turn)
  drops.push(...Array<DropReason>(refused).fill('label_not_allowed'))
  return { memories, ...pruneGraph(memories, extraction.entities, relations), dropped: countDrops(drops) }
}

/** Relations whose memories are gone are no forgeries: they go without being counted. */
function supportedBy(memories: readonly AdmittedMemory[], { entities, relations }: PlannedExtraction) {
  return pruneGraph(memories, entities, relations).relations
}

function admitMemory(
  memory: PlannedMemory,
  index: number,
  context: LabelContext,
  honoursIntentions: boolean,
): { readonly memory?: AdmittedMemory; readonly drops: readonly DropReason[] } {
  const { turn, spoken } = context
  const bound = boundSource(memory, turn, spoken)
  if (isBelowFloor(memory.salience, bound)) return { drops: ['assistant_floor'] }
  const history = historyType(memory.type)
  const intention = judgeIntention(memory, bound, turn, honoursIntentions)
  const { labels, dropped } = admitLabels(memory, bound, history.mayBeCoarseFact, context)
  const admitted: AdmittedMemory = {
    index,
    type: history.type,
    status: history.status,
    text: memory.text,
    salience: memory.salience,
    ...bound,
    quote: memory.quote,
    entities: entitiesOnTurn(memory.entities, turn),
    labels: withValidity(labels, validityOf(memory, intention)),
    ...(memory.due === undefined ? {} : { dueAt: memory.due }),
    ...lifecycleOf(intention),
  }
  return { memory: admitted, drops: intention.kind === 'refused' ? [...dropped, 'intention_not_allowed'] : dropped }
}

/** Of an intention `validTo` is its end, never its validity; an uncertain one is neither (CAP-24). */
function validityOf({ validFrom, validTo }: PlannedMemory, intention: Intention) {
  const isValidity = intention.kind === 'none' || (intention.kind === 'refused' && !intention.isEndUncertain)
  return {
    ...(validFrom === undefined ? {} : { validFrom }),
    ...(validTo === undefined || !isValidity ? {} : { validTo }),
  }
}

function lifecycleOf(intention: Intention): Partial<AdmittedMemory> {
  if (intention.kind !== 'accepted') return {}
  const { state, status, dueAt } = intention
  return { type: 'note', status, intentState: state, ...(dueAt === undefined ? {} : { dueAt }) }
}
