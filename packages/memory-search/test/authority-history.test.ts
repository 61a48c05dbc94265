import {
  layout,
  ReplayState,
  type Attribution,
  type GraphLine,
  type MemoryLabel,
  type ReplayEntry,
} from '@mono-agent/memory-store'
import fc from 'fast-check'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  about,
  append,
  BUJO,
  buildBujo,
  compact,
  entity,
  graphBytes,
  put,
  relation,
  supersede,
  terminal,
  thread,
} from './support/authority.js'
import { dump } from './support/dump.js'
import { bullet, type TestRoot } from './support/roots.js'
import { DAY, newRoot } from './support/scenario.js'

const ENTITIES = ['person:ana', 'person:bob', 'org:tea-house']
const MEMORIES = ['m-0', 'm-1', 'm-2', 'm-3', 'm-4', 'm-5', 'm-6']

const instant = fc.integer({ min: 1, max: 9 }).map((day) => `2026-05-0${day}T09:00:00.000Z`)
const entityId = fc.constantFrom(...ENTITIES)
const memoryId = fc.constantFrom(...MEMORIES)
const day = fc.constantFrom(undefined, '2026-05-01', '2026-06-01')

const line: fc.Arbitrary<GraphLine> = fc.oneof(
  fc
    .record({
      id: entityId,
      name: fc.constantFrom('Ana', 'Ána', 'Bob'),
      at: instant,
      summary: fc.option(fc.constant('Drinks tea.')),
    })
    .map(({ id, name, at, summary }) => entity(id, name, { createdAt: at, ...(summary === null ? {} : { summary }) })),
  fc
    .record({
      src: entityId,
      dst: entityId,
      support: fc.uniqueArray(memoryId, { minLength: 1 }),
      at: instant,
      from: day,
      to: day,
    })
    .map(({ src, dst, support, at, from, to }) =>
      relation(src, dst, support, {
        createdAt: at,
        ...(from === undefined ? {} : { validFrom: from }),
        ...(to === undefined ? {} : { validTo: to }),
      }),
    ),
  fc
    .record({
      memory: memoryId,
      id: entityId,
      by: fc.constantFrom<Attribution>('user-stated', 'document'),
      at: instant,
    })
    .map(({ memory, id, by, at }) => ({ ...about(memory, id, by), createdAt: at })),
)
const entry: fc.Arbitrary<ReplayEntry> = fc
  .record({
    kind: fc.constantFrom('thread', 'supersede', 'terminal'),
    id: memoryId,
    other: memoryId,
    at: instant,
    weight: fc.constantFrom(0, 0.25, 1),
  }) // prettier-ignore
  .filter(({ id, other }) => id !== other)
  .map(({ kind, id, other, at, weight }) =>
    kind === 'thread'
      ? { ...thread(id, other, weight), at }
      : kind === 'supersede'
        ? supersede(id, other, at)
        : { ...terminal(id), at },
  )

/** One thing that happens to graph and replay authority. */
const action = fc.record({
  kind: fc.constantFrom(
    'capture',
    'capture',
    'capture',
    'capture',
    'capture',
    'compact',
    'edit',
    'delete-graph',
    'catch-up',
    'reopen',
    'days',
  ),
  /** Of the day file: the memories that are there then, and the day they are said to be recorded. */
  memories: fc.uniqueArray(memoryId),
  recorded: instant,
  lines: fc.array(line, { maxLength: 5 }),
  entries: fc.array(entry, { maxLength: 4 }),
  /** The writer records what it wrote; else it was killed, and the next catch-up finds it. */
  isRecorded: fc.constantFrom(true, true, true, false),
})

/** Every second memory has labels, and every third is of another instant. */
function writeDay(root: TestRoot, ids: readonly string[], recorded: string): void {
  const labels: MemoryLabel[] = [
    { kind: 'preference', scope: 'agent', attribution: 'user-stated' },
    { kind: 'fact', entityId: 'person:ana', attribution: 'user-stated' },
  ]
  root.write(
    DAY,
    ids.map((id, at) =>
      bullet({
        id,
        sentence: `Tea ${id}.`,
        ...(at % 2 === 0 ? { labels } : {}),
        ...(at % 3 === 0 ? { createdAt: recorded } : {}),
      }),
    ),
  )
}

test('rows of graph and lifecycle that followed a history are those that a rebuild makes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 2, maxLength: 15 }), async (history) => {
      const root = await newRoot()
      writeDay(root, MEMORIES, '2026-05-01T09:00:00.000Z')
      await buildBujo(root)
      let index = await root.open(BUJO)
      let graph: GraphLine[] = []
      const state = new ReplayState()
      for (const { kind, lines, entries, isRecorded, memories, recorded } of history) {
        if (kind === 'catch-up') await index.catchUp()
        else if (kind === 'days') {
          writeDay(root, memories, recorded)
          await index.catchUp()
        } else if (kind === 'reopen') {
          index.close()
          index = await root.open(BUJO)
          await index.catchUp()
        } else if (kind === 'edit') {
          graph = [...graph.slice(1), ...lines]
          put(root, layout.graph, graphBytes(graph))
        } else if (kind === 'delete-graph') {
          // An empty one stands for none: a missing file of which there are rows would be a loss.
          graph = []
          put(root, layout.graph, '')
          await index.catchUp()
          rmSync(join(root.path, layout.graph))
        } else {
          const added = kind === 'capture' ? entries.filter((one) => state.add(one) === undefined) : []
          if (kind === 'capture') graph.push(...lines)
          const written = kind === 'capture' ? append(root, lines, added) : compact(root, [...state.entries()])
          if (isRecorded) index.record([], written)
        }
      }
      await index.catchUp()
      expect(index.isStale()).toBe(false)
      index.close()
      const followed = dump(root.path)
      await buildBujo(root)
      expect(followed).toEqual(dump(root.path))
    }),
    { numRuns: 60 },
  )
}, 300_000) // dozens of roots on the real disk: the machine may be busy
