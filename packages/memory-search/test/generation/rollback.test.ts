import { layout } from '@mono-agent/memory-store'
import Database from 'better-sqlite3'
import { rmSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openIndexReader, openWritableIndex } from '../../src/index.js'
import { databaseOf, manifestOf } from '../support/dump.js'
import {
  QUERIES,
  BULLETS,
  filled,
  codeOf,
  inDatabase,
  damageLookup,
  renameGeneration,
} from '../support/kept-indexes.js'
import {
  answersOf,
  generationsOf,
  namedGenerations,
  optionsOf,
  previousDatabaseOf,
  rebuildAs,
  rollBackTo,
  rowsOf,
  type ConfigurationName,
} from '../support/rollbacks.js'
import { bullet, type TestRoot } from '../support/roots.js'
import { DAY } from '../support/scenario.js'

describe('a rebuild keeps the index it replaces', () => {
  test('as a generation of its own: named, whole, private, in one file', async () => {
    const root = await filled('journal')
    const before = manifestOf(root.path)
    const report = await rebuildAs(root, 'lite')
    expect(report.previous).toEqual({ identity: before.identity, isOffered: true })
    const { generation, previous } = manifestOf(root.path)
    expect(previous).toMatchObject({
      identity: before.identity,
      analyzer: before.analyzer,
      schemaVersion: before.schemaVersion,
      createdAt: before.createdAt,
      calibration: before.calibration,
      isOffered: true,
    })
    expect(new Set([before.generation, generation, previous?.generation]).size).toBe(3)
    expect(generationsOf(root)).toEqual(namedGenerations(root))
    expect(statSync(previousDatabaseOf(root)).mode & 0o777).toBe(0o600)
    const db = new Database(previousDatabaseOf(root), { readonly: true })
    expect(db.pragma('journal_mode', { simple: true })).toBe('delete')
    db.close()
  })

  test('what a killed writer left in its log is kept as well', async () => {
    const root = await filled()
    const killed = new Database(databaseOf(root.path))
    killed.pragma('journal_mode = WAL')
    killed.pragma('wal_autocheckpoint = 0')
    killed.exec(`insert into index_identity values ('mark', 'in the log')`)
    const reader = new Database(databaseOf(root.path), { readonly: true }) // keeps the log from being folded in
    killed.close()
    await rebuildAs(root, 'lite')
    reader.close()
    const db = new Database(previousDatabaseOf(root), { readonly: true })
    expect(db.prepare(`select value from index_identity where key = 'mark'`).pluck().get()).toBe('in the log')
    db.close()
  })

  test('opening removes what no manifest names, and only that', async () => {
    const root = await filled()
    await rebuildAs(root, 'lite')
    root.fs.makeDirectory(join(root.path, layout.generation('g7-0')))
    writeFileSync(join(root.path, layout.database('g7-0')), 'half')
    ;(await root.open()).close()
    expect(generationsOf(root)).toEqual(namedGenerations(root))
    expect(generationsOf(root)).toHaveLength(2)
  })

  test.each([
    {
      name: 'that lags behind the day files',
      change: (root: TestRoot) => root.write(DAY, BULLETS.slice(0, 2)),
    },
    {
      name: 'with a day file more',
      change: (root: TestRoot) => root.write('daily/2026-05-03.md', []),
    },
    {
      name: 'whose rows are not those of the files',
      change: (root: TestRoot) => inDatabase(root, `update memories set salience = 0.9 where id = 'm-1'`),
    },
    {
      name: 'that lacks a row',
      change: (root: TestRoot) => inDatabase(root, `delete from memories where id = 'm-1'`),
    },
  ])('one $name is kept and never offered', async ({ change }) => {
    const root = await filled()
    change(root)
    const report = await rebuildAs(root, 'journal')
    expect(report.previous).toEqual({ identity: { tier: 'lite' }, isOffered: false })
    expect(generationsOf(root)).toEqual(namedGenerations(root))
    expect(await codeOf(() => rollBackTo(root, 'lite'))).toBe('rollback_unavailable')
  })

  test.each([
    { name: 'is gone', damage: (path: string) => rmSync(path) },
    { name: 'is empty', damage: (path: string) => truncateSync(path, 0) },
    { name: 'is none', damage: (path: string) => writeFileSync(path, 'x'.repeat(8_192)) },
    { name: 'is torn', damage: (path: string) => truncateSync(path, statSync(path).size - 8_192) },
    { name: 'would miss a row', damage: damageLookup },
    { name: 'is of another generation', damage: (path: string) => renameGeneration(path) },
  ])('a database that $name is not kept; what was kept before it stays', async ({ damage }) => {
    const root = await filled()
    damage(databaseOf(root.path))
    expect(await rebuildAs(root, 'lite')).not.toHaveProperty('previous')
    expect(generationsOf(root)).toEqual([manifestOf(root.path).generation])

    const answers = answersOf(root, 'lite', QUERIES)
    await rebuildAs(root, 'journal')
    damage(databaseOf(root.path))
    expect((await rebuildAs(root, 'journal')).previous).toEqual({ identity: { tier: 'lite' }, isOffered: true })
    expect(generationsOf(root)).toEqual(namedGenerations(root))
    await rollBackTo(root, 'lite')
    expect(answersOf(root, 'lite', QUERIES)).toEqual(answers)
  })

  test('a name that the manifest holds is not given again, though its generation is gone', async () => {
    const root = await filled()
    await rebuildAs(root, 'lite')
    const named = namedGenerations(root)
    rmSync(join(root.path, layout.generations), { recursive: true })
    expect(await rebuildAs(root, 'lite')).not.toHaveProperty('previous')
    expect(named).not.toContain(manifestOf(root.path).generation)
  })
})

const WAYS: readonly (readonly [from: ConfigurationName, to: ConfigurationName])[] = [
  ['lite', 'lite'],
  ['lite', 'journal'],
  ['journal', 'lite'],
  ['journal', 'wide'],
]

describe('a rollback gives the old answers, to the last score', () => {
  test.each(WAYS)('%s, rebuilt as %s', async (from, to) => {
    const root = await filled(from)
    const [answers, rows] = [answersOf(root, from, QUERIES), rowsOf(root)]
    expect(answers.flat().length).toBeGreaterThan(QUERIES.length)
    const before = manifestOf(root.path)
    await rebuildAs(root, to)
    const after = answersOf(root, to, QUERIES)
    const report = await rollBackTo(root, from)
    expect(report).toMatchObject({
      identity: before.identity,
      memories: BULLETS.length,
      previous: { isOffered: true },
    })
    expect(answersOf(root, from, QUERIES)).toEqual(answers)
    expect(rowsOf(root)).toEqual(rows)
    const { generation, previous, ...rest } = manifestOf(root.path)
    expect(rest).toEqual({ ...before, generation: undefined })
    expect(generation).toBe(report.generation)
    expect(generationsOf(root)).toEqual(namedGenerations(root))

    // And back again, as often as one likes.
    await rollBackTo(root, to)
    expect(answersOf(root, to, QUERIES)).toEqual(after)
    await rollBackTo(root, from)
    expect(answersOf(root, from, QUERIES)).toEqual(answers)
    expect(previous?.identity).toEqual(manifestOf(root.path).previous?.identity)
  })

  test('memories that waited for their vector wait for it again', async () => {
    const root = await filled('journal')
    inDatabase(root, 'insert into vector_backlog select row from memory_vectors where row > 2')
    inDatabase(root, 'delete from memory_vectors where row > 2')
    await rebuildAs(root, 'lite')
    await rollBackTo(root, 'journal')
    const index = await openWritableIndex(optionsOf(root, 'journal'))
    expect(index.countMissingVectors()).toBe(3)
    index.close()
  })

  test('a reader follows it', async () => {
    const root = await filled()
    const first = openIndexReader(optionsOf(root, 'lite'))
    const answers = QUERIES.map((query) => first.search({ query, limit: 20, explain: true }))
    await rebuildAs(root, 'lite')
    const { generation } = await rollBackTo(root, 'lite')
    expect(QUERIES.map((query) => first.search({ query, limit: 20, explain: true }))).toEqual(answers)
    expect(first.stats().generation).toBe(generation)
    first.close()
  })

  test('the writer goes on from it', async () => {
    const root = await filled()
    await rebuildAs(root, 'journal')
    await rollBackTo(root, 'lite')
    const index = await root.open()
    expect((await index.catchUp()).filesRead).toBe(0)
    root.write('daily/2026-05-03.md', [bullet({ id: 'm-new', sentence: 'New marathon.' })])
    expect(await index.catchUp()).toMatchObject({ filesRead: 1, added: 1 })
    expect(index.search({ query: 'marathon', limit: 5 }).map(({ id }) => id)).toEqual(['m-new'])
    index.close()
  })

  test('though the index in use is damaged: it mends that too, and keeps nothing', async () => {
    const root = await filled()
    const answers = answersOf(root, 'lite', QUERIES)
    await rebuildAs(root, 'journal')
    writeFileSync(databaseOf(root.path), 'x'.repeat(8_192))
    expect(await rollBackTo(root, 'lite')).not.toHaveProperty('previous')
    expect(answersOf(root, 'lite', QUERIES)).toEqual(answers)
    expect(generationsOf(root)).toEqual(namedGenerations(root))
  })

  test('a day file that was only touched is no change', async () => {
    const root = await filled()
    await rebuildAs(root, 'journal')
    utimesSync(join(root.path, DAY), 1, 1)
    await expect(rollBackTo(root, 'lite')).resolves.toMatchObject({ previous: { isOffered: true } })
  })
})
