import type { Bullet } from '@mono-agent/memory-store'
import Database from 'better-sqlite3'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { SearchIndex } from '../src/index.js'
import { validateVectors } from '../src/generation/validate-vectors.js'
import type { NewVector } from '../src/sqlite/vector-rows.js'
import { databaseOf, dump } from './support/dump.js'
import { bullet, type TestRoot } from './support/roots.js'
import { newRoot } from './support/scenario.js'
import { build, drain, hashProvider, hashVector, JOURNAL, STRONG } from './support/vectors.js'

const FILES = ['daily/2026-05-01.md', 'daily/2026-05-02.md', 'daily/2026-05-03.md']
const WORDS = ['tea', 'green tea', 'pottery', 'Ana paints', '猫', 'INV-7']

const step = fc.record({
  kind: fc.constantFrom('add', 'add', 'edit', 'swap-words', 'drop', 'move', 'copy', 'remove', 'ask', 'answer', 'drain'),
  file: fc.nat(FILES.length - 1),
  other: fc.nat(FILES.length - 1),
  at: fc.nat(20),
  words: fc.constantFrom(...WORDS),
  isCaughtUp: fc.boolean(),
})
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** The day files as lists of bullets. */
class Days {
  readonly files: Bullet[][] = FILES.map(() => [])
  #next = 0

  apply({ kind, file, other, at, words }: Step): void {
    const list = this.files[file] ?? []
    const target = this.files[other] ?? []
    const place = list.length === 0 ? 0 : at % list.length
    const chosen = list[place]
    const again = (of: Bullet, more: Partial<Bullet>): Bullet => {
      const { id, sentence, status, createdAt, type } = { ...of, ...more }
      return bullet({ id, sentence, status, createdAt, type })
    }
    if (kind === 'add') list.splice(place, 0, bullet({ id: `m-${this.#next++}`, sentence: words, type: 'task' }))
    if (chosen === undefined) return
    if (kind === 'edit') list[place] = again(chosen, { sentence: words })
    if (kind === 'drop') list[place] = again(chosen, { status: chosen.status === 'dropped' ? 'open' : 'dropped' })
    if (kind === 'remove') list.splice(place, 1)
    const twin = target.at(-1)
    if (kind === 'swap-words' && twin !== undefined) {
      list[place] = again(chosen, { sentence: twin.sentence })
      target[target.length - 1] = again(twin, { sentence: chosen.sentence })
    }
    const fits = file !== other && !target.some(({ id }) => id === chosen.id)
    if ((kind === 'move' || kind === 'copy') && fits) {
      if (kind === 'move') list.splice(place, 1)
      target.unshift(chosen)
    }
  }
}

interface State {
  readonly id: string
  readonly file: string
  readonly sentence: string
  readonly isSearchable: number
  readonly hasVector: number
  readonly isWaiting: number
  readonly vectorHash: string | null
  readonly contentHash: string
}

const statesOf = (db: Database.Database): State[] =>
  db
    .prepare<[], State>(
      `select id, file, sentence, is_searchable as isSearchable, memories.content_hash as contentHash,
         memory_vectors.row is not null as hasVector, vector_backlog.row is not null as isWaiting,
         memory_vectors.content_hash as vectorHash
       from memories left join memory_vectors using (row) left join vector_backlog using (row)`,
    )
    .all()

/** What must hold after every change. */
function expectInvariants(db: Database.Database, index: SearchIndex): void {
  const states = statesOf(db)
  for (const state of states) {
    expect(state.hasVector + state.isWaiting).toBe(state.isSearchable)
    if (state.hasVector === 1) expect(state.vectorHash).toBe(state.contentHash)
  }
  const having = new Set(states.filter(({ hasVector }) => hasVector === 1).map(({ contentHash }) => contentHash))
  expect(states.filter(({ isWaiting, contentHash }) => isWaiting === 1 && having.has(contentHash))).toEqual([])
  const count = (of: (state: State) => number): number => states.reduce((sum, state) => sum + of(state), 0)
  expect(index.stats()).toMatchObject({
    vectors: count(({ hasVector }) => hasVector),
    missingVectors: count(({ isWaiting }) => isWaiting),
  })
  expect(index.countMissingVectors()).toBe(count(({ isWaiting }) => isWaiting))
  expect(index.missingVectors(0, 1_000)).toHaveLength(count(({ isWaiting }) => isWaiting))
  const total = db
    .prepare('select (select count(*) from memory_vectors) + (select count(*) from vector_backlog)')
    .pluck()
    .get()
  expect(total).toBe(count(({ isSearchable }) => isSearchable)) // none of a row that is gone
}

async function withIndex(
  use: (root: TestRoot, index: SearchIndex, db: Database.Database) => Promise<void>,
): Promise<void> {
  const root = await newRoot()
  for (const file of FILES) root.write(file, [])
  await build(root)
  const index = await root.open(JOURNAL)
  const db = new Database(databaseOf(root.path), { readonly: true })
  try {
    await use(root, index, db)
  } finally {
    db.close()
    index.close()
  }
}

test('through any history every record has the vector of its words or waits, and words that have one are not asked for', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 40 }), (history) =>
      withIndex(async (root, index, db) => {
        const days = new Days()
        /** Asked of the service, answered at any later time. */
        let asked: NewVector[] = []
        const write = (): void => FILES.forEach((file, at) => root.write(file, days.files[at] ?? []))
        const askFor = (limit: number): void => {
          const having = new Set(statesOf(db).flatMap(({ vectorHash }) => vectorHash ?? []))
          const missing = index.missingVectors(0, limit)
          for (const { contentHash } of missing) expect(having.has(contentHash)).toBe(false)
          asked.push(...missing.map(({ contentHash, text }) => ({ contentHash, vector: hashVector(text) })))
        }
        for (const one of history) {
          if (one.kind === 'ask') askFor(one.at + 1)
          else if (one.kind === 'answer') {
            const waiting = index.missingVectors(0, 1_000)
            const answered = new Set(asked.map(({ contentHash }) => contentHash))
            // Those whose words changed meanwhile get nothing.
            expect(index.writeVectors(asked)).toBe(waiting.filter((row) => answered.has(row.contentHash)).length)
            asked = []
          } else if (one.kind === 'drain') drain(index)
          else {
            days.apply(one)
            write()
            if (one.isCaughtUp) await index.catchUp()
          }
          expectInvariants(db, index)
        }
        write()
        await index.catchUp()
        drain(index)
        expectInvariants(db, index)
        await validateVectors(db, () => Promise.resolve())
        const queries = WORDS.map((query) => ({ query, limit: 50, vector: hashVector(query), explain: true }))
        const answers = queries.map((query) => index.search(query))
        index.close()
        const followed = dump(root.path)
        const provider = hashProvider()
        await build(root, { embed: provider, calibration: STRONG })
        expect(provider.asked).toEqual([]) // all of them carried over
        expect(dump(root.path)).toEqual(followed)
        const rebuilt = await root.open(JOURNAL)
        expect(queries.map((query) => rebuilt.search(query))).toEqual(answers)
        rebuilt.close()
      }),
    ),
    { numRuns: 30 },
  )
}, 300_000) // dozens of roots on the real disk: the machine may be busy

const tea = bullet({ id: 'tea', sentence: 'tea', type: 'task' })
const coffee = bullet({ id: 'coffee', sentence: 'coffee', type: 'task' })
const with_ = (of: Bullet, fields: { sentence?: string; status?: 'dropped' }): Bullet =>
  bullet({ id: of.id, sentence: of.sentence, type: 'task', ...fields })

test.each<{ name: string; after: readonly (readonly Bullet[])[]; waiting: string[] }>([
  {
    name: 'an edited line loses its vector',
    after: [[with_(tea, { sentence: 'green tea' }), coffee]],
    waiting: ['green tea'],
  },
  { name: 'a bullet moved to another file keeps it', after: [[coffee], [tea]], waiting: [] },
  { name: 'a bullet moved within its file keeps it', after: [[coffee, tea]], waiting: [] },
  {
    name: 'two that swap their words',
    after: [[with_(tea, { sentence: 'coffee' }), with_(coffee, { sentence: 'tea' })]],
    waiting: [],
  },
  {
    name: 'a second record of the same words',
    after: [[tea, coffee, bullet({ id: 'x', sentence: 'tea' })]],
    waiting: [],
  },
  { name: 'the same words under another id', after: [[coffee, bullet({ id: 'x', sentence: 'tea' })]], waiting: [] },
  { name: 'a copy of the same id', after: [[tea, coffee], [tea]], waiting: [] },
  { name: 'a dropped one', after: [[with_(tea, { status: 'dropped' }), coffee]], waiting: [] },
  { name: 'all gone', after: [[]], waiting: [] },
])('$name', ({ after, waiting }) =>
  withIndex(async (root, index, db) => {
    root.write(FILES[0] ?? '', [tea, coffee])
    await index.catchUp()
    expect(drain(index).toSorted()).toEqual(['coffee', 'tea'])
    after.forEach((list, at) => root.write(FILES[at] ?? '', list))
    await index.catchUp()
    expect(drain(index)).toEqual(waiting)
    expectInvariants(db, index)
  }),
)

test('what was dropped and comes back gets its vector back', () =>
  withIndex(async (root, index, db) => {
    const [file = ''] = FILES
    for (const list of [[tea], [with_(tea, { status: 'dropped' })], [tea]]) {
      root.write(file, list)
      await index.catchUp()
      expectInvariants(db, index)
      drain(index)
    }
    expect(index.stats()).toMatchObject({ vectors: 1, missingVectors: 0 })
  }))

test('records that wait come in pages by row, and only those after the row given', () =>
  withIndex(async (root, index) => {
    root.write(
      FILES[0] ?? '',
      Array.from({ length: 7 }, (_, at) => bullet({ id: `m-${at}`, sentence: `s ${at}` })),
    )
    await index.catchUp()
    const pages: number[][] = []
    for (let after = 0; ;) {
      const page = index.missingVectors(after, 3).map(({ row }) => row)
      pages.push(page)
      if (page.length === 0) break
      after = page.at(-1) ?? 0
    }
    expect(pages.map(({ length }) => length)).toEqual([3, 3, 1, 0])
    expect(pages.flat()).toEqual([...new Set(pages.flat())].toSorted((a, b) => a - b))
  }))
