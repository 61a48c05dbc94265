import fc from 'fast-check'
import type { GraphLine, ReplayEntry } from '../../src/index.js'
import { sentences } from './arbitraries.js'

const instants = fc.constantFrom('2026-05-01T09:00:00.000Z', '2026-05-02T09:00:00.000Z', '1999-12-31T23:59:59.999Z')
const days = fc.constantFrom('2024-02-29', '2026-05-01', '2026-05-01T09:00:00.000Z')
/** Few, so that lines meet. */
const entityIds = fc.constantFrom('person:ana', 'person:zoë', 'place:lisboa', 'concept:猫')
const memoryIds = fc.constantFrom('r-1-1', 'r-1-2', 'r-2-1', '"\\', 'm~9')
const names = sentences.filter((text) => [...text].length <= 160)

export const graphLines: fc.Arbitrary<GraphLine> = fc.oneof(
  fc.record(
    {
      kind: fc.constant('entity' as const),
      id: entityIds,
      name: names,
      type: fc.constantFrom('person', 'project', 'x-9_'),
      summary: sentences.filter((text) => Buffer.byteLength(text) <= 512),
      createdAt: instants,
    },
    { requiredKeys: ['kind', 'id', 'name', 'type', 'createdAt'] },
  ),
  fc.record(
    {
      kind: fc.constant('relation' as const),
      src: entityIds,
      dst: entityIds,
      relation: fc.constantFrom('lives in', 'knows', '住んでいる', 'part_of'),
      createdAt: instants,
      support: fc.uniqueArray(memoryIds, { minLength: 1 }).map((ids) => ids.sort()),
      validFrom: days,
      validTo: days,
    },
    { requiredKeys: ['kind', 'src', 'dst', 'relation', 'createdAt', 'support'] },
  ),
  fc.record({
    kind: fc.constant('association' as const),
    memoryId: memoryIds,
    entityId: entityIds,
    provenance: fc.constantFrom('user-stated' as const, 'document' as const, 'assistant-inferred' as const),
    createdAt: instants,
  }),
)

const authorities = fc.record({
  kind: fc.constantFrom('capture' as const, 'maintenance' as const, 'import' as const, 'adopted' as const),
  digest: fc.constantFrom('a'.repeat(64), '0'.repeat(64)),
})
const smallIds = fc.integer({ min: 1, max: 9 }).map((n) => `m${n}`)

/** Entries among nine memories, so that chains, cycles, second successors and sixth edges come up. */
export const replayEntries: fc.Arbitrary<ReplayEntry> = fc.oneof(
  fc
    .record({
      kind: fc.constant('thread' as const),
      from: fc.constantFrom('m1', 'm2'),
      to: smallIds,
      weight: fc.double({ min: 0, max: 1, noNaN: true }).map((weight) => weight + 0),
      at: instants,
      authority: authorities,
    })
    .filter(({ from, to }) => from !== to),
  fc
    .record({
      kind: fc.constant('supersede' as const),
      id: smallIds,
      by: smallIds,
      at: instants,
      authority: authorities,
    })
    .filter(({ id, by }) => id !== by),
  fc.record({ kind: fc.constant('terminal' as const), id: smallIds, at: instants, authority: authorities }),
)
