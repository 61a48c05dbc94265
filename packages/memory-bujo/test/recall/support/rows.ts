import type { FactKey, FactLabel, FactValue } from '@mono-agent/memory-store'
import type { Calibration, IndexedMemory, RankedMemory } from '@mono-agent/memory-search'
import type { Vantage } from '../../../src/recall/types.js'

/** The shipped calibration of the default model: the spec's figures. */
export const STRONG: Calibration = {
  noiseFloor: 0.5,
  automaticFloor: 0.62,
  automaticWindow: 0.04,
  deliberateFloor: 0.65,
  tail: 0.15,
  lexicalWeight: 0,
}
/** As measured for the 512-dimension test model. */
export const WEAK: Calibration = {
  noiseFloor: 0.31,
  automaticFloor: 0.41,
  automaticWindow: 0.06,
  deliberateFloor: 0.55,
  tail: 0.25,
  lexicalWeight: 1,
}

export function rowOf(fields: Partial<IndexedMemory> = {}): IndexedMemory {
  return {
    id: 'm1',
    file: 'daily/2026-05-01.md',
    position: 0,
    text: 'Ana lives in Lund.',
    type: 'note',
    status: 'open',
    salience: 0.5,
    isInsight: false,
    createdAt: '2026-05-01T09:00:00.000Z',
    contentHash: 'a'.repeat(64),
    ...fields,
  }
}

/** @param judged  what differs from a hit that has a vector and no anchors; `semantic` absent: it waits for its vector */
export function hitOf(
  score: number,
  fields: Partial<IndexedMemory> = {},
  judged: { readonly waits?: boolean; readonly holdsAllAnchors?: boolean } = {},
): RankedMemory {
  const parts = { lexical: 0, actor: 0, time: 0, question: 0 }
  return {
    memory: rowOf(fields),
    score,
    parts: judged.waits === true ? { ...parts, lexical: score } : { ...parts, semantic: score },
    holdsAllAnchors: judged.holdsAllAnchors ?? false,
  }
}

export const text = (value: string): FactValue => ({ type: 'text', text: value })

export function factOf(key: FactKey, value: FactValue, fields: Partial<FactLabel> = {}): FactLabel {
  return { kind: 'fact', entityId: 'person:ana', key, value, attribution: 'user-stated', ...fields }
}

export function vantageAt(at: string, timeZone = 'UTC', intentExpiry = false): Vantage {
  return { at: Date.parse(at), timeZone, intentExpiry }
}
