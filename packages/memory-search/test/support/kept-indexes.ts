import { layout, type Bullet } from '@mono-agent/memory-store'
import Database from 'better-sqlite3'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { formatManifest, type Manifest, type PreviousIndex } from '../../src/generation/manifest.js'
import { databaseOf, manifestOf } from './dump.js'
import { rebuildAs, type ConfigurationName } from './rollbacks.js'
import { bullet, type TestRoot } from './roots.js'
import { DAY, newRoot } from './scenario.js'

export const QUERIES = ['tea', 'who has a cat', 'pottery on 2 May 2026', 'Ana', '猫', 'INV-2026-00017']
export const OTHER_DAY = 'daily/2026-05-02.md'

export const BULLETS: readonly Bullet[] = [
  'Morgan prefers green tea to black tea.',
  'Ana has a cat that drinks tea.',
  '猫が好きです。',
  'The pottery class costs 40 euros.',
  'Invoice INV-2026-00017 was paid.',
].map((sentence, at) => bullet({ id: `m-${at}`, sentence, conversationId: at % 2 === 0 ? 'a' : 'b', speaker: 'Ana' }))

export async function filled(name: ConfigurationName = 'lite'): Promise<TestRoot> {
  const root = await newRoot()
  root.write(DAY, BULLETS.slice(0, 3))
  root.write(OTHER_DAY, BULLETS.slice(3))
  await rebuildAs(root, name)
  return root
}

export const errorOf = async (action: () => unknown): Promise<{ code?: unknown; message?: unknown } | undefined> => {
  try {
    await action()
    return undefined
  } catch (error) {
    return error as { code?: unknown; message?: unknown }
  }
}
export const codeOf = async (action: () => unknown): Promise<unknown> => (await errorOf(action))?.code

export const rewritePrevious = (root: TestRoot, change: Partial<PreviousIndex>): void => {
  const manifest = manifestOf(root.path)
  if (manifest.previous === undefined) throw new Error('nothing was kept')
  writeManifest(root, { ...manifest, previous: { ...manifest.previous, ...change } })
}
export const writeManifest = (root: TestRoot, manifest: Manifest): void =>
  writeFileSync(join(root.path, layout.manifest), formatManifest(manifest))

export function inDatabase(root: TestRoot, sql: string): void {
  const db = new Database(databaseOf(root.path))
  db.exec(sql)
  db.close()
}

/** Changes a key in the tree of an index: no row of a table is another one, yet a lookup by content would miss. */
export function damageLookup(path: string): void {
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

export function renameGeneration(path: string): void {
  const db = new Database(path)
  db.exec(`update index_identity set value = 'g9-9' where key = 'generation'`)
  db.close()
}

export const rewriteDay = (root: TestRoot, change: (text: string) => string): void => {
  const path = join(root.path, DAY)
  writeFileSync(path, change(readFileSync(path, 'utf8')))
}
