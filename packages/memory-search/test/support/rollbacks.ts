import { layout, type MemoryHit } from '@mono-agent/memory-store'
import Database from 'better-sqlite3'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import {
  buildIndex,
  openIndexReader,
  rollbackIndex,
  type IndexIdentity,
  type RebuildReport,
  type RollbackReport,
} from '../../src/index.js'
import { BUJO } from './authority.js'
import { databaseOf, manifestOf } from './dump.js'
import { LITE, type TestRoot } from './roots.js'
import { build, hashProvider, hashVector, JOURNAL, WEAK } from './vectors.js'

/** Of another model, whose vectors have another length. */
export const WIDE: IndexIdentity = { ...JOURNAL, model: 'wide', dimension: 256, fingerprint: 'wide-256' }

const wideVector = (text: string): Float32Array => hashVector(`wide ${text}`, 256)

/** The configurations of these tests, by name. */
export const CONFIGURATIONS = { lite: LITE, journal: JOURNAL, wide: WIDE, bujo: BUJO } as const
export type ConfigurationName = keyof typeof CONFIGURATIONS

export const optionsOf = (root: TestRoot, name: ConfigurationName) => ({
  root: root.path,
  fs: root.fs,
  lease: root.lease,
  identity: CONFIGURATIONS[name],
  now: Date.now,
})

export function rebuildAs(root: TestRoot, name: ConfigurationName): Promise<RebuildReport> {
  if (name === 'lite') return buildIndex(optionsOf(root, 'lite'))
  if (name === 'journal') return build(root)
  if (name === 'bujo') return build(root, { identity: BUJO })
  const embed = { ...hashProvider(wideVector), identity: { provider: 'test', model: 'wide', dimension: 256, fingerprint: 'wide-256' } } // prettier-ignore
  return build(root, { embed, calibration: WEAK, identity: WIDE })
}

export const rollBackTo = (root: TestRoot, name: ConfigurationName): Promise<RollbackReport> =>
  rollbackIndex(optionsOf(root, name))

export type Answers = readonly (readonly MemoryHit[])[]

/** Hits, scores and explanations of these queries, as a reader with this configuration gets them. */
export function answersOf(root: TestRoot, name: ConfigurationName, queries: readonly string[]): Answers {
  const reader = openIndexReader(optionsOf(root, name))
  try {
    return queries.map((query) => {
      const vector = name === 'lite' ? undefined : name !== 'wide' ? hashVector(query) : wideVector(query)
      return reader.search({ query, limit: 20, explain: true, ...(vector === undefined ? {} : { vector }) })
    })
  } finally {
    reader.close()
  }
}

export const generationsOf = (root: TestRoot): string[] => readdirSync(join(root.path, layout.generations))

/** The generations that the manifest names, as a directory lists them. */
export const namedGenerations = (root: TestRoot): string[] => {
  const { generation, previous } = manifestOf(root.path)
  return [generation, ...(previous === undefined ? [] : [previous.generation])].sort()
}

export const previousDatabaseOf = (root: TestRoot): string =>
  join(root.path, layout.database(manifestOf(root.path).previous?.generation ?? 'none'))

/** Every row but those of bookkeeping: what two indexes with the same answers share. */
export function rowsOf(root: TestRoot): unknown {
  const db = new Database(databaseOf(root.path), { readonly: true })
  try {
    return ['memories', 'memory_vectors', 'vector_backlog', 'memory_words', 'memory_words_data'].map((table) =>
      db.prepare(`select * from ${table}`).raw().all(),
    )
  } finally {
    db.close()
  }
}
