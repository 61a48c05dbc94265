import type { IndexedMemory } from '@mono-agent/memory-search'
import type { FactLabel } from '@mono-agent/memory-store'
import type { PlannedExtraction, PlannedMemory } from '../../../src/capture/policy/attribution.js'
import type { AdmittedMemory, CapturePolicy, CaptureTurn, ExtractedEntity } from '../../../src/capture/types.js'

export const USER_TEXT = 'I prefer green tea. My sister Ana lives in Lund since 2026-05-01.'
export const ANSWER =
  'Noted. The report says that Ana works at Volvo. The build failed, then it went through with --force.'

export const OWNER_TURN: CaptureTurn = {
  id: 'a'.repeat(64),
  admittedAt: '2026-09-08T09:00:00.000Z',
  anchor: '2026-09-08T09:00:00.000Z',
  timeZone: 'Europe/Stockholm',
  text: `${USER_TEXT}\n${ANSWER}`,
  userText: USER_TEXT,
  speakerKind: 'human-turn',
  isOwnerTurn: true,
  senderToken: 'tok1',
  toolOutcomes: [],
  sourceKind: 'conversation',
  conversationId: 'web:1',
}

/** Another verified human. */
export const GUEST_TURN: CaptureTurn = { ...OWNER_TURN, isOwnerTurn: false, senderToken: 'guest' }
/** Nobody vouches for who spoke: the host gives no words of a user. */
export const UNKNOWN_TURN: CaptureTurn = withoutUser('unknown')
export const TRIGGER_TURN: CaptureTurn = { ...withoutUser('trigger'), sourceKind: 'cron' }

function withoutUser(speakerKind: CaptureTurn['speakerKind']): CaptureTurn {
  const { userText: _userText, senderToken: _senderToken, ...turn } = OWNER_TURN
  return { ...turn, speakerKind, isOwnerTurn: false }
}

export const RECOVERED = [
  { category: 'build', outcome: 'failed' },
  { category: 'build', outcome: 'succeeded' },
] as const

export function planned(given: Partial<PlannedMemory> = {}): PlannedMemory {
  return {
    type: 'note',
    text: 'The owner says: I prefer green tea.',
    salience: 0.6,
    source: 'user',
    quote: 'I prefer green tea',
    entities: [],
    labels: [],
    ...given,
  }
}

export function planOf(
  memories: readonly PlannedMemory[],
  graph: Partial<Pick<PlannedExtraction, 'entities' | 'relations'>> = {},
): PlannedExtraction {
  return { memories, entities: [], relations: [], ...graph }
}

export function entity(id: string, name: string, summary?: string): ExtractedEntity {
  return { id, name, type: id.slice(0, id.indexOf(':')), ...(summary === undefined ? {} : { summary }) }
}

export const ANA = entity('person:ana', 'Ana')
export const LUND = entity('place:lund', 'Lund')
export const VOLVO = entity('org:volvo', 'Volvo')

export function admitted(given: Partial<AdmittedMemory> = {}): AdmittedMemory {
  return {
    index: 0,
    type: 'note',
    status: 'open',
    text: 'The owner prefers green tea.',
    salience: 0.6,
    source: 'user',
    quote: 'I prefer green tea',
    attribution: 'user-stated',
    entities: [],
    labels: [],
    ...given,
  }
}

export function stored(given: Partial<IndexedMemory> = {}): IndexedMemory {
  return {
    id: 'm-1',
    file: 'daily/2026-05-01.md',
    position: 0,
    text: 'The owner prefers black tea.',
    type: 'note',
    status: 'open',
    salience: 0.5,
    isInsight: false,
    createdAt: '2026-05-01T09:00:00.000Z',
    contentHash: 'c'.repeat(64),
    ...given,
  }
}

export const POLICY: CapturePolicy = { intentLifecycle: false, language: 'speaker' }

export const noSecrets = (): Promise<boolean> => Promise.resolve(false)
/** A detector for tests: the word stands for a credential. */
export const SECRET = 'hunter2'
export const findsSecret = (text: string): Promise<boolean> => Promise.resolve(text.includes(SECRET))

export const COARSE: FactLabel = { kind: 'fact', entityId: 'person:owner', attribution: 'user-stated' }
