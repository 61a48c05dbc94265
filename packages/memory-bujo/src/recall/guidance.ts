import {
  logicalConversation,
  type ContextLine,
  type LabelScope,
  type LessonLabel,
  type PreferenceLabel,
  type RecallSection,
} from '@mono-agent/memory-store'
import type { Calibration, IndexedMemory, RankedMemory } from '@mono-agent/memory-search'
import { clearsGuidanceFloor, GUIDANCE_RANKS } from './guidance-floor.js'
import { MAX_LINE_TEXT_BYTES } from './possibly-relevant.js'
import { isStanding, recordedNote } from './recorded-note.js'
import { shownText } from './shown-text.js'
import type { Vantage } from './types.js'

/** Lines of guidance (REC-6). */
export const MAX_GUIDANCE_LINES = 6

const HEADING = 'Preferences & lessons:'

export interface GuidanceRequest {
  /** The direct hits, best first, before anything is cut. */
  readonly ranked: readonly RankedMemory[]
  /** Score of the middle candidate. */
  readonly median?: number | undefined
  readonly calibration: Calibration
  readonly vantage: Vantage
  /** Whose preferences and lessons may be shown. */
  readonly scopes: readonly LabelScope[]
  /** Only these were asked for, so that the floor is not asked. */
  readonly kind?: 'preference' | 'lesson' | undefined
  /** An entity was asked about: no guidance. */
  readonly isAboutEntity?: boolean
}

/** The section "Preferences & lessons" of deliberate recall (REC-6); undefined where nothing is eligible. */
export function guidance(asked: GuidanceRequest): RecallSection | undefined {
  if (asked.isAboutEntity === true) return undefined
  const lines = guidanceLines(asked)
  return lines.length === 0
    ? undefined
    : { kind: 'guidance', text: [HEADING, ...lines.map(({ text }) => text)].join('\n') }
}

/**
 * Preferences and verified lessons that still stand, of the scopes that were given: of the first eight hits those that clear
 * the guidance floor. In the order of scopes, then of hits; at most six, the same content once. Opposites stand together:
 * nobody decides here which of them holds.
 */
export function guidanceLines({
  ranked,
  median,
  calibration,
  vantage,
  scopes,
  kind,
}: Omit<GuidanceRequest, 'isAboutEntity'>): ContextLine[] {
  const eligible = ranked
    .slice(0, GUIDANCE_RANKS)
    .filter((hit) => kind !== undefined || clearsGuidanceFloor(hit, median, calibration))
    .filter(({ memory }) => isStanding(memory, vantage))
    .flatMap(({ memory }) => {
      const label = guidingLabel(memory, scopes, kind)
      return label === undefined ? [] : [{ memory, label }]
    })
    .sort((a, b) => rankOf(a.label.scope) - rankOf(b.label.scope)) // stable: hits stay in order within a scope
  const contents = new Set<string>()
  return eligible
    .filter(({ memory: { contentHash } }) => !contents.has(contentHash) && contents.add(contentHash))
    .slice(0, MAX_GUIDANCE_LINES)
    .map(({ memory, label }) => lineOf(memory, label))
}

type GuidingLabel = PreferenceLabel | LessonLabel

/** Kinds of scopes in the order in which they are shown (REC-6), as a reader is told: an id of one is nobody's business. */
const SCOPES = ['user', 'conversation', 'project', 'agent'] as const
const SCOPE_WORDS = ['this user', 'this conversation', 'this project', 'agent'] as const

const rankOf = (scope: LabelScope): number => SCOPES.findIndex((kind) => scope === kind || scope.startsWith(`${kind}:`))

/** The label that a memory is shown for: of the first scope, a preference before a lesson. */
function guidingLabel(
  { labels = [] }: IndexedMemory,
  scopes: readonly LabelScope[],
  kind: GuidanceRequest['kind'],
): GuidingLabel | undefined {
  return labels
    .filter(
      (label): label is GuidingLabel => label.kind === 'preference' || (label.kind === 'lesson' && label.verified),
    )
    .filter((label) => (kind === undefined || label.kind === kind) && isAmong(label.scope, scopes))
    .sort((a, b) => rankOf(a.scope) - rankOf(b.scope) || (a.kind < b.kind ? 1 : a.kind > b.kind ? -1 : 0))[0]
}

const CONVERSATION = 'conversation:'

/** A conversation is the same one on another day (REC-16). */
function isAmong(scope: LabelScope, scopes: readonly LabelScope[]): boolean {
  const logical = (one: LabelScope): string => (one.startsWith(CONVERSATION) ? logicalConversation(one) : one)
  return scopes.some((given) => logical(given) === logical(scope))
}

function lineOf(memory: IndexedMemory, { kind, scope }: GuidingLabel): ContextLine {
  const words = `${kind} (${SCOPE_WORDS[rankOf(scope)]})`
  const text = `- ${words}: ${shownText(memory.text, MAX_LINE_TEXT_BYTES)} ${recordedNote(memory, [])}`
  return { text, memoryIds: [memory.id] }
}
