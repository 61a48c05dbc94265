import {
  changeBullet,
  contentHash,
  layout,
  type Bullet,
  type GraphLine,
  type MemoryLabel,
  type ReplayEntry,
} from '@mono-agent/memory-store'
import fc from 'fast-check'
import type { Calibration } from '../../src/calibration/calibration.js'
import type { IndexedMemory, SearchIndex } from '../../src/index.js'
import { about, append, BUJO, deltaBytes, entity, graphBytes, put, supersede, terminal } from '../support/authority.js'
import { bullet, type TestRoot } from '../support/roots.js'
import { DAY, newRoot } from '../support/scenario.js'
import { build, drain, hashProvider } from '../support/vectors.js'

/** One thing that happens, at its minute of the day. */
export interface Action {
  readonly kind: 'note' | 'task' | 'supersede' | 'forget'
  readonly words: readonly string[]
  /** Which of the memories there are a supersession or a forgetting is about. */
  readonly pick: number
  readonly conversation: string | undefined
  readonly speaker: string | undefined
  readonly label: 'preference' | 'lesson' | undefined
  readonly isAboutAna: boolean
}

export const WORDS = ['tea', 'green', 'pottery', 'marathon', 'paint', 'Ana', 'INV-7']

export const actions = (conversations: readonly (string | undefined)[]): fc.Arbitrary<Action[]> =>
  fc.array(
    fc.record({
      kind: fc.constantFrom<Action['kind']>('note', 'task', 'task', 'supersede', 'supersede', 'forget'),
      words: fc.subarray(WORDS, { minLength: 1, maxLength: 3 }),
      pick: fc.nat(),
      conversation: fc.constantFrom(...conversations),
      speaker: fc.constantFrom(undefined, 'Ana'),
      label: fc.constantFrom<Action['label'][]>(undefined, 'preference', 'lesson'),
      isAboutAna: fc.boolean(),
    }),
    { minLength: 3, maxLength: 14 },
  )

export const instantOf = (step: number): string => new Date(Date.UTC(2026, 4, 1, 9, step)).toISOString()

/** What there is after some of the actions: day file, graph and lifecycle. */
export interface Written {
  readonly bullets: readonly Bullet[]
  readonly graph: readonly GraphLine[]
  readonly replay: readonly ReplayEntry[]
}

const labelsOf = (label: Action['label']): MemoryLabel[] =>
  label === undefined
    ? []
    : label === 'lesson'
      ? [{ kind: 'lesson', scope: 'agent', verified: true }]
      : [{ kind: 'preference', scope: 'agent', attribution: 'user-stated' }]

/** Begins the ids of what happens; only of that something ends. */
const PREFIX = 'm-'

/** The next state. A supersession or forgetting of nothing that is left is none. */
function step({ bullets, graph, replay }: Written, action: Action, at: string, n: number): Written {
  const fresh = bullet({
    id: `${PREFIX}${String(n).padStart(2, '0')}`,
    sentence: `x${n % 7} ${action.words.join(' ')}`,
    type: action.kind === 'task' ? 'task' : 'note',
    createdAt: at,
    labels: labelsOf(action.label),
    ...(action.conversation === undefined ? {} : { conversationId: action.conversation }),
    ...(action.speaker === undefined ? {} : { speaker: action.speaker }),
  })
  const lines = action.isAboutAna ? [{ ...about(fresh.id, 'person:ana'), createdAt: at }] : []
  const added: Written = { bullets: [...bullets, fresh], graph: [...graph, ...lines], replay }
  if (action.kind === 'note' || action.kind === 'task') return added
  const isForgetting = action.kind === 'forget'
  const ended = new Set(replay.filter((entry) => entry.kind === action.kind.replace('forget', 'terminal')).map(idOf))
  const left = bullets.filter(
    ({ id, status }) => id.startsWith(PREFIX) && !ended.has(id) && (isForgetting || status === 'open'),
  )
  const target = left[action.pick % Math.max(1, left.length)]
  if (target === undefined) return isForgetting ? { bullets, graph, replay } : added
  const status = isForgetting ? 'dropped' : target.type === 'task' ? 'invalidated' : target.status
  const entry = isForgetting ? { ...terminal(target.id), at } : supersede(target.id, fresh.id, at)
  const from = isForgetting ? { bullets, graph } : added
  return {
    bullets: from.bullets.map((one) => (one === target ? changeBullet(one, { status }) : one)),
    graph: from.graph,
    replay: [...replay, entry],
  }
}

const idOf = (entry: ReplayEntry): string => (entry.kind === 'thread' ? entry.from : entry.id)

/** What there is after each of the actions; of the first nothing happened yet. @param before  recorded long before */
export function statesOf(history: readonly Action[], before: readonly Bullet[] = []): Written[] {
  const states: Written[] = [{ bullets: before, graph: [entity('person:ana', 'Ana')], replay: [] }]
  history.forEach((action, at) => states.push(step(states[at] as Written, action, instantOf(at + 1), at + 1)))
  return states
}

export interface Model {
  readonly calibration: Calibration
  readonly vectorOf: (text: string) => Float32Array
}

const open = async (root: TestRoot, { calibration, vectorOf }: Model): Promise<SearchIndex> => {
  await build(root, { identity: BUJO, calibration, embed: hashProvider(vectorOf) })
  return root.open(BUJO)
}

/** An index that was there from the beginning: each change is recorded when it happens. */
export async function followed(states: readonly Written[], model: Model): Promise<SearchIndex> {
  const root = await newRoot()
  const [first, ...rest] = states as [Written, ...Written[]]
  root.write(DAY, first.bullets)
  put(root, layout.graph, graphBytes(first.graph))
  const index = await open(root, model)
  let last = first
  for (const next of rest) {
    root.write(DAY, next.bullets)
    await index.catchUp()
    index.record([], append(root, next.graph.slice(last.graph.length), next.replay.slice(last.replay.length)))
    last = next
  }
  drain(index, model.vectorOf)
  return index
}

/** An index that is built from what there was. */
export async function builtFrom({ bullets, graph, replay }: Written, model: Model): Promise<SearchIndex> {
  const root = await newRoot()
  root.write(DAY, bullets)
  put(root, layout.graph, graphBytes(graph))
  put(root, layout.replayDelta, deltaBytes(replay))
  return open(root, model)
}

export const vectorsOf = (memories: readonly IndexedMemory[], { vectorOf }: Model): Map<string, Float32Array> =>
  new Map(memories.map(({ text }) => [contentHash(text), vectorOf(text)]))
