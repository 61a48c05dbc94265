import { formatDayFile, layout, parseDayFile, type Bullet } from '@mono-agent/memory-store'
import Database from 'better-sqlite3'
import { readFileSync, rmSync, statSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { checkRollback, openIndexReader, openWritableIndex } from '../../src/index.js'
import { formatManifest, type Manifest, type PreviousIndex } from '../../src/generation/manifest.js'
import { databaseOf, manifestOf } from '../support/dump.js'
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
import { DAY, newRoot } from '../support/scenario.js'

const QUERIES = ['tea', 'who has a cat', 'pottery on 2 May 2026', 'Ana', '猫', 'INV-2026-00017']
const OTHER_DAY = 'daily/2026-05-02.md'

const BULLETS: readonly Bullet[] = [
  'Morgan prefers green tea to black tea.',
  'Ana has a cat that drinks tea.',
  '猫が好きです。',
  'The pottery class costs 40 euros.',
  'Invoice INV-2026-00017 was paid.',
].map((sentence, at) => bullet({ id: `m-${at}`, sentence, conversationId: at % 2 === 0 ? 'a' : 'b', speaker: 'Ana' }))

async function filled(name: ConfigurationName = 'lite'): Promise<TestRoot> {
  const root = await newRoot()
  root.write(DAY, BULLETS.slice(0, 3))
  root.write(OTHER_DAY, BULLETS.slice(3))
  await rebuildAs(root, name)
  return root
}

const errorOf = async (action: () => unknown): Promise<{ code?: unknown; message?: unknown } | undefined> => {
  try {
    await action()
    return undefined
  } catch (error) {
    return error as { code?: unknown; message?: unknown }
  }
}
const codeOf = async (action: () => unknown): Promise<unknown> => (await errorOf(action))?.code

const rewritePrevious = (root: TestRoot, change: Partial<PreviousIndex>): void => {
  const manifest = manifestOf(root.path)
  if (manifest.previous === undefined) throw new Error('nothing was kept')
  writeManifest(root, { ...manifest, previous: { ...manifest.previous, ...change } })
}
const writeManifest = (root: TestRoot, manifest: Manifest): void =>
  writeFileSync(join(root.path, layout.manifest), formatManifest(manifest))

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

function inDatabase(root: TestRoot, sql: string): void {
  const db = new Database(databaseOf(root.path))
  db.exec(sql)
  db.close()
}

/** Changes a key in the tree of an index: no row of a table is another one, yet a lookup by content would miss. */
function damageLookup(path: string): void {
  const db = new Database(path, { readonly: true })
  const root = db
    .prepare(`select rootpage from sqlite_schema where name = 'memories_by_content'`)
    .pluck()
    .get() as number
  const size = db.pragma('page_size', { simple: true }) as number
  db.close()
  const bytes = readFileSync(path)
  const last = root * size - 10 // in the first key, which lies at the end of its page
  bytes.writeUInt8(bytes.readUInt8(last) ^ 1, last)
  writeFileSync(path, bytes)
}

function renameGeneration(path: string): void {
  const db = new Database(path)
  db.exec(`update index_identity set value = 'g9-9' where key = 'generation'`)
  db.close()
}

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

interface Refusal {
  readonly name: string
  readonly code: string
  readonly change: (root: TestRoot) => void
  readonly to?: ConfigurationName
  /** A look at the manifest is enough. */
  readonly isSeenAtOnce?: boolean
}

const rewriteDay = (root: TestRoot, change: (text: string) => string): void => {
  const path = join(root.path, DAY)
  writeFileSync(path, change(readFileSync(path, 'utf8')))
}

const REFUSALS: readonly Refusal[] = [
  {
    name: 'no manifest',
    code: 'manifest_missing',
    change: (root) => rmSync(join(root.path, layout.manifest)),
    isSeenAtOnce: true,
  },
  {
    name: 'a manifest that is none',
    code: 'manifest_invalid',
    change: (root) => writeFileSync(join(root.path, layout.manifest), '{}'),
    isSeenAtOnce: true,
  },
  {
    name: 'a manifest of a newer version',
    code: 'index_newer',
    change: (root) => writeFileSync(join(root.path, layout.manifest), '{"version":2}'),
    isSeenAtOnce: true,
  },
  {
    name: 'nothing kept',
    code: 'rollback_unavailable',
    change: (root) => {
      const { previous, ...manifest } = manifestOf(root.path)
      if (previous === undefined) throw new Error('nothing was kept')
      writeManifest(root, manifest)
    },
    isSeenAtOnce: true,
  },
  {
    name: 'nothing offered',
    code: 'rollback_unavailable',
    change: (root) => rewritePrevious(root, { isOffered: false }),
    isSeenAtOnce: true,
  },
  {
    name: 'made by another analyzer',
    code: 'rollback_unavailable',
    change: (root) => rewritePrevious(root, { analyzer: 'words-0' }),
    isSeenAtOnce: true,
  },
  {
    name: 'made by a newer schema',
    code: 'index_newer',
    change: (root) => rewritePrevious(root, { schemaVersion: 99 }),
    isSeenAtOnce: true,
  },
  ...(['lite', 'wide'] as const).map((to) => ({
    name: `configured as ${to}`,
    code: 'configured_identity_mismatch',
    change: () => undefined,
    to,
    isSeenAtOnce: true,
  })),
  ...(['tier', 'provider', 'model', 'fingerprint', 'dimension'] as const).map((part) => ({
    name: `another ${part}`,
    code: 'configured_identity_mismatch',
    change: (root: TestRoot) =>
      rewritePrevious(root, {
        identity: {
          ...(manifestOf(root.path).previous?.identity ?? { tier: 'lite' }),
          [part]: part === 'tier' ? 'bujo' : part === 'dimension' ? 64 : 'other',
        },
      }),
    isSeenAtOnce: true,
  })),
  { name: 'a line edited', code: 'source_changed', change: (root) => rewriteDay(root, (text) => text.replace('tea', 'teas')) },
  { name: 'a space added', code: 'source_changed', change: (root) => rewriteDay(root, (text) => `${text}\n`) },
  { name: 'a day file deleted', code: 'source_changed', change: (root) => root.remove(OTHER_DAY) },
  { name: 'a day file added', code: 'source_changed', change: (root) => root.write('daily/2026-05-03.md', []) },
  { name: 'another source', code: 'source_changed', change: (root) => rewritePrevious(root, { source: '0'.repeat(64) }) },
  { name: 'no database', code: 'previous_damaged', change: (root) => rmSync(previousDatabaseOf(root)) },
  {
    name: 'no generation',
    code: 'previous_damaged',
    change: (root) => rmSync(join(previousDatabaseOf(root), '..'), { recursive: true }),
  },
  { name: 'an empty database', code: 'previous_damaged', change: (root) => truncateSync(previousDatabaseOf(root), 0) },
  {
    name: 'a torn database',
    code: 'previous_damaged',
    change: (root) => truncateSync(previousDatabaseOf(root), statSync(previousDatabaseOf(root)).size - 8_192),
  },
  {
    name: 'the database of another generation',
    code: 'previous_damaged',
    change: (root) => writeFileSync(previousDatabaseOf(root), readFileSync(databaseOf(root.path))),
  },
  ...[
    `update memories set salience = 0.9 where id = 'm-1'`,
    `update memory_vectors set vector = (select vector from memory_vectors where row = 2) where row = 1`,
    `delete from vector_backlog; insert into vector_backlog values (1)`,
    `insert into memory_words (memory_words, rank) values ('rank', 'bm25(1.0)')`,
    `update memory_words set body = 'other' where rowid = 1`,
    `update files set recorded_at = 1`,
  ].map((sql) => ({
    name: `a row changed: ${sql}`,
    code: 'previous_damaged',
    change: (root: TestRoot) => {
      const db = new Database(previousDatabaseOf(root))
      db.exec(sql)
      db.close()
    },
  })),
  { name: 'a lookup that would miss', code: 'previous_damaged', change: (root) => damageLookup(previousDatabaseOf(root)) },
  {
    name: 'another commitment',
    code: 'previous_damaged',
    change: (root) => rewritePrevious(root, { commitment: '0'.repeat(64) }),
  },
  {
    name: 'a link instead of the database',
    code: 'path_unsafe',
    change: (root) => {
      const path = previousDatabaseOf(root)
      rmSync(path)
      symlinkSync(databaseOf(root.path), path)
    },
  },
] // prettier-ignore

describe('a rollback is refused, and nothing changes', () => {
  test.each(REFUSALS)('$name: $code', async ({ code, change, to = 'journal', isSeenAtOnce = false }) => {
    const root = await filled('journal')
    await rebuildAs(root, 'wide')
    const before = answersOf(root, 'wide', QUERIES)
    change(root)
    const bytes = manifestBytes(root)
    const generations = generationsOf(root)
    const error = await errorOf(() => rollBackTo(root, to))
    expect(error?.code, String(error?.message)).toBe(code)
    expect(error?.message).not.toContain(root.path)
    expect(manifestBytes(root)).toEqual(bytes)
    expect(generationsOf(root)).toEqual(generations)
    expect(await codeOf(() => checkRollback(optionsOf(root, to)))).toBe(isSeenAtOnce ? code : undefined)
    if (!code.startsWith('manifest') && code !== 'index_newer') {
      expect(answersOf(root, 'wide', QUERIES)).toEqual(before)
    }
  })

  test('a new root has none', async () => {
    const root = await newRoot()
    expect(await codeOf(() => rollBackTo(root, 'lite'))).toBe('manifest_missing')
    ;(await root.open()).close()
    expect(await codeOf(() => rollBackTo(root, 'lite'))).toBe('rollback_unavailable')
  })
})

const manifestBytes = (root: TestRoot): string | undefined => {
  try {
    return readFileSync(join(root.path, layout.manifest), 'utf8')
  } catch {
    return undefined
  }
}

describe('the offer ends with the first change of a day file', () => {
  test('before it, when the writer makes it; afterwards nothing is written for it', async () => {
    const root = await filled()
    await rebuildAs(root, 'lite')
    const index = await root.open()
    await index.retirePrevious()
    expect(manifestOf(root.path).previous?.isOffered).toBe(false)
    const inode = statSync(join(root.path, layout.manifest)).ino
    await index.retirePrevious()
    expect(statSync(join(root.path, layout.manifest)).ino).toBe(inode)
    index.close()
    expect(await codeOf(() => rollBackTo(root, 'lite'))).toBe('rollback_unavailable')
    await expect(index.retirePrevious()).rejects.toMatchObject({ code: 'index_closed' })
  })

  test.each([
    { name: 'an edit', change: (root: TestRoot) => root.write(DAY, BULLETS.slice(0, 2)), isOffered: false },
    { name: 'a new file', change: (root: TestRoot) => root.write('daily/2026-05-03.md', []), isOffered: false },
    { name: 'a deleted file', change: (root: TestRoot) => root.remove(OTHER_DAY), isOffered: false },
    { name: 'nothing', change: () => undefined, isOffered: true },
    {
      name: 'the same text saved again',
      change: (root: TestRoot) => rewriteDay(root, (text) => text),
      isOffered: true,
    },
  ])('a catch-up that finds $name leaves isOffered $isOffered', async ({ change, isOffered }) => {
    const root = await filled()
    await rebuildAs(root, 'lite')
    change(root)
    const index = await root.open()
    await index.catchUp()
    expect(manifestOf(root.path).previous?.isOffered).toBe(isOffered)
    index.close()
  })

  test('a calibration that is kept meanwhile does not bring it back', async () => {
    const root = await filled('journal')
    await rebuildAs(root, 'journal')
    const index = await openWritableIndex(optionsOf(root, 'journal'))
    const calibration = index.calibration()
    if (calibration === undefined) throw new Error('a journal index is calibrated')
    await Promise.all([
      index.setCalibration({ ...calibration, tail: 0.2 }),
      index.retirePrevious(),
      index.setCalibration({ ...calibration, tail: 0.3 }),
    ])
    expect(manifestOf(root.path)).toMatchObject({ calibration: { tail: 0.3 }, previous: { isOffered: false } })
    index.close()
  })

  test('a source that came back to what it was stays retired', async () => {
    const root = await filled()
    await rebuildAs(root, 'lite')
    const text = readFileSync(join(root.path, DAY))
    const index = await root.open()
    writeFileSync(join(root.path, DAY), formatDayFile(parseDayFile(Buffer.concat([text, Buffer.from('\nA note.\n')]))))
    await index.catchUp()
    writeFileSync(join(root.path, DAY), text)
    await index.catchUp()
    index.close()
    expect(await codeOf(() => rollBackTo(root, 'lite'))).toBe('rollback_unavailable')
  })
})
