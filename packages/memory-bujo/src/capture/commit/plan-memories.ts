import {
  bulletDigest,
  canonicalJson,
  changeBullet,
  contentHash,
  MAX_LABELS,
  newBullet,
  type Bullet,
  type DayChange,
  type MemoryLabel,
} from '@mono-agent/memory-store'
import type { AdmittedMemory, CaptureAction, CaptureTurn, DropReason } from '../types.js'
import { memoryId, revOf, spareIdOf } from './ids.js'
import { contributingConversation, provenanceOf } from './provenance.js'
import { standingTarget, type FiledBullet, type KnownTargets } from './standing-target.js'

type ActionOf<Kind extends CaptureAction['kind']> = Extract<CaptureAction, { kind: Kind }>

/** A `set` of a line that stands in `file`. */
export interface PlannedSet {
  readonly file: string
  readonly change: Extract<DayChange, { kind: 'set' }>
}

/** A memory that the capture adds or changes, and the id that it has then. */
export interface StoredMemory {
  readonly memory: AdmittedMemory
  readonly id: string
}

/** A new memory takes the place of `target`. */
export interface Replacement {
  readonly id: string
  readonly target: FiledBullet
}

export interface PlannedMemories {
  readonly added: readonly Bullet[]
  readonly sets: readonly PlannedSet[]
  readonly stored: readonly StoredMemory[]
  readonly replaced: readonly Replacement[]
}

/**
 * The lines that the decisions of a capture come to. One whose target is gone, or is no longer what was judged, is added as
 * a memory of its own, without an edge, and counted (CAP-19): also what needed no line as long as the target said it.
 * @param dropped  gets what is left out
 */
export function planMemories(
  turn: CaptureTurn,
  actions: readonly CaptureAction[],
  known: KnownTargets,
  dropped: DropReason[],
): PlannedMemories {
  const added: Bullet[] = []
  const sets: PlannedSet[] = []
  const stored: StoredMemory[] = []
  const replaced: Replacement[] = []
  const add = (memory: AdmittedMemory, sentence: string): string => {
    const bullet = addedBullet(turn, memory, sentence)
    added.push(bullet)
    stored.push({ memory, id: bullet.id })
    return bullet.id
  }
  for (const action of actions) {
    const { memory } = action
    if (action.kind === 'add') {
      add(memory, memory.text)
      continue
    }
    if (action.target === undefined) continue // an earlier memory of this very turn says it
    const target = standingTarget(action.target, known)
    if (target === undefined) {
      dropped.push('edge_target_gone')
      add(memory, action.kind === 'noop' ? memory.text : action.text)
    } else if (action.kind === 'update') {
      const set = updateOf(turn, action, target)
      if (set === undefined) continue
      sets.push(set)
      stored.push({ memory, id: target.bullet.id })
    } else if (action.kind === 'supersede') {
      replaced.push({ id: add(memory, action.text), target })
      if (target.bullet.type === 'task') sets.push(invalidation(turn, memory, target))
    }
  }
  return { added, sets, stored, replaced }
}

function addedBullet(turn: CaptureTurn, memory: AdmittedMemory, sentence: string): Bullet {
  const { type, status, salience, attribution, labels, dueAt } = memory
  return newBullet({
    ...provenanceOf(turn),
    id: memoryId(turn.id, memory.index),
    sentence,
    type,
    status,
    salience,
    attribution,
    labels,
    ...(dueAt === undefined ? {} : { dueAt }),
  })
}

/** New words come from this turn's conversation; whoever only adds labels changes no words (CAP-20). */
function updateOf(
  turn: CaptureTurn,
  { memory, text }: ActionOf<'update'>,
  { file, bullet }: FiledBullet,
): PlannedSet | undefined {
  const isReworded = contentHash(text) !== contentHash(bullet.sentence)
  const labels = mergeLabels(bullet.labels, memory.labels)
  if (!isReworded && labels === undefined) return undefined // it says all of it already
  const changed = changeBullet(bullet, {
    rev: revOf(turn.id, memory.index),
    ...(isReworded ? { sentence: text, conversationId: contributingConversation(turn) } : {}),
    ...(labels === undefined ? {} : { labels }),
  })
  return setOf(turn, memory, file, bullet, changed)
}

/** The words of a superseded task stay, like all that is history; its state may not go on saying that it is open (CAP-18). */
function invalidation(turn: CaptureTurn, memory: AdmittedMemory, { file, bullet }: FiledBullet): PlannedSet {
  const changed = changeBullet(bullet, { status: 'invalidated', rev: revOf(turn.id, memory.index) })
  return setOf(turn, memory, file, bullet, changed)
}

function setOf(turn: CaptureTurn, memory: AdmittedMemory, file: string, before: Bullet, bullet: Bullet): PlannedSet {
  const spareId = spareIdOf(turn.id, memory.index)
  return { file, change: { kind: 'set', id: before.id, baseDigest: bulletDigest(before), bullet, spareId } }
}

/** Those of the line, then new ones; each once, at most eight. Undefined if none is new. */
function mergeLabels(old: readonly MemoryLabel[], fresh: readonly MemoryLabel[]): readonly MemoryLabel[] | undefined {
  const merged = new Map([...old, ...fresh].map((label) => [canonicalJson(label), label]))
  const labels = [...merged.values()].slice(0, MAX_LABELS)
  return labels.length > old.length ? labels : undefined
}
