import { layout } from '@mono-agent/memory-store'
import { mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { buildIndex, openIndexReader, openWritableIndex, prepareRebuild } from '../../src/index.js'
import { databaseOf, dump, manifestOf } from '../support/dump.js'
import { bullet, LITE, type TestRoot } from '../support/roots.js'
import { DAY, newRoot } from '../support/scenario.js'

async function filled(): Promise<TestRoot> {
  const root = await newRoot()
  root.write(DAY, [bullet({ id: 'm-0', sentence: 'Morgan prefers green tea.' })])
  ;(await root.open()).close()
  return root
}

const optionsOf = (root: TestRoot) => ({
  root: root.path,
  fs: root.fs,
  lease: root.lease,
  identity: LITE,
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

/** Everything below the root but the lease's files. */
const namesIn = (root: TestRoot): string[] => (readdirSync(root.path, { recursive: true }) as string[]).sort()

/** A directory with something in it, in the place of a file. */
const asDirectory = (path: string): void => {
  rmSync(path, { force: true })
  mkdirSync(path)
  writeFileSync(join(path, 'something'), '')
}
const asFile = (path: string): void => {
  rmSync(path, { recursive: true })
  writeFileSync(path, '', { mode: 0o600 })
}

const OBSTRUCTIONS: readonly { name: string; damage: (root: TestRoot) => void }[] = [
  { name: 'a file as `.index`', damage: (root) => asFile(join(root.path, layout.index)) },
  { name: 'a file as `generations`', damage: (root) => asFile(join(root.path, layout.generations)) },
  { name: 'a file as generation', damage: (root) => asFile(join(root.path, layout.generation('g1-0'))) },
  { name: 'a directory as manifest', damage: (root) => asDirectory(manifestPath(root)) },
  { name: 'a directory as database', damage: (root) => asDirectory(databaseOf(root.path)) },
  ...['-wal', '-shm', '-journal'].map((suffix) => ({
    name: `a directory as memory.db${suffix}`,
    damage: (root: TestRoot) => asDirectory(`${databaseOf(root.path)}${suffix}`),
  })),
]

describe('what is of another kind', () => {
  test.each(OBSTRUCTIONS)('$name: said, nothing is written', async ({ damage }) => {
    const root = await filled()
    damage(root)
    const before = namesIn(root)
    expect(await codeOf(() => openIndexReader(optionsOf(root)))).toBe('index_obstructed')
    expect(await codeOf(() => openWritableIndex(optionsOf(root)))).toBe('index_obstructed')
    expect(namesIn(root)).toEqual(before)
  })

  test.each(OBSTRUCTIONS)('$name: a rebuild mends it', async ({ damage }) => {
    const root = await filled()
    const before = dump(root.path)
    damage(root)
    prepareRebuild(optionsOf(root))
    await buildIndex(optionsOf(root))
    ;(await root.open()).close()
    expect(dump(root.path)).toEqual(before)
    expect(generationsOf(root)).toEqual([manifestOf(root.path).generation])
  })

  test.each(OBSTRUCTIONS)('$name: a reader that was open says so too, or answers', async ({ damage }) => {
    const root = await filled()
    const reader = openIndexReader(optionsOf(root))
    damage(root)
    expect([undefined, 'index_obstructed']).toContain(await codeOf(() => reader.stats()))
    reader.close()
  })

  test('a link is refused by a rebuild as well', async () => {
    const root = await filled()
    const path = join(root.path, layout.index)
    renameSync(path, `${path}-away`)
    symlinkSync(`${path}-away`, path)
    expect(await codeOf(() => prepareRebuild(optionsOf(root)))).toBe('path_unsafe')
    expect(readdirSync(`${path}-away`)).toContain('manifest.json')
  })

  test('a rebuild leaves what a newer version wrote', async () => {
    const root = await filled()
    writeFileSync(manifestPath(root), JSON.stringify({ version: 2 }))
    expect(await codeOf(() => prepareRebuild(optionsOf(root)))).toBe('index_newer')
  })
})
