import type { IndexedMemory } from '@mono-agent/memory-search'
import type { AdmittedMemory, CapturePolicy, CaptureTurn, ReconcileEntry } from '../../../src/capture/types.js'

export const POLICY: CapturePolicy = { intentLifecycle: false, language: 'speaker' }

const USER =
  'Hi! We moved to Graz last Friday. Lena (our daughter, 14 months) sleeps badly since; please no calls before 9.'

export const TURN: CaptureTurn = {
  id: 'a'.repeat(64),
  admittedAt: '2026-09-08T12:31:07.000Z',
  anchor: '2026-09-08T12:31:05.000Z',
  timeZone: 'Europe/Vienna',
  text: `User: ${USER}\n\nAssistant: Congratulations on the move! I will keep mornings free. The calendar sync failed at first and worked after a new token was set.`,
  userText: USER,
  speakerKind: 'human-turn',
  isOwnerTurn: true,
  toolOutcomes: [
    { category: 'calendar', outcome: 'failed' },
    { category: 'calendar', outcome: 'failed' },
    { category: 'calendar', outcome: 'succeeded' },
  ],
  sourceKind: 'conversation',
  conversationId: 'c-17',
  speaker: 'Marta',
}

/** A turn that somebody else than a human started. */
export function triggered(sourceKind: CaptureTurn['sourceKind']): CaptureTurn {
  const { userText: _userText, speaker: _speaker, ...rest } = TURN
  return { ...rest, sourceKind, speakerKind: 'trigger', isOwnerTurn: false, text: 'The backup finished.' }
}

export const admitted = (fields: Partial<AdmittedMemory> = {}): AdmittedMemory => ({
  index: 2,
  type: 'note',
  status: 'open',
  text: 'Marta and her family moved to Graz on 2026-09-04.',
  salience: 0.8,
  source: 'user',
  quote: 'We moved to Graz last Friday.',
  attribution: 'user-stated',
  entities: ['person:owner'],
  labels: [],
  ...fields,
})

export const stored = (fields: Partial<IndexedMemory> = {}): IndexedMemory => ({
  id: `r-${'b'.repeat(32)}-1`,
  file: 'daily/2025-03-02.md',
  position: 0,
  text: 'Marta lives in Vienna.',
  type: 'note',
  status: 'open',
  salience: 0.7,
  isInsight: false,
  createdAt: '2025-03-01T23:30:00.000Z',
  contentHash: 'c'.repeat(64),
  conversationId: 'secret-conversation',
  speaker: 'secret-speaker',
  ...fields,
})

export const ENTRIES: readonly ReconcileEntry[] = [
  {
    memory: admitted(),
    candidates: [
      { alias: 'm1', memory: stored({ attribution: 'user-stated' }), similarity: 0.83 },
      {
        alias: 'm2',
        memory: stored({
          text: 'Marta prefers no calls before 8.',
          labels: [{ kind: 'preference', scope: 'user:secret-token', attribution: 'user-stated' }],
        }),
      },
    ],
  },
  {
    memory: admitted({ index: 4, text: 'Marta wants no calls before 9.', quote: 'please no calls before 9' }),
    candidates: [],
  },
]
