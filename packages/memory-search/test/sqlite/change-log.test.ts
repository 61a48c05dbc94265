import Database from 'better-sqlite3'
import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { beginEpoch, changedRows, lastChange, markOf, MARKED_CHANGES, noteChange } from '../../src/sqlite/change-log.js'
import { connectMemory, type Connection } from '../../src/sqlite/connection.js'
import { migrate, SCHEMA_STEPS } from '../../src/sqlite/schema.js'
import { databaseOf } from '../support/dump.js'
import { bullet, LITE } from '../support/roots.js'
import { DAY, newRoot } from '../support/scenario.js'
import { build, drain, JOURNAL } from '../support/vectors.js'

const open: Connection[] = []
afterEach(() => {
  for (const db of open.splice(0)) db.close()
})

function kept(db: Connection): Connection {
  open.push(db)
  return db
}

function newDatabase(): Connection {
  const db = kept(connectMemory())
  migrate(db)
  return db
}

/** The database as it is now, as a copy that lives on by itself. */
const copyOf = (db: Connection): Connection => kept(new Database(db.serialize()))
const epochsOf = (db: Connection): number => db.prepare('select count(*) from epochs').pluck().get() as number

test('rows stand once, under their latest change, and each change has the mark of the epoch it was made in', () => {
  const action = fc.oneof({ weight: 4, arbitrary: fc.nat(8) }, { weight: 1, arbitrary: fc.constant('epoch' as const) })
  fc.assert(
    fc.property(fc.array(action, { maxLength: 40 }), fc.nat(45), fc.integer({ min: 1, max: 9 }), (history, after, limit) => {
      const db = newDatabase()
      const note = noteChange(db)
      const rows: number[] = [] // rows[n] changed by change n + 1
      const marks = [markOf(db, 0)] // marks[n] of change n
      for (const one of history) {
        if (one === 'epoch') beginEpoch(db)
        else {
          note(one)
          rows.push(one)
          marks.push(markOf(db, rows.length))
        }
      }
      expect(lastChange(db)).toBe(rows.length)
      const latest = new Map(rows.map((row, at) => [row, at + 1]))
      const expected = [...latest].map(([row, change]) => ({ row, change })).sort((a, b) => a.change - b.change)
      expect(changedRows(db, 0, 1_000)).toEqual(expected)
      expect(changedRows(db, after, limit)).toEqual(expected.filter(({ change }) => change > after).slice(0, limit))
      // A mark stays, whatever epochs begin, and nothing has the mark of an epoch that made nothing.
      const begun = new Set(marks)
      expect(rows.map((_, at) => markOf(db, at + 1))).toEqual(marks.slice(1))
      expect(markOf(db, 0)).toBe(marks[0])
      expect(begun).not.toContain(undefined)
      expect([rows.length + 1, rows.length + 100, -1].map((change) => markOf(db, change))).toEqual(Array(3).fill(undefined))
      db.close()
    }),
  )
}) // prettier-ignore

describe('an epoch', () => {
  test('is another one each time, though the one before it changed nothing', () => {
    const db = newDatabase()
    const marks = Array.from({ length: 5 }, () => {
      beginEpoch(db)
      const first = copyOf(db)
      noteChange(first)(1)
      return markOf(first, 1)
    })
    expect(new Set(marks).size).toBe(5)
    expect(marks).not.toContain(markOf(db, 0))
    expect(epochsOf(db)).toBe(2)
  })

  test.each([
    { name: 'some changes', kept: 7 },
    { name: 'all changes', kept: 0 },
    { name: 'no change', kept: 10 },
  ])('after $name were taken back, the same numbers are not the same changes', ({ kept: still }) => {
    const db = newDatabase()
    beginEpoch(db)
    let after = copyOf(db) // what a loss of power leaves
    for (let change = 1; change <= 10; change++) {
      noteChange(db)(change)
      if (change === still) after = copyOf(db)
    }
    const known = markOf(db, 10)
    expect(known).toBeDefined()
    if (still < 10) expect(markOf(after, 10)).toBeUndefined() // before anybody writes it is not there
    beginEpoch(after)
    for (let change = still + 1; change <= 12; change++) noteChange(after)(change)
    expect(markOf(after, still)).toBe(markOf(db, still))
    expect(markOf(after, still + 1)).not.toBe(known)
    expect(markOf(after, 10) === known).toBe(still === 10)
  })

  test('is forgotten once it is too far behind, and its changes then have no mark, not another one', () => {
    const db = newDatabase()
    const note = noteChange(db)
    db.transaction(() => {
      for (let change = 1; change <= MARKED_CHANGES + 500; change++) {
        if (change % 5 === 1) beginEpoch(db)
        note(change % 100)
      }
    })()
    beginEpoch(db)
    const last = lastChange(db)
    expect(last).toBe(MARKED_CHANGES + 500)
    expect(epochsOf(db)).toBeLessThanOrEqual(MARKED_CHANGES / 5 + 3)
    expect(markOf(db, last)).toBeDefined()
    expect(markOf(db, last - MARKED_CHANGES)).toBeDefined()
    expect(markOf(db, last - MARKED_CHANGES)).not.toBe(markOf(db, last - MARKED_CHANGES + 6))
    expect([0, 1, last - MARKED_CHANGES - 6].map((change) => markOf(db, change))).toEqual(Array(3).fill(undefined))
  })

  test('that is long is known whole, however far behind it began', () => {
    const db = newDatabase()
    beginEpoch(db)
    const note = noteChange(db)
    db.transaction(() => Array.from({ length: MARKED_CHANGES + 50 }, (_, at) => note(at)))()
    beginEpoch(db)
    expect(markOf(db, 1)).toBe(markOf(db, MARKED_CHANGES + 50))
    expect(markOf(db, 1)).toBeDefined()
  })
})

test('an index of an earlier release has its mark once it is migrated, and each another one', () => {
  const old = kept(connectMemory())
  migrate(old, SCHEMA_STEPS.slice(0, 4))
  const other = copyOf(old)
  for (const db of [old, other]) migrate(db)
  expect(lastChange(old)).toBe(0)
  expect(markOf(old, 0)).toMatch(/^[0-9a-f]{32}$/)
  expect(markOf(old, 0)).not.toBe(markOf(other, 0))
})

test('what is rolled back was no change', () => {
  const db = newDatabase()
  const fails = db.transaction(() => {
    noteChange(db)(1)
    throw new Error('undone')
  })
  expect(fails).toThrow('undone')
  expect([lastChange(db), changedRows(db, 0, 10)]).toEqual([0, []])
})

describe('an index on disk', () => {
  test.each([LITE, JOURNAL])('of $tier: all of its build is change 0', async (identity) => {
    const root = await newRoot()
    root.write(DAY, [bullet({ id: 'a', sentence: 'Tea.' }), bullet({ id: 'b', sentence: 'Milk.' })])
    const marks = new Set<string | undefined>()
    for (let at = 0; at < 2; at++) {
      await build(root, { identity })
      const db = kept(new Database(databaseOf(root.path), { readonly: true }))
      expect([lastChange(db), changedRows(db, 0, 10), epochsOf(db)]).toEqual([0, [], 1])
      marks.add(markOf(db, 0))
    }
    expect(marks.size).toBe(2)
    expect(marks).not.toContain(undefined)
  })

  test('every opening for writing begins an epoch; catching up and vectors note their rows in it', async () => {
    const root = await newRoot()
    root.write(DAY, [bullet({ id: 'a', sentence: 'Tea.' }), bullet({ id: 'b', sentence: 'Milk.' })])
    await build(root)
    const marks = new Set<string>()
    const epochs = () => {
      const db = new Database(databaseOf(root.path), { readonly: true })
      const found = db.prepare('select first_change, nonce from epochs order by first_change').raw().all()
      db.close()
      return found as [number, string][]
    }
    for (let at = 0; at < 3; at++) {
      ;(await root.open(JOURNAL)).close()
      expect(epochs().map(([first]) => first)).toEqual([0, 1])
      for (const [, nonce] of epochs()) marks.add(nonce)
    }
    expect(marks.size).toBe(4)
    const index = await root.open(JOURNAL)
    const db = kept(new Database(databaseOf(root.path), { readonly: true }))
    root.write(DAY, [bullet({ id: 'a', sentence: 'Tea.' }), bullet({ id: 'b', sentence: 'Coffee.' })])
    await index.catchUp()
    expect(changedRows(db, 0, 10)).toEqual([{ row: 2, change: 1 }])
    drain(index)
    expect(changedRows(db, 0, 10)).toEqual([{ row: 2, change: 2 }])
    index.close()
    ;(await root.open(JOURNAL)).close()
    expect(epochs().map(([first]) => first)).toEqual([0, 1, 3])
  })
})
