// What the capture scenarios tell a bujo store, step by step, and what the scripted model makes of each turn. One script a
// CRASH_VARIANT; a step is performed at its own instant, so that a verifier can go on with it and get the same bytes.
import { wordOf } from './turns.mjs'

const OPENING = Date.parse('2026-05-01T09:00:00Z')
const MINUTE_MS = 60_000
const YESTERDAY = '2026-04-30T18:00:00.000Z'
const TASKS = 'daily/2026-04-20.md'

/** Texts that share a subject are near to each other, and to nothing else. */
const about = (subject, text) => `${text} (${wordOf(`subject-${subject}`)}).`

const BOAT = about(1, 'My boat lies in Kiel')
const MOVED = about(1, 'My boat lies in Lund')
const SOLD = about(1, 'My boat was sold to Ana')
const LAMP = about(2, 'The lamp in the hall is green')
const SISTER = about(3, 'My sister Ana lives in Oslo')
const CURED = about(3, 'My sister Ana lives in Oslo with two dogs')
const GARAGE = about(4, 'The garage key hangs behind the door')
const SHELF = about(4, 'The garage key lies on the shelf')
const CALL = about(5, 'Call the boatyard')
const CALLED = about(5, 'The boatyard was called and will come')
const TAXES = about(6, 'Send the tax papers')
const PAPERS = about(6, 'The tax papers are complete')
const SHORT = about(7, 'I want short answers in Project Heron')
const SHORTER = about(7, 'I want answers of one line in Project Heron')
const TEA = about(8, 'I like tea without milk')
const TRAIN = about(9, 'I took the train to Bergen')
const FACT = about(10, 'The bins are emptied on Friday')
const PIER = about(11, 'The pier is open')
const SHUT = about(11, 'The pier is shut')
const TIDE = about(12, 'The tide stands at one metre')
const HIGH = about(12, 'The tide stands at two metres')
const BICYCLE = about(13, 'Ana was seen with a red bicycle')

const memory = (text, more = {}) => ({
  type: 'note',
  text,
  salience: 0.7,
  source: 'user',
  entities: [],
  labels: [],
  ...more,
})
const entity = (id, name) => ({ id, name, type: id.split(':')[0] })
const decision = (action, on, text) => ({ action, on, text })

/** A turn in which a person says its memories; `decisions` are theirs, in the same order, where there is something to decide. */
const turn = (run, memories, more = {}) => ({ kind: 'turn', run, memories, decisions: [], ...more })

const saysOfBoat = turn(
  'boat',
  [
    memory(BOAT, { entities: ['thing:boat', 'person:owner'] }),
    memory(GARAGE, { labels: [{ kind: 'fact', entity: 'person:owner', key: 'other:key-place', value: text('door') }] }),
  ],
  {
    entities: [entity('thing:boat', 'Boat')],
    relations: [{ src: 'person:owner', relation: 'owns', dst: 'thing:boat', memories: [0] }],
  },
)

function text(words) {
  return { type: 'text', text: words }
}

const prepared = [{ kind: 'tasks', file: TASKS, tasks: { 'm-task-1': CALL, 'm-task-2': TAXES } }, saysOfBoat]

const capture = [
  turn(
    'sister',
    [
      memory(SISTER, { entities: ['person:ana'] }),
      memory(LAMP),
      memory(SHORT, { labels: [{ kind: 'preference', scope: 'project:heron' }] }),
    ],
    {
      entities: [entity('person:ana', 'Ana')],
      relations: [{ src: 'person:owner', relation: 'has_sister', dst: 'person:ana', memories: [0] }],
    },
  ),
  turn('repeats', [memory(LAMP), memory(GARAGE)]),
  turn('moves', [memory(MOVED, { entities: ['thing:boat'] }), memory(TRAIN, { type: 'event' })], {
    entities: [entity('thing:boat', 'Boat')],
    decisions: [decision('SUPERSEDE', BOAT, MOVED)],
    isWithNext: true,
  }),
  turn('sister again', [memory(about(3, 'Ana, who lives in Oslo, is my sister'))], {
    decisions: [decision('NOOP', SISTER)],
    isWithNext: true,
  }),
  turn('dogs', [memory(CURED, { entities: ['person:ana'] })], {
    entities: [{ ...entity('person:ana', 'Ana'), summary: 'Has two dogs.' }],
    decisions: [decision('UPDATE', SISTER, CURED)],
  }),
  {
    kind: 'edit',
    file: 'daily/2026-05-01.md',
    from: LAMP,
    to: LAMP.replace('green', 'blue'),
  },
  turn('called', [memory(CALLED, { type: 'task' })], { decisions: [decision('SUPERSEDE', CALL, CALLED)] }),
  { kind: 'remember', text: FACT },
  turn('papers', [memory(PAPERS)], { decisions: [decision('UPDATE', TAXES, PAPERS)], isReopened: true }),
  turn('one line', [memory(SHORTER)], { decisions: [decision('SUPERSEDE', SHORT, SHORTER)], isWithNext: true }),
  turn('tea', [memory(TEA)], { prefers: [TEA] }),
  // While the model thinks, a person changes the line that it is asked about.
  turn('key', [memory(SHELF)], {
    decisions: [decision('SUPERSEDE', GARAGE, SHELF)],
    meanwhile: { kind: 'edit', file: 'daily/2026-05-01.md', from: GARAGE, to: GARAGE.replace('hangs', 'hung') },
  }),
  turn('sold', [memory(SOLD, { entities: ['thing:boat', 'person:ana'] }), memory(about(2, 'The lamp was blue'))], {
    entities: [entity('thing:boat', 'Boat'), { ...entity('person:ana', 'Ana'), summary: 'Has two dogs.' }],
    decisions: [
      decision('SUPERSEDE', MOVED, SOLD),
      decision('UPDATE', LAMP.replace('green', 'blue'), about(2, 'The lamp in the hall was blue')),
    ],
    occurredAt: YESTERDAY,
    isReopened: true,
  }),
]

const later = (run, minutes) => ({ kind: 'retry', run, minutes })

/** Waits that an intake keeps between the attempts of a turn: one minute, doubling, at most six hours. */
const BACKOFF_MINUTES = Array.from({ length: 15 }, (_, n) => Math.min(2 ** n, 360))

const failing = [
  turn('moves', [memory(MOVED, { entities: ['thing:boat'] })], {
    entities: [entity('thing:boat', 'Boat')],
    decisions: [decision('SUPERSEDE', BOAT, MOVED)],
    failsForMinutes: 8,
  }),
  turn('lamp', [memory(LAMP)]), // a retained plan keeps nobody else from being captured
  later('moves', 1),
  later('moves', 2),
  later('moves', 4),
  turn('key', [memory(SHELF), memory(TEA)], {
    prefers: [TEA],
    decisions: [decision('SUPERSEDE', GARAGE, SHELF)],
    failsForMinutes: Infinity, // the last attempt adds
  }),
  ...BACKOFF_MINUTES.map((minutes) => later('key', minutes)),
  turn('sold', [memory(SOLD)], { decisions: [decision('SUPERSEDE', MOVED, SOLD)] }),
]

const compaction = [
  { kind: 'full delta' },
  turn('moves', [memory(MOVED)], { decisions: [decision('SUPERSEDE', BOAT, MOVED)] }),
  turn('papers', [memory(PAPERS)], { decisions: [decision('UPDATE', TAXES, PAPERS)] }),
  turn('sold', [memory(SOLD)], { decisions: [decision('SUPERSEDE', MOVED, SOLD)] }),
]

const remembered = (text, more = {}) => ({ kind: 'remember', text, ...more })

const linked = remembered(BICYCLE, { about: 'Ana' })
/** With a turn its vectors are waited for, and the others'. */
const ends = turn('moves', [memory(MOVED)], { decisions: [decision('SUPERSEDE', BOAT, MOVED)] })
const removal = { kind: 'removal', file: 'daily/2026-05-01.md', text: BICYCLE }

/** Notes that are linked and replaced, told again, and written beside a capture. `supersedes` is the text of the target. */
const remember = [
  turn('sister', [memory(SISTER, { entities: ['person:ana'] })], { entities: [entity('person:ana', 'Ana')] }),
  turn('pier', [memory(PIER), memory(TRAIN, { type: 'event' })], { isPeers: true }),
  remembered(TIDE, { replaceable: true }),
  linked,
  remembered(HIGH, { about: 'person:ana', supersedes: TIDE }),
  remembered(HIGH, { about: 'person:ana', supersedes: TIDE }),
  removal,
  turn('lamp', [memory(LAMP, { entities: ['thing:lamp'] })], {
    entities: [entity('thing:lamp', 'Lamp')],
    occurredAt: YESTERDAY, // another day file than the note's: whichever is first, the bytes are the same
    isWithNext: true,
  }),
  remembered(SHUT, { supersedes: PIER }),
  remembered(FACT),
  remembered(FACT, { about: 'Ana', isReopened: true }),
  remembered(TIDE, { supersedes: HIGH }),
  ends,
]

/** What a person does before the recovery: the line of which an edge of the last turn speaks has other words then. */
const EDIT = { kind: 'edit', file: 'daily/2026-05-01.md', from: BOAT, to: BOAT.replace('lies', 'lay') }

const edited = [
  turn('moves', [memory(MOVED, { entities: ['thing:boat'] }), memory(PAPERS)], {
    entities: [entity('thing:boat', 'Boat')],
    decisions: [decision('SUPERSEDE', BOAT, MOVED), decision('UPDATE', TAXES, PAPERS)],
  }),
]

const SCRIPTS = {
  capture: { steps: capture, preparedSteps: 0 },
  failing: { steps: failing, preparedSteps: 0 },
  compaction: { steps: compaction, preparedSteps: 1 },
  remember: { steps: remember, preparedSteps: 0 },
  'remember and remove': { steps: [remember[0], linked, removal, ends], preparedSteps: 1 },
  edited: { steps: edited, preparedSteps: 0 },
  // What may become of it: the edit came after the turn, or before it.
  'edited after': { steps: [...edited, EDIT], preparedSteps: 0 },
  'edited before': { steps: [{ ...EDIT, minutes: 0 }, ...edited], preparedSteps: 0 },
}

export const EDIT_BEFORE_RECOVERY = EDIT

/** @returns `steps`, each with its `at`, epoch milliseconds, and how many of them are `prepared` before recording begins */
export function scriptOf(variant) {
  const { steps, preparedSteps } = SCRIPTS[variant]
  let at = OPENING
  return {
    prepared: prepared.length + preparedSteps,
    steps: [...prepared, ...steps].map((step) => ({ ...step, at: (at += (step.minutes ?? 1) * MINUTE_MS) })),
  }
}

/** What the owner says for one memory. The quote names the turn, so that every request of it does. */
export const quoteOf = ({ run }, { text: words }) => `${words} That is ${wordOf(`run-${run}`)}.`

export function completedTurnOf(step) {
  const userText = step.memories.map((each) => quoteOf(step, each)).join(' ')
  return {
    runId: step.run,
    conversationId: 'web:1',
    speaker: 'Ida',
    summary: userText,
    captureText: `User: ${userText}\nAssistant: Noted.`,
    captureSpeakerKind: 'human-turn',
    captureEvidence: { userText, ownerTurn: step.isPeers !== true },
    ...(step.occurredAt === undefined ? {} : { occurredAt: step.occurredAt }),
  }
}
