import { expect, test } from 'vitest'
import { IndexQueries } from '../../src/index-queries.js'
import { connectMemory, type Connection } from '../../src/sqlite/connection.js'
import { migrate } from '../../src/sqlite/schema.js'

/** What SQLite says it does for all that a question asks. */
function plansOf(ask: (index: IndexQueries) => unknown, change = ''): string[] {
  const db = connectMemory()
  migrate(db)
  db.exec(change)
  const asked: string[] = []
  const traced = new Proxy(db, {
    get(target, key) {
      if (key === 'prepare') return (sql: string) => (asked.push(sql), target.prepare(sql))
      const value: unknown = Reflect.get(target, key)
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  })
  ask(new IndexQueries(traced, 'bujo', () => undefined))
  const plans = asked.flatMap((sql) => planOf(db, sql))
  db.close()
  return plans
}

function planOf(db: Connection, sql: string): string[] {
  const places = Array.from(sql.matchAll(/\?/g), () => null)
  const named = Object.fromEntries(Array.from(sql.matchAll(/@(\w+)/g), ([, name = '']) => [name, null]))
  const plan = db.prepare<unknown[], { detail: string }>(`explain query plan ${sql}`)
  return plan.all(...places, ...(Object.keys(named).length > 0 ? [named] : [])).map(({ detail }) => detail)
}

/** What is read whole: lists that were given with the question, and no more. */
const GIVEN = /^SCAN (?:json_each|CONSTANT ROW|\(subquery-\d+\))/

const asOf = 1
const limit = 5

test.each<{ name: string; ask: (index: IndexQueries) => unknown; by: readonly RegExp[] }>([
  {
    name: 'names: by key, and ids by id',
    ask: (index) => index.entitiesNamed('Ana person:ana', limit),
    by: [
      /^SEARCH entities USING COVERING INDEX entities_by_name \(name_key>\? AND name_key<\?\)/,
      /^SEARCH entities USING PRIMARY KEY \(id=\?\)/,
    ],
  },
  {
    name: 'entities of memories: by memory',
    ask: (index) => index.entitiesOf(['m']),
    by: [/^SEARCH associations USING COVERING INDEX associations_by_memory \(memory_id=\?\)/],
  },
  {
    name: 'facts: in the order of the entity',
    ask: (index) => index.factsAbout(['a:x'], { limit }),
    by: [/^SEARCH walked USING COVERING INDEX memory_labels_by_entity \(entity_id=\? AND has_key=\?\)/],
  },
  {
    name: 'facts as of an instant: from there on',
    ask: (index) => index.factsAbout(['a:x'], { limit, asOf }),
    by: [
      /^SEARCH walked USING COVERING INDEX memory_labels_by_entity \(entity_id=\? AND has_key=\? AND recorded_at<\?\)/,
      /^SEARCH supersessions USING PRIMARY KEY \(id=\?\)/,
      /^SEARCH terminals USING PRIMARY KEY \(id=\?\)/,
    ],
  },
  {
    name: 'facts that stand, of one conversation: in the order of the entity',
    ask: (index) => index.factsAbout(['a:x'], { limit, isStanding: true, conversationId: 'web:1' }),
    by: [
      /^SEARCH walked USING COVERING INDEX memory_labels_by_entity \(entity_id=\? AND has_key=\?\)/,
      /^SEARCH supersessions USING PRIMARY KEY \(id=\?\)/,
    ],
  },
  {
    name: 'labels: in the order of the scope',
    ask: (index) => index.labelled({ kind: 'preference', scopes: ['agent'] }, limit),
    by: [/^SEARCH walked USING COVERING INDEX memory_labels_by_scope \(kind=\? AND scope=\?\)/],
  },
  {
    name: 'labels: in the order of the kind',
    ask: (index) => index.labelled({ kind: 'preference' }, limit),
    by: [/^SEARCH walked USING COVERING INDEX memory_labels_by_kind \(kind=\?\)/],
  },
  {
    name: 'relations: in the order of either end',
    ask: (index) => index.related(['a:x'], { limit }, 1),
    by: [
      /^SEARCH walked USING COVERING INDEX relations_by_source \(src=\?\)/,
      /^SEARCH walked USING COVERING INDEX relations_by_target \(dst=\?\)/,
      /^SEARCH support USING PRIMARY KEY \(src=\? AND relation=\? AND dst=\? AND valid_from=\? AND valid_to=\?\)/,
      /^SEARCH memories USING INDEX memories_by_id \(id=\?\)/,
    ],
  },
  {
    name: 'relations as of an instant: from there on',
    ask: (index) => index.related(['a:x'], { limit, asOf }, 1),
    by: [
      /^SEARCH walked USING COVERING INDEX relations_by_source \(src=\? AND created_at<\?\)/,
      /^SEARCH walked USING COVERING INDEX relations_by_target \(dst=\? AND created_at<\?\)/,
    ],
  },
  {
    name: 'memories of an entity: in its order',
    ask: (index) => index.memoriesOf('a:x', { limit }),
    by: [/^SEARCH walked USING COVERING INDEX entity_memories_by_entity \(entity_id=\?\)/],
  },
  {
    name: 'memories of an entity as of an instant: from there on',
    ask: (index) => index.memoriesOf('a:x', { limit, asOf }),
    by: [/^SEARCH walked USING COVERING INDEX entity_memories_by_entity \(entity_id=\? AND recorded_at<\?\)/],
  },
  {
    name: 'the chronology: in the order of time',
    ask: (index) => index.chronology({ from: 0, before: 9 }, limit),
    by: [/^SEARCH memories USING INDEX memories_by_time \(moment>\? AND moment<\?\)/],
  },
  {
    name: 'the chronology: from a place on',
    ask: (index) => index.chronology({ from: 0, before: 9, after: { moment: 1, id: 'm' } }, limit),
    by: [/^SEARCH memories USING INDEX memories_by_time \(\(moment,id\)>\(\?,\?\) AND moment<\?\)/],
  },
  {
    name: 'accesses: by memory',
    ask: (index) => index.countAccess(['m'], 1),
    by: [/^SEARCH memories EXISTS USING COVERING INDEX memories_by_id \(id=\?\)/],
  },
])('$name', ({ ask, by }) => {
  const plans = plansOf(ask)
  for (const step of by) expect(plans).toContainEqual(expect.stringMatching(step))
  expect(plans.filter((step) => step.startsWith('SCAN') && !GIVEN.test(step))).toEqual([])
  expect(plans.filter((step) => step.includes('ORDER BY'))).toEqual([])
})

const MANY = `with recursive n (n) as (select 1 union all select n + 1 from n where n < 300)
  insert into associations select 'a:x', 'm-' || n, 'document', '' from n`

test.each<{ name: string; ask: (index: IndexQueries) => unknown; by: string }>([
  { name: 'the strongest', ask: (index) => index.top(limit), by: 'memories_by_salience' },
  {
    name: 'the newest about whom many memories are',
    ask: (index) => index.aboutEntities(['a:x'], { factKeys: [], limit }),
    by: 'memories_by_moment',
  },
])('$name: walked from the end of the index, and not sorted', ({ ask, by }) => {
  const plans = plansOf(ask, MANY)
  const walk = plans.indexOf(`SCAN memories USING INDEX ${by}`)
  expect(walk).toBeGreaterThanOrEqual(0)
  expect(plans.slice(walk).filter((step) => step.includes('ORDER BY'))).toEqual([])
})

test('a missing index would be noticed', () => {
  const plans = plansOf((index) => index.chronology({ from: 0, before: 9 }, limit), 'drop index memories_by_time')
  expect(plans.filter((step) => step.startsWith('SCAN') && !GIVEN.test(step))).toEqual(['SCAN memories'])
  expect(plans).toContain('USE TEMP B-TREE FOR ORDER BY')
})
