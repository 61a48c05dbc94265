import { contentHash, normaliseInstant } from '@mono-agent/memory-store'
import type { IndexedMemory } from '@mono-agent/memory-search'
import type { AdmittedMemory, CaptureAction, CaptureTurn, ReconcileDecision, ReconcileEntry } from '../types.js'
import { isIntention, isPreference, mayReplace } from './replaceable.js'
import { isDatedSupersession } from './time.js'

/**
 * What is done for each new memory, by what the model decided and what the host allows (CAP-13 … CAP-18, CAP-24). Texts of
 * decisions are sentences by contract, and those with credentials were taken out (`withoutSecretDecisions`).
 * @param decisions  `index` is the place of an entry; an entry without one is added
 * @throws {RangeError} a target that was not offered for its memory: the contract lets none through
 */
export function planActions(
  entries: readonly ReconcileEntry[],
  decisions: readonly ReconcileDecision[],
  turn: CaptureTurn,
): CaptureAction[] {
  const byPlace = new Map(decisions.map((decision) => [decision.index, decision]))
  return entries.map(({ memory, candidates }, place) => {
    const decision = byPlace.get(place)
    if (decision === undefined || decision.action === 'ADD') return { kind: 'add', memory, threadTo: [] }
    const target = candidates.find(({ alias }) => alias === decision.target)?.memory
    if (target === undefined) throw new RangeError('A decision has a target that was not offered for its memory.')
    switch (decision.action) {
      case 'NOOP':
        return planNoop(memory, target, turn)
      case 'UPDATE':
        return planUpdate(memory, target, decision.text, turn)
      case 'SUPERSEDE':
        return mayReplace(memory, target, turn) ? supersede(memory, target, decision.text) : beside(memory, target)
    }
  })
}

/** An intention whose state or end is another says something new, whatever the model thinks of its words (CAP-24). */
function planNoop(memory: AdmittedMemory, target: IndexedMemory, turn: CaptureTurn): CaptureAction {
  if (target.type !== 'note' || !changesIntention(memory, target)) return { kind: 'noop', memory, target }
  return mayReplace(memory, target, turn) ? supersede(memory, target, memory.text) : beside(memory, target)
}

function planUpdate(memory: AdmittedMemory, target: IndexedMemory, text: string, turn: CaptureTurn): CaptureAction {
  // A task line is a person's: never reworded, and what carries it on is its own note (CAP-18).
  if (target.type === 'task' || !mayReplace(memory, target, turn)) return beside(memory, target)
  const keepsHistory =
    isPreference(target) || isIntention(target) || memory.intentState !== undefined || isDatedSupersession(text, target)
  return keepsHistory ? supersede(memory, target, text) : { kind: 'update', memory, target, text }
}

/** Words that stand there already take the place of nothing: there would be two lines of them, and a younger date (CAP-13). */
function supersede(memory: AdmittedMemory, target: IndexedMemory, text: string): CaptureAction {
  const isSame = target.type !== 'task' && contentHash(text) === target.contentHash
  if (isSame && !changesIntention(memory, target)) return { kind: 'noop', memory, target }
  return { kind: 'supersede', memory: withKeptEnd(memory, target), target, text }
}

const beside = (memory: AdmittedMemory, target: IndexedMemory): CaptureAction => ({
  kind: 'add',
  memory,
  threadTo: [target],
})

function changesIntention({ intentState, status, dueAt }: AdmittedMemory, target: IndexedMemory): boolean {
  if (intentState === undefined) return false
  return status !== target.status || (dueAt !== undefined && !isSameEnd(dueAt, target.dueAt))
}

/** An intention that is told again without its end keeps the one it had (CAP-24). */
function withKeptEnd(memory: AdmittedMemory, { type, dueAt }: IndexedMemory): AdmittedMemory {
  const inherits = memory.intentState !== undefined && memory.dueAt === undefined && type === 'note'
  return inherits && dueAt !== undefined ? { ...memory, dueAt } : memory
}

/** Two spellings of one instant are one end. */
function isSameEnd(one: string, other: string | undefined): boolean {
  return other !== undefined && (normaliseInstant(one) ?? one) === (normaliseInstant(other) ?? other)
}
