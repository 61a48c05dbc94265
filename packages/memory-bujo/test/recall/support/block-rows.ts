import { contentHash, type FactLabel, type LabelScope, type MemoryLabel } from '@mono-agent/memory-store'
import type { Calibration, IndexedMemory, RankedMemory } from '@mono-agent/memory-search'
import type { Vantage } from '../../../src/recall/types.js'

/** Of the default model, as the specification gives it (SEA-15). */
export const NOMIC: Calibration = {
  noiseFloor: 0.5,
  automaticFloor: 0.62,
  automaticWindow: 0.04,
  deliberateFloor: 0.65,
  tail: 0.15,
  lexicalWeight: 0,
}

export const vantage = (instant: string, timeZone = 'UTC', intentExpiry = false): Vantage => ({
  at: Date.parse(instant),
  timeZone,
  intentExpiry,
})
export const MAY = vantage('2026-05-20T12:00:00.000Z')

/** An open note of a known conversation, recorded on 2026-05-01; its id is its text where none is given. */
export function memory(fields: Partial<IndexedMemory> & { readonly text: string }): IndexedMemory {
  return {
    id: fields.text,
    file: 'daily/2026-05-01.md',
    position: 1,
    type: 'note',
    status: 'open',
    salience: 0.5,
    isInsight: false,
    createdAt: '2026-05-01T09:00:00.000Z',
    conversationId: 'web:1',
    contentHash: contentHash(fields.text),
    ...fields,
  }
}

/** One without a conversation. */
export function withoutConversation(given: IndexedMemory): IndexedMemory {
  const { conversationId: _left, ...rest } = given
  return rest
}

export const ranked = (score: number, given: IndexedMemory): RankedMemory => ({
  memory: given,
  score,
  parts: { semantic: score, lexical: 0, actor: 0, time: 0, question: 0 },
  holdsAllAnchors: false,
})

/** One that waits for its vector. */
export const rankedByWords = (score: number, given: IndexedMemory): RankedMemory => ({
  ...ranked(score, given),
  parts: { lexical: score, actor: 0, time: 0, question: 0 },
})

export const fact = (fields: Partial<FactLabel> = {}): FactLabel => ({
  kind: 'fact',
  entityId: 'person:ana',
  key: 'home_location',
  value: { type: 'text', text: 'Lund' },
  attribution: 'user-stated',
  ...fields,
})
export const preference = (scope: LabelScope = 'agent', attribution: FactLabel['attribution'] = 'user-stated') =>
  ({ kind: 'preference', scope, attribution }) as const satisfies MemoryLabel
export const lesson = (scope: LabelScope = 'agent', verified = true) =>
  ({ kind: 'lesson', scope, verified }) as const satisfies MemoryLabel
