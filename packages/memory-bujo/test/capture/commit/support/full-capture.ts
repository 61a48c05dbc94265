import type { GraphLine, ReplayEntry } from '@mono-agent/memory-store'
import { add, decided, indexed, memory, noop, oldBullet, supersede, update, YESTERDAY } from './captures.js'
import type { Seed } from './commit-root.js'

const AT = '2026-05-01T09:00:00.000Z'
export const OLDER = 'daily/2026-04-01.md'
export const [note, task, fact, other, said] = [
  oldBullet('m-note', 'Morgan likes tea.'),
  oldBullet('m-task', 'Call Ana.', { type: 'task' }),
  oldBullet('m-fact', 'Ana lives in Porto.'),
  oldBullet('m-other', 'Ana paints.'),
  oldBullet('m-said', 'Known already.'),
]
const graph: readonly GraphLine[] = [
  { kind: 'entity', id: 'person:ana', name: 'Ana', type: 'person', createdAt: AT },
  { kind: 'association', memoryId: 'm-fact', entityId: 'person:ana', provenance: 'user-stated', createdAt: AT },
]
const authority = { kind: 'capture', digest: 'a'.repeat(64) } as const
const delta: readonly ReplayEntry[] = [{ kind: 'thread', from: 'm-other', to: 'm-fact', weight: 1, at: AT, authority }]

export const seed: Seed = { days: { [YESTERDAY]: [note, fact, other, said], [OLDER]: [task] }, graph, delta }

/** Every kind of effect: ADD, UPDATE, SUPERSEDE of a note and of a task, a thread, NOOP, graph, labels. */
export const capture = decided(
  [
    add(
      memory(0, 'Morgan paints too.', {
        entities: ['person:owner'],
        labels: [{ kind: 'preference', scope: 'agent', attribution: 'user-stated' }],
      }),
      indexed(other),
    ),
    update(memory(1, 'x', { entities: ['drink:tea'] }), indexed(note), 'Morgan likes green tea.'),
    supersede(memory(2, 'Ana lives in Lisbon.', { entities: ['person:ana', 'place:lisbon'] }), indexed(fact)),
    supersede(memory(3, 'Ana was called.', { entities: ['person:ana'] }), indexed(task, OLDER)),
    noop(memory(4, 'Known already.'), indexed(said)),
  ],
  {
    entities: [
      { id: 'person:ana', name: 'Ana', type: 'person', summary: 'A painter.' },
      { id: 'place:lisbon', name: 'Lisbon', type: 'place' },
      { id: 'drink:tea', name: 'Tea', type: 'drink' },
    ],
    relations: [{ src: 'person:ana', relation: 'lives in', dst: 'place:lisbon', memories: [2] }],
    dropped: { echo: 1 },
  },
)
