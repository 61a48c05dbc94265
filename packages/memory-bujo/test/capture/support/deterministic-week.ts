import type { CompletedTurn } from '@mono-agent/memory-store'
import type { CaptureStage } from '../../../src/chat/chat-model.js'

export interface ScriptedTurn {
  readonly turn: CompletedTurn
  readonly answers: Readonly<Partial<Record<CaptureStage, unknown>>>
}

const said = (text: string, more: object = {}) => {
  return { type: 'note', text, salience: 0.7, source: 'user', quote: text, entities: [], labels: [], ...more }
}

const answer = (memories: readonly object[], graph: object = {}) => ({
  memories,
  entities: [],
  relations: [],
  ...graph,
})
const keep = (count: number) => ({
  decisions: Array.from({ length: count }, (_, index) => ({ index, action: 'keep' })),
})

function owner(runId: string, userText: string, more: Partial<CompletedTurn> = {}): CompletedTurn {
  return {
    runId,
    conversationId: 'web:1',
    summary: userText,
    captureText: `User: ${userText}\nAssistant: İyi. Noted.`,
    captureSpeakerKind: 'human-turn',
    captureEvidence: { userText, ownerTurn: true, senderToken: 'o1' },
    speaker: 'Ana Öztürk',
    ...more,
  }
}

const HOME = 'I live in Lund near the station.'
const MOVED = 'I live in Malmö near the station.'
const SHIFT = 'Ana starts her shift tomorrow at 07:00.'

/** Every effect of a capture, in an order in which each has something to act on. Plain data: a child process plays it. */
export const DETERMINISTIC_WEEK: readonly ScriptedTurn[] = [
  {
    turn: owner('add', HOME, { occurredAt: '2026-03-29T01:30:00+01:00', timeZone: 'Europe/Stockholm' }),
    answers: {
      extract: answer(
        [
          said(HOME, {
            entities: ['person:owner', 'place:lund'],
            labels: [
              {
                kind: 'fact',
                entity: 'person:owner',
                key: 'home_location',
                value: { type: 'entity', entityId: 'place:lund' },
                quote: HOME,
              },
            ],
          }),
        ],
        {
          entities: [{ id: 'place:lund', name: 'Lund', type: 'place', summary: 'A city.' }],
          relations: [{ src: 'person:owner', relation: 'lives_in', dst: 'place:lund', memories: [0] }],
        },
      ),
      review: keep(1),
    },
  },
  {
    turn: owner('event', SHIFT, { occurredAt: '2026-10-31T23:30:00-07:00', timeZone: 'America/Los_Angeles' }),
    answers: {
      extract: answer([
        said('Ana starts her shift on 2026-11-01 at 07:00.', { type: 'event', quote: SHIFT, due: '2026-11-01' }),
      ]),
      review: { decisions: [{ index: 0, action: 'preference' }] },
    },
  },
  {
    turn: owner('supersede', MOVED),
    answers: {
      extract: answer([said(MOVED)]),
      review: keep(1),
      reconcile: { decisions: [{ index: 0, action: 'SUPERSEDE', target: 'm1', text: MOVED }] },
    },
  },
  { turn: owner('repeat', MOVED), answers: { extract: answer([said(MOVED)]), review: keep(1) } },
  {
    turn: owner('update', 'I live in Malmö near the station in a flat.'),
    answers: {
      extract: answer([said('I live in Malmö near the station in a flat.')]),
      review: keep(1),
      reconcile: {
        decisions: [{ index: 0, action: 'UPDATE', target: 'm1', text: 'I live in a flat in Malmö near the station.' }],
      },
    },
  },
  {
    turn: owner('many', 'Я купил велосипед. 我对花生过敏。 Ich trinke grünen Tee.', { timeZone: 'Asia/Kathmandu' }),
    answers: {
      extract: answer([
        said('Я купил велосипед.'),
        said('我对花生过敏。', { type: 'task' }),
        said('Ich trinke grünen Tee.', {
          labels: [{ kind: 'preference', scope: 'agent', quote: 'Ich trinke grünen Tee.' }],
        }),
      ]),
      review: keep(2),
    },
  },
  {
    turn: {
      runId: 'cron',
      conversationId: 'cron:1',
      summary: 'The backup of the flat was made.',
      source: { kind: 'cron' },
    },
    answers: {
      extract: answer([said('The backup of the flat was made.', { source: 'assistant' })]),
      review: keep(1),
    },
  },
  {
    turn: owner('failing', 'I play the oud.'),
    answers: { extract: answer([said('I play the oud.')]), review: 'none' },
  },
]
