import { parseInstant, type ContextBlock, type ContextLine } from '@mono-agent/memory-store'
import type { Calibration, IndexedMemory, RankedMemory } from '@mono-agent/memory-search'
import { evidenceOf, roundedEvidence } from './evidence.js'
import { isExpiredIntent } from './intent-expiry.js'
import { isStanding, recordedNote, standingWords } from './recorded-note.js'
import { shownText } from './shown-text.js'
import type { Vantage } from './types.js'

/** Lines of the block (REC-14). */
export const MAX_RELEVANT_LINES = 3
/** UTF-8 bytes of a memory's text in a line (REC-14). */
export const MAX_LINE_TEXT_BYTES = 360

const HEADING = 'Possibly relevant; may be unrelated, verify before use:'

interface Near {
  readonly memory: IndexedMemory
  readonly evidence: number
  readonly stands: boolean
}

/** What automatic context would show, and what decides whether it does. */
export interface RelevantChoice {
  /** The best evidence; below the automatic floor nothing is shown. */
  readonly best: number
  /** In the order in which they are shown. */
  readonly chosen: readonly IndexedMemory[]
}

/**
 * Memories that may have to do with what was said (REC-14): nothing unless the best reaches the automatic floor, and then
 * what is within the window of it, at most three. What still stands is chosen before what was superseded or has ended, the
 * same content once; opposite statements may stand together. Listed as they were recorded, the oldest first.
 * @param ranked  of a hybrid look, without what comes from the same conversation (REC-16); in any order
 */
export function possiblyRelevant(
  ranked: readonly RankedMemory[],
  calibration: Calibration,
  vantage: Vantage,
): ContextBlock | undefined {
  const choice = chooseRelevant(ranked, calibration, vantage)
  if (choice === undefined || choice.best < calibration.automaticFloor) return undefined
  return { kind: 'relevant', heading: HEADING, lines: choice.chosen.map((memory) => lineOf(memory, vantage)) }
}

/** What `possiblyRelevant` shows if the best reaches the floor; undefined where there is nothing to compare with it. */
export function chooseRelevant(
  ranked: readonly RankedMemory[],
  calibration: Calibration,
  vantage: Vantage,
): RelevantChoice | undefined {
  const eligible = ranked.flatMap((hit): Near[] => {
    const evidence = evidenceOf(hit, calibration)
    const { memory } = hit
    if (evidence === undefined || isExpiredIntent(memory, vantage)) return []
    return [{ memory, evidence, stands: isStanding(memory, vantage) }]
  })
  if (eligible.length === 0) return undefined
  const best = Math.max(...eligible.map(({ evidence }) => evidence))
  const near = eligible.filter(({ evidence }) => roundedEvidence(best - evidence) <= calibration.automaticWindow)
  const chosen = eachContentOnce(near.sort(byWorth)).slice(0, MAX_RELEVANT_LINES)
  return { best, chosen: chosen.map(({ memory }) => memory).sort(byRecording) }
}

const byId = (a: IndexedMemory, b: IndexedMemory): number => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)

const byWorth = (a: Near, b: Near): number =>
  Number(b.stands) - Number(a.stands) || b.evidence - a.evidence || byId(a.memory, b.memory)

const byRecording = (a: IndexedMemory, b: IndexedMemory): number =>
  (parseInstant(a.createdAt) ?? 0) - (parseInstant(b.createdAt) ?? 0) || byId(a, b)

function eachContentOnce(near: readonly Near[]): Near[] {
  const seen = new Set<string>()
  return near.filter(({ memory: { contentHash } }) => !seen.has(contentHash) && seen.add(contentHash))
}

function lineOf(memory: IndexedMemory, vantage: Vantage): ContextLine {
  const states = [standingWords(memory, vantage), ...(memory.isInsight ? ['insight'] : [])]
  const text = `- – ${shownText(memory.text, MAX_LINE_TEXT_BYTES)} ${recordedNote(memory, states)}`
  return { text, memoryIds: [memory.id] }
}
