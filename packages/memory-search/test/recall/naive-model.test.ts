import {
  foldGraph,
  ReplayState,
  type Bullet,
  type GraphLine,
  type MemoryLabel,
  type ReplayEntry,
} from '@mono-agent/memory-store'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { IndexQueries } from '../../src/index-queries.js'
import { graphRows, replaceAuthority, replayRows } from '../../src/sqlite/authority-rows.js'
import { connectMemory } from '../../src/sqlite/connection.js'
import { isLive, rowWriter } from '../../src/sqlite/memory-rows.js'
import { migrate } from '../../src/sqlite/schema.js'
import { about, relation, supersede, terminal } from '../support/authority.js'
import { bullet } from '../support/roots.js'
import { DAY } from '../support/scenario.js'

/** Few of everything, so that things meet. */
const IDS = ['m-0', 'm-1', 'm-2', 'm-3', 'm-4', 'm-5']
const ENTITIES = ['person:ana', 'person:bob', 'org:tea']
const DAYS = [1, 2, 3, 4, 5]
const dayOf = (day: number): string => `2026-05-0${day}`
const instantOf = (day: number): string => `${dayOf(day)}T09:00:00.000Z`
const NOW = 4

const id = fc.constantFrom(...IDS)
const entityId = fc.constantFrom(...ENTITIES)
const instant = fc.constantFrom(...DAYS).map(instantOf)
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })
const scope = fc.constantFrom<'agent' | `user:${string}`>('agent', 'user:ana', 'user:bob')

const label: fc.Arbitrary<MemoryLabel> = fc.oneof(
  entityId.map((about): MemoryLabel => ({ kind: 'fact', entityId: about, attribution: 'user-stated' })),
  fc.record({ of: entityId, key: fc.constantFrom('full_name', 'preferred_name') }).map(
    ({ of, key }): MemoryLabel => ({ kind: 'fact', entityId: of, key: key as 'full_name', value: { type: 'text', text: 'Ana' }, attribution: 'user-stated' }), // prettier-ignore
  ),
  scope.map((of): MemoryLabel => ({ kind: 'preference', scope: of, attribution: 'user-stated' })),
  scope.map((of): MemoryLabel => ({ kind: 'lesson', scope: of, verified: true })),
)

const memory = fc.record({
  createdAt: instant,
  occurredAt: optional(instant),
  type: fc.constantFrom<'note' | 'task'>('note', 'task'),
  status: fc.constantFrom<Bullet['status']>('open', 'open', 'open', 'done', 'dropped', 'invalidated'),
  labels: fc.array(label, { maxLength: 3 }),
})

const line: fc.Arbitrary<GraphLine> = fc.oneof(
  fc.record({ memory: id, of: entityId, by: fc.constantFrom('document', 'unknown'), at: instant }).map(
    ({ memory: memoryId, of, by, at }): GraphLine => ({ ...about(memoryId, of, by as 'document'), createdAt: at }),
  ), // prettier-ignore
  fc
    .record({
      src: entityId,
      dst: entityId,
      support: fc.uniqueArray(id, { minLength: 1, maxLength: 3 }),
      createdAt: instant,
      relation: fc.constantFrom('knows', 'likes'),
      validFrom: optional(fc.oneof(instant, fc.constantFrom(...DAYS).map(dayOf))),
      validTo: optional(fc.oneof(instant, fc.constantFrom(...DAYS).map(dayOf))),
    })
    .map(({ src, dst, support, validFrom, validTo, ...rest }) =>
      relation(src, dst, support, {
        ...rest,
        ...(validFrom === undefined ? {} : { validFrom }),
        ...(validTo === undefined ? {} : { validTo }),
      }),
    ),
)

const entry: fc.Arbitrary<ReplayEntry> = fc
  .record({ kind: fc.constantFrom('supersede', 'terminal'), one: id, other: id, at: instant })
  .filter(({ one, other }) => one !== other)
  .map(({ kind, one, other, at }) => (kind === 'supersede' ? supersede(one, other, at) : { ...terminal(one), at }))

const store = fc.record({
  memories: fc.array(memory, { minLength: IDS.length, maxLength: IDS.length }),
  graph: fc.array(line, { maxLength: 14 }),
  replay: fc.array(entry, { maxLength: 8 }),
})
const question = fc.record({
  of: fc.uniqueArray(entityId, { maxLength: 2 }),
  limit: fc.integer({ min: 1, max: 4 }),
  asOf: optional(fc.constantFrom(...DAYS)),
  scopes: optional(fc.uniqueArray(scope, { maxLength: 2 })),
  kind: fc.constantFrom<MemoryLabel['kind']>('fact', 'preference', 'lesson'),
  from: fc.constantFrom(...DAYS),
  before: fc.constantFrom(...DAYS),
  after: optional(fc.record({ day: fc.constantFrom(...DAYS), id })),
})

type Store = typeof store extends fc.Arbitrary<infer T> ? T : never
type Question = typeof question extends fc.Arbitrary<infer T> ? T : never

/** What a memory was at an instant, by a look at everything. */
interface Standing {
  readonly bullet: Bullet
  readonly status: Bullet['status']
  readonly supersededBy: string | undefined
}

/** The answers by looking at everything, one by one. */
class Model {
  readonly bullets: readonly Bullet[]
  readonly replay = new ReplayState()
  readonly graph

  constructor({ memories, graph, replay }: Store) {
    this.bullets = memories.map(({ occurredAt, ...fields }, at) =>
      bullet({
        id: IDS[at] ?? '',
        sentence: `Memory ${at}.`,
        ...fields,
        ...(occurredAt === undefined ? {} : { occurredAt }),
      }),
    )
    for (const one of replay) this.replay.add(one) // what the rules forbid is not taken
    this.graph = foldGraph(graph)
  }

  standings(asOf: string | undefined): Standing[] {
    return this.bullets.flatMap((one): Standing[] => {
      const successor = this.replay.successorOf(one.id)
      const end = this.replay.terminalOf(one.id)
      if (asOf === undefined) return [{ bullet: one, status: one.status, supersededBy: successor?.by }]
      if (one.createdAt > asOf) return []
      const isSuperseded = successor !== undefined && successor.at <= asOf
      let { status } = one
      if (status === 'dropped' && end !== undefined && end.at > asOf) {
        status = one.type === 'task' && isSuperseded ? 'invalidated' : 'open'
      } else if (status === 'invalidated' && successor !== undefined && successor.at > asOf) status = 'open'
      return [{ bullet: one, status, supersededBy: isSuperseded ? successor.by : undefined }]
    })
  }

  newest(found: readonly Standing[], limit: number): unknown[] {
    const order = ({ bullet: { createdAt, id: own } }: Standing): [string, string] => [createdAt, own]
    return [...found]
      .sort((one, other) => {
        const [[a, x], [b, y]] = [order(one), order(other)]
        return a === b ? (x < y ? -1 : 1) : a > b ? -1 : 1
      })
      .slice(0, limit)
      .map(({ bullet: { id: own }, status, supersededBy }) => ({ id: own, status, supersededBy }))
  }

  factsAbout({ of, limit }: Question, asOf: string | undefined, isStanding: boolean): unknown[] {
    const states = (one: Bullet): boolean =>
      one.labels.some((own) => own.kind === 'fact' && own.key !== undefined && of.includes(own.entityId))
    return this.newest(
      this.standings(asOf).filter(
        ({ bullet: one, status, supersededBy }) =>
          status !== 'dropped' &&
          states(one) &&
          !(isStanding && (status === 'invalidated' || supersededBy !== undefined)),
      ),
      limit,
    )
  }

  labelled({ kind, scopes, of: [entity], limit }: Question): unknown[] {
    const carries = (one: Bullet): boolean =>
      one.labels.some(
        (own) =>
          own.kind === kind &&
          (scopes === undefined || (own.kind !== 'fact' && (scopes as string[]).includes(own.scope))) &&
          (entity === undefined || (own.kind === 'fact' && own.entityId === entity)),
      )
    return this.newest(
      this.standings(undefined).filter(
        (one) => isLive(one.status) && one.supersededBy === undefined && carries(one.bullet),
      ),
      limit,
    )
  }

  memoriesOf({ of: [entity], limit }: Question, asOf: string | undefined): unknown[] {
    const isAbout = (memoryId: string): boolean =>
      this.graph
        .associations()
        .some(
          (one) =>
            one.memoryId === memoryId && one.entityId === entity && (asOf === undefined || one.createdAt <= asOf),
        )
    return this.newest(
      this.standings(asOf).filter(({ bullet: one, status }) => isLive(status) && isAbout(one.id)),
      limit,
    )
  }

  related({ of, limit }: Question, asOf: string | undefined): unknown[] {
    const at = asOf ?? instantOf(NOW)
    const hour = 3_600_000
    const ends = (day: string): number => Date.parse(`${day}T00:00:00.000Z`) + 36 * hour // over in UTC-12 too
    const begins = (day: string): number => Date.parse(`${day}T00:00:00.000Z`) - 14 * hour // begun in UTC+14
    const isDay = (text: string): boolean => text.length === 10
    const live = new Set(this.standings(asOf).filter(({ status }) => isLive(status)).map(({ bullet: one }) => one.id)) // prettier-ignore
    const found = this.graph
      .relations()
      .filter(({ createdAt }) => asOf === undefined || createdAt <= asOf)
      .filter(({ validTo: to }) => to === undefined || (isDay(to) ? Date.parse(at) < ends(to) : at <= to))
      .filter(
        ({ validFrom: from }) => from === undefined || (isDay(from) ? Date.parse(at) >= begins(from) : at >= from),
      )
      .filter(({ support }) => support.some((one) => live.has(one)))
      .flatMap(({ src, dst, relation: name, createdAt }) => [
        { id: dst, from: src, relation: name, createdAt },
        { id: src, from: dst, relation: name, createdAt },
      ])
      .filter((one) => of.includes(one.from) && !of.includes(one.id))
      .sort((one, other) => {
        const key = (row: typeof one) => [row.id, row.relation, row.from].join('\0')
        if (one.createdAt !== other.createdAt) return one.createdAt > other.createdAt ? -1 : 1
        return key(one) < key(other) ? -1 : key(one) > key(other) ? 1 : 0
      })
    const first = found.filter((one, place) => found.findIndex((other) => other.id === one.id) === place)
    return first.slice(0, limit).map(({ createdAt: _, ...rest }) => rest)
  }

  chronology({ from, before, after, limit }: Question): unknown[] {
    const timeOf = (one: Bullet): string => one.occurredAt ?? one.createdAt
    const placeOf = (one: Bullet): string => `${timeOf(one)} ${one.id}`
    return this.bullets
      .filter((one) => one.status !== 'dropped' && timeOf(one) >= instantOf(from) && timeOf(one) < instantOf(before))
      .filter((one) => after === undefined || placeOf(one) > `${instantOf(after.day)} ${after.id}`)
      .sort((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1))
      .slice(0, limit)
      .map((one) => ({ id: one.id, moment: Date.parse(timeOf(one)) }))
  }
}

test('the index answers as a look at everything does', () => {
  fc.assert(
    fc.property(store, fc.array(question, { minLength: 8, maxLength: 8 }), (given, questions) => {
      const model = new Model(given)
      const db = connectMemory()
      migrate(db)
      const rows = rowWriter(db)
      for (const [position, one] of model.bullets.entries())
        rows.insertResolved({ bullet: one, file: DAY, position }, false)
      replaceAuthority(db, 'graph', graphRows(model.graph))
      replaceAuthority(db, 'replay', replayRows(model.replay))
      const index = new IndexQueries(db, 'bujo', () => undefined)
      const shown = (found: readonly { id: string; status: string; supersededBy?: string }[]) =>
        found.map(({ id: own, status, supersededBy }) => ({ id: own, status, supersededBy }))
      for (const asked of questions) {
        const { of, limit, kind, scopes, from, before, after } = asked
        const asOf = asked.asOf === undefined ? undefined : instantOf(asked.asOf)
        const options = { limit, ...(asOf === undefined ? {} : { asOf: Date.parse(asOf) }) }
        for (const isStanding of [false, true]) {
          const found = index.factsAbout(of, { ...options, isStanding })
          expect(shown(found)).toEqual(model.factsAbout(asked, asOf, isStanding))
        }
        const narrowed = { kind, ...(scopes === undefined ? {} : { scopes }), ...(of[0] === undefined ? {} : { entityId: of[0] }) } // prettier-ignore
        expect(shown(index.labelled(narrowed, limit))).toEqual(model.labelled(asked))
        expect(shown(index.memoriesOf(of[0] ?? '', options))).toEqual(model.memoriesOf(asked, asOf))
        expect(index.related(of, options, Date.parse(instantOf(NOW)))).toEqual(model.related(asked, asOf))
        const place = after === undefined ? {} : { after: { moment: Date.parse(instantOf(after.day)), id: after.id } }
        const range = { from: Date.parse(instantOf(from)), before: Date.parse(instantOf(before)), ...place }
        expect(index.chronology(range, limit).map(({ moment, memory: own }) => ({ id: own.id, moment }))).toEqual(
          model.chronology(asked),
        )
      }
      db.close()
    }),
    { numRuns: 150 },
  )
}, 120_000)
