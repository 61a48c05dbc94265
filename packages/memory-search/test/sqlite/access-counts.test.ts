import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { commitmentOf, payloadOf } from '../../src/generation/commitment.js'
import { validateDatabase } from '../../src/generation/validate.js'
import { buildIndex, openWritableIndex } from '../../src/index.js'
import { databaseOf, dump } from '../support/dump.js'
import { optionsOf, rebuildAs, rollBackTo } from '../support/rollbacks.js'
import { bullet, LITE, type TestRoot } from '../support/roots.js'
import { DAY, newRoot } from '../support/scenario.js'

const noYield = (): Promise<void> => Promise.resolve()

async function filled(): Promise<TestRoot> {
  const root = await newRoot()
  root.write(
    DAY,
    ['a', 'b', 'c'].map((id) => bullet({ id, sentence: `Tea of ${id}.` })),
  )
  await buildIndex(optionsOf(root, 'lite'))
  return root
}

function inDatabaseOf<T>(root: TestRoot, read: (db: Database.Database) => T): T {
  const db = new Database(databaseOf(root.path))
  try {
    return read(db)
  } finally {
    db.close()
  }
}

const countsOf = (root: TestRoot): unknown =>
  inDatabaseOf(root, (db) => db.prepare('select memory_id, count, last_at from access_counts').raw().all())

/** Counts at 1, 2, 3 and so on milliseconds. */
async function count(root: TestRoot, accesses: readonly (readonly string[])[]): Promise<void> {
  let now = 0
  const index = await openWritableIndex({ ...optionsOf(root, 'lite'), now: () => now })
  for (const ids of accesses) {
    now++
    index.countAccess(ids)
  }
  index.close()
}

test.each([
  { name: 'one', accesses: [['a']], counts: [['a', 1, 1]] },
  { name: 'several at once', accesses: [['b', 'a']], counts: [['a', 1, 1], ['b', 1, 1]] },
  { name: 'one again', accesses: [['a', 'b'], ['a']], counts: [['a', 2, 2], ['b', 1, 1]] },
  { name: 'each mention of one', accesses: [['a', 'b', 'a'], ['a']], counts: [['a', 3, 2], ['b', 1, 1]] },
  { name: 'none of what no memory has', accesses: [['x', 'a', '']], counts: [['a', 1, 1]] },
  { name: 'nothing', accesses: [[]], counts: [] },
])('counts $name', async ({ accesses, counts }) => {
  const root = await filled()
  await count(root, accesses)
  expect(countsOf(root)).toEqual(counts)
}) // prettier-ignore

test('changes no answer, no proof and no commitment', async () => {
  const root = await filled()
  const stateOf = async () => {
    const db = new Database(databaseOf(root.path))
    try {
      await validateDatabase(db, { root: root.path, fs: root.fs, yieldTurn: noYield })
      return [await commitmentOf(db, noYield), await payloadOf(db, noYield)]
    } finally {
      db.close()
    }
  }
  const [before, dumped] = [await stateOf(), dump(root.path)]
  await count(root, [['a', 'b'], ['a']])
  expect(await stateOf()).toEqual(before)
  expect(dump(root.path)).toEqual(dumped)
})

test('an index that was read from is kept, and gone back to with its counts; a new one begins anew', async () => {
  const root = await filled()
  await count(root, [['a']])
  await rebuildAs(root, 'journal')
  expect(countsOf(root)).toEqual([])
  await rollBackTo(root, 'lite')
  expect(countsOf(root)).toEqual([['a', 1, 1]])
  const index = await root.open(LITE)
  expect(index.search({ query: 'tea', limit: 3 })).toHaveLength(3)
  index.close()
})
