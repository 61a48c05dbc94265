import { layout, nodeFileSystem, type FileSystem } from '@mono-agent/memory-store'
import Database from 'better-sqlite3'
import {
  linkSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  buildIndex,
  checkIndexIdentity,
  openIndexReader,
  openWritableIndex,
  type IndexIdentity,
} from '../../src/index.js'
import { formatManifest, parseManifest, type Manifest } from '../../src/generation/manifest.js'
import { SCHEMA_VERSION } from '../../src/sqlite/schema.js'
import { databaseOf, dump, manifestOf } from '../support/dump.js'
import { bullet, LITE, type TestRoot } from '../support/roots.js'
import { DAY, find, newRoot, openIn } from '../support/scenario.js'

const JOURNAL: IndexIdentity = {
  tier: 'journal',
  provider: 'test',
  model: 'test-model',
  dimension: 512,
  fingerprint: 'f',
}
const SENTENCES = ['Morgan prefers green tea.', 'Ana has a cat.', '猫が好きです。']

async function filled(): Promise<TestRoot> {
  const root = await newRoot()
  root.write(
    DAY,
    SENTENCES.map((sentence, at) => bullet({ id: `m-${at}`, sentence, conversationId: 'c' })),
  )
  ;(await root.open()).close()
  return root
}

const optionsOf = (root: TestRoot, identity: IndexIdentity = LITE) => ({
  root: root.path,
  fs: root.fs,
  lease: root.lease,
  identity,
  now: Date.now,
})
const manifestPath = (root: TestRoot): string => join(root.path, layout.manifest)
const generationsOf = (root: TestRoot): string[] => readdirSync(join(root.path, layout.generations))
const codeOf = async (action: () => unknown): Promise<unknown> => {
  try {
    await action()
    return undefined
  } catch (error) {
    return (error as { code?: unknown }).code
  }
}
const rewriteManifest = (root: TestRoot, change: Partial<Manifest>): void =>
  writeFileSync(manifestPath(root), formatManifest({ ...manifestOf(root.path), ...change }))

const DAMAGES: readonly { name: string; code: string; damage: (root: TestRoot) => void }[] = [
  {
    name: 'the whole index deleted',
    code: 'manifest_missing',
    damage: (root) => rmSync(join(root.path, layout.index), { recursive: true }),
  },
  { name: 'no manifest', code: 'manifest_missing', damage: (root) => rmSync(manifestPath(root)) },
  { name: 'an empty manifest', code: 'manifest_invalid', damage: (root) => writeFileSync(manifestPath(root), '') },
  { name: 'a torn manifest', code: 'manifest_invalid', damage: (root) => truncateSync(manifestPath(root), 40) },
  {
    name: 'an unknown key in the manifest',
    code: 'manifest_invalid',
    damage: (root) => writeFileSync(manifestPath(root), JSON.stringify({ ...manifestOf(root.path), more: 1 })),
  },
  {
    name: 'a manifest of another generation',
    code: 'database_missing',
    damage: (root) => rewriteManifest(root, { generation: 'g9-9' }),
  },
  {
    name: 'another analyzer',
    code: 'metadata_mismatch',
    damage: (root) => rewriteManifest(root, { analyzer: 'words-0' }),
  },
  { name: 'no database', code: 'database_missing', damage: (root) => rmSync(databaseOf(root.path)) },
  { name: 'an empty database', code: 'metadata_mismatch', damage: (root) => truncateSync(databaseOf(root.path), 0) },
  {
    name: 'no database at all',
    code: 'sqlite_integrity_failed',
    damage: (root) => writeFileSync(databaseOf(root.path), 'x'.repeat(8_192)),
  },
]

const away = (path: string): string => {
  renameSync(path, `${path}-away`)
  return `${path}-away`
}
const linked = (path: string): void => symlinkSync(away(path), path)

const UNSAFE: readonly { name: string; damage: (root: TestRoot) => void }[] = [
  { name: 'a link as `.index`', damage: (root) => linked(join(root.path, layout.index)) },
  { name: 'a link as `generations`', damage: (root) => linked(join(root.path, layout.generations)) },
  { name: 'a link as generation', damage: (root) => linked(join(root.path, layout.generation('g1-0'))) },
  { name: 'a link as database', damage: (root) => linked(databaseOf(root.path)) },
  {
    name: 'a second name of the database',
    damage: (root) => linkSync(databaseOf(root.path), join(root.path, 'again')),
  },
]

describe('what SQLite would follow is refused before it is opened', () => {
  test.each(UNSAFE)('$name', async ({ damage }) => {
    const root = await filled()
    damage(root)
    expect(await codeOf(() => openIndexReader(optionsOf(root)))).toBe('path_unsafe')
    expect(await codeOf(() => openWritableIndex(optionsOf(root)))).toBe('path_unsafe')
  })
})

describe('opening', () => {
  test('a new root gets an empty generation, and only the right modes', async () => {
    const root = await newRoot()
    const index = await root.open()
    expect(index.stats()).toMatchObject({ memories: 0, dayFiles: 0, generation: 'g1-0' })
    index.close()
    expect(manifestOf(root.path)).toMatchObject({
      version: 1,
      generation: 'g1-0',
      identity: { tier: 'lite' },
      schemaVersion: SCHEMA_VERSION,
    })
    expect(statSync(databaseOf(root.path)).mode & 0o777).toBe(0o600)
    for (const path of [layout.index, layout.generations, layout.generation('g1-0')]) {
      expect(statSync(join(root.path, path)).mode & 0o777).toBe(0o700)
    }
  })

  test('a clean close leaves one file, without log', async () => {
    const root = await filled()
    expect(readdirSync(join(root.path, layout.generation('g1-0')))).toEqual(['memory.db'])
    expect(new Database(databaseOf(root.path), { readonly: true }).pragma('journal_mode', { simple: true })).toBe(
      'delete',
    )
  })

  test('an index that is whole is used again, as it is', async () => {
    const root = await filled()
    const before = readFileSync(manifestPath(root))
    ;(await root.open()).close()
    expect(readFileSync(manifestPath(root))).toEqual(before)
    expect(generationsOf(root)).toEqual(['g1-0'])
  })

  test.each(DAMAGES)('lite builds anew: $name', async ({ damage }) => {
    const root = await filled()
    const before = dump(root.path)
    damage(root)
    const index = await root.open()
    expect(find(index, 'green tea')[0]).toBe('m-0')
    index.close()
    expect(dump(root.path)).toEqual(before)
    expect(generationsOf(root)).toEqual([manifestOf(root.path).generation])
  })

  test.each(DAMAGES)('a reader is told: $name', async ({ damage, code }) => {
    const root = await filled()
    damage(root)
    expect(await codeOf(() => openIndexReader(optionsOf(root)))).toBe(code)
  })

  test.each(DAMAGES)('other tiers are told, and nothing is written: $name', async ({ damage, code }) => {
    const root = await filled()
    rewriteManifest(root, { identity: { ...JOURNAL } })
    damage(root)
    const before = snapshotOf(root)
    expect(await codeOf(() => openWritableIndex(optionsOf(root, JOURNAL)))).toBe(code)
    expect(snapshotOf(root)).toEqual(before)
  })

  test('a reader that comes while a rebuild switches opens what it switched to', async () => {
    const root = await filled()
    const former = readFileSync(manifestPath(root))
    await buildIndex(optionsOf(root))
    const next = readFileSync(manifestPath(root))
    writeFileSync(manifestPath(root), former)
    const isGone = (path: string): boolean => path === join(root.path, layout.generation('g1-0'))
    const fs: FileSystem = {
      ...root.fs,
      lstat: (path) => {
        if (isGone(path)) writeFileSync(manifestPath(root), next)
        return root.fs.lstat(path)
      },
    }
    const reader = openIndexReader({ ...optionsOf(root), fs })
    expect(reader.stats()).toMatchObject({ generation: 'g1-1', memories: SENTENCES.length })
    reader.close()
  })

  test('what was cut from a build is removed', async () => {
    const root = await filled()
    nodeFileSystem.makeDirectory(join(root.path, layout.generation('g7-0')))
    writeFileSync(join(root.path, layout.database('g7-0')), 'half')
    writeFileSync(join(root.path, layout.generations, 'stray'), '')
    ;(await root.open()).close()
    expect(generationsOf(root)).toEqual(['g1-0'])
  })
})

/** Names and bytes of all that is in `.index`. */
function snapshotOf(root: TestRoot): unknown {
  try {
    return (readdirSync(join(root.path, layout.index), { recursive: true }) as string[]).map((name) => {
      const path = join(root.path, layout.index, name)
      return [name, statSync(path).isFile() ? readFileSync(path, 'base64') : '']
    })
  } catch {
    return 'none'
  }
}

describe('identity and versions', () => {
  test.each([
    { name: 'another tier', identity: JOURNAL },
    { name: 'a provider', identity: { tier: 'lite', provider: 'test' } as const },
    { name: 'a dimension', identity: { tier: 'lite', dimension: 3 } as const },
  ])('$name is refused, with the mend, before anything is written', async ({ identity }) => {
    const root = await filled()
    const before = snapshotOf(root)
    for (const open of [
      () => checkIndexIdentity(optionsOf(root, identity)),
      () => openWritableIndex(optionsOf(root, identity)),
      () => openIndexReader(optionsOf(root, identity)),
    ]) {
      expect(await codeOf(open)).toBe('configured_identity_mismatch')
    }
    expect(snapshotOf(root)).toEqual(before)
    expect(() => checkIndexIdentity(optionsOf(root, identity))).toThrow(
      /stop the agent and run `mono-agent-memory rebuild`/,
    )
  })

  test('a rebuild may change the identity', async () => {
    const root = await filled()
    await buildIndex(optionsOf(root, JOURNAL))
    const index = await openWritableIndex(optionsOf(root, JOURNAL))
    expect(find(index, 'cat')).toContain('m-1')
    index.close()
  })

  test('what a newer version wrote is left alone by every tier', async () => {
    const root = await filled()
    writeFileSync(manifestPath(root), JSON.stringify({ version: 2, generation: { of: 'the future' } }))
    const before = snapshotOf(root)
    for (const open of [
      () => checkIndexIdentity(optionsOf(root)),
      () => root.open(),
      () => openIndexReader(optionsOf(root)),
    ]) {
      expect(await codeOf(open)).toBe('index_newer')
    }
    expect(snapshotOf(root)).toEqual(before)
  })

  test('so is a database of a newer schema', async () => {
    const root = await filled()
    const db = new Database(databaseOf(root.path))
    db.pragma('user_version = 99')
    db.close()
    for (const open of [() => root.open(), () => openIndexReader(optionsOf(root))])
      expect(await codeOf(open)).toBe('index_newer')
    expect(generationsOf(root)).toEqual(['g1-0'])
  })

  test('a database of an earlier schema is for a writer to bring up to date: a reader says so', async () => {
    const root = await filled()
    const db = new Database(databaseOf(root.path))
    db.pragma(`user_version = ${SCHEMA_VERSION - 1}`)
    db.close()
    expect(await codeOf(() => openIndexReader(optionsOf(root)))).toBe('index_older')
    expect(generationsOf(root)).toEqual(['g1-0'])
  })

  test('there is nothing to check in a root without manifest', async () => {
    const root = await newRoot()
    expect(() => checkIndexIdentity(optionsOf(root, JOURNAL))).not.toThrow()
    expect(() => parseManifest(new Uint8Array([0xff]))).toThrow(/manifest/)
  })
})

describe('building', () => {
  test('reports what it took and what it left, with places', async () => {
    const root = await newRoot()
    const text = [
      '# 2026-05-01',
      '',
      'A note to myself.',
      '- – Tea.',
      '  <!--mem id=a created=2026-05-01T09:00:00.000Z-->',
      '- – Without id.',
      '  <!--mem created=2026-05-01T09:00:00.000Z-->',
      '- – Tea again.',
      '  <!--mem id=a created=2026-05-01T09:00:00.000Z-->',
      '',
    ].join('\n')
    root.write(DAY, [])
    writeFileSync(join(root.path, DAY), text)
    root.write('daily/2026-05-02.md', [bullet({ id: 'a', sentence: 'Copied.' }), bullet({ id: 'b', sentence: 'New.' })])
    const steps: number[][] = []
    const report = await buildIndex({ ...optionsOf(root), onProgress: (done, total) => steps.push([done, total]) })
    expect(report).toEqual({
      generation: 'g1-0',
      indexed: 2,
      skipped: { unstructured: 1, missingIdentity: [`${DAY}:6`], duplicateIds: [`${DAY}:8`, 'daily/2026-05-02.md:3'] },
    })
    expect(steps).toEqual([
      [1, 2],
      [2, 2],
    ])
    const index = await openIn(root)
    expect(index.get('a')).toMatchObject({ text: 'Tea.', file: DAY })
    expect(index.listFile('daily/2026-05-02.md').map(({ id }) => id)).toEqual(['b'])
  })

  test('refuses when a day file changes under it; the former index stays', async () => {
    const root = await filled()
    const before = dump(root.path)
    let turns = 0
    const yieldTurn = (): Promise<void> => {
      if (++turns === 3) root.write(DAY, [bullet({ id: 'x', sentence: 'Other.' })])
      return Promise.resolve()
    }
    expect(await codeOf(() => buildIndex({ ...optionsOf(root), yieldTurn }))).toBe('source_changed')
    expect(dump(root.path)).toEqual(before)
    expect(generationsOf(root)).toEqual(['g1-0'])
  })

  test.each([
    {
      name: 'edited again and again',
      edit: (root: TestRoot, n: number) => root.write(DAY, [bullet({ id: `b-${n}`, sentence: 'Two.' })]),
    },
    { name: 'removed', edit: (root: TestRoot, n: number) => void (n === 3 && root.remove(DAY)) },
    {
      name: 'joined by another',
      edit: (root: TestRoot, n: number) =>
        root.write('daily/2026-05-09.md', [bullet({ id: `n-${n}`, sentence: 'Two.' })]),
    },
  ])(
    'opening ends however busily day files are $name meanwhile, and the catch-up that follows finds all',
    async ({ edit }) => {
      const root = await newRoot()
      root.write(DAY, [bullet({ id: 'a', sentence: 'One.' })])
      root.write('daily/2026-05-02.md', [bullet({ id: 'c', sentence: 'Three.' })])
      let turns = 0
      const yieldTurn = (): Promise<void> => {
        edit(root, ++turns)
        return Promise.resolve()
      }
      const index = await openWritableIndex({ ...optionsOf(root), yieldTurn })
      index.close()
      const again = await openWritableIndex(optionsOf(root))
      await again.catchUp()
      const incremental = dump(root.path)
      again.close()
      await buildIndex(optionsOf(root))
      expect(incremental).toEqual(dump(root.path))
    },
  )

  test('refuses a linked day file', async () => {
    const root = await newRoot()
    root.write(DAY, [])
    const { symlinkSync } = await import('node:fs')
    symlinkSync(join(root.path, DAY), join(root.path, 'daily/2026-05-02.md'))
    expect(await codeOf(() => buildIndex(optionsOf(root)))).toBe('path_unsafe')
  })

  test('yields between slices', async () => {
    const root = await newRoot()
    root.write(
      DAY,
      Array.from({ length: 1_000 }, (_, n) => bullet({ id: `m-${n}`, sentence: `Sentence ${n}.` })),
    )
    let turns = 0
    await buildIndex({ ...optionsOf(root), yieldTurn: () => Promise.resolve(void turns++) })
    expect(turns).toBeGreaterThan(30)
  })
})
