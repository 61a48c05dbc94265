import { formatDayFile, layout, parseDayFile } from '@mono-agent/memory-store'
import Database from 'better-sqlite3'
import { readFileSync, rmSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { checkRollback, openWritableIndex } from '../../src/index.js'
import { databaseOf, manifestOf } from '../support/dump.js'
import {
  QUERIES,
  OTHER_DAY,
  BULLETS,
  filled,
  errorOf,
  codeOf,
  rewritePrevious,
  writeManifest,
  damageLookup,
  rewriteDay,
} from '../support/kept-indexes.js'
import {
  answersOf,
  generationsOf,
  optionsOf,
  previousDatabaseOf,
  rebuildAs,
  rollBackTo,
  type ConfigurationName,
} from '../support/rollbacks.js'
import { type TestRoot } from '../support/roots.js'
import { DAY, newRoot } from '../support/scenario.js'

interface Refusal {
  readonly name: string
  readonly code: string
  readonly change: (root: TestRoot) => void
  readonly to?: ConfigurationName
  /** A look at the manifest is enough. */
  readonly isSeenAtOnce?: boolean
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
    `insert into memory_words (rowid, body) values (1, 'other')`,
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
