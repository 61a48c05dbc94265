import { layout } from '@mono-agent/memory-store'
import Database from 'better-sqlite3'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { AUTHORITY_TABLES } from '../../src/sqlite/authority-rows.js'
import { parseManifest } from '../../src/generation/manifest.js'
import { indexedWords } from './indexed-words.js'

export const manifestOf = (root: string) => parseManifest(readFileSync(join(root, layout.manifest)))
export const databaseOf = (root: string): string => join(root, layout.database(manifestOf(root).generation))

const AUTHORITY = Object.values(AUTHORITY_TABLES).flatMap((tables) => Object.keys(tables))

/** All that an index holds but row numbers and recording times: equal dumps answer every query alike. */
export function dump(root: string): unknown {
  const db = new Database(databaseOf(root), { readonly: true })
  try {
    const words = indexedWords(db)
    const rows = db.prepare('select * from memories order by file, position').all() as { row: number }[]
    return {
      memories: rows.map(({ row, ...rest }) => ({
        ...rest,
        words: words.get(row),
      })),
      indexed: db.prepare('select count(*) from memory_words').pluck().get(),
      vocabulary: db.prepare('select term, doc, cnt from word_frequencies').all(),
      files: db.prepare('select path, size, digest from files').all(),
      labels: db
        .prepare(
          `select kind, scope, entity_id, has_key, recorded_at, labels.id, file from memory_labels as labels
             join memories using (row) order by 1, 2, 3, 4, 5, 6, 7`,
        )
        .all(),
      entityMemories: db
        .prepare(
          `select entity_id, recorded_at, standing.id, file from entity_memories as standing
             join memories using (row) order by 1, 2, 3, 4`,
        )
        .all(),
      facts: db.prepare('select fact_key, id, file from memory_facts join memories using (row) order by 1, 2, 3').all(),
      authority: db.prepare('select path, size, digest from authority_files').all(),
      ...Object.fromEntries(AUTHORITY.map((table) => [table, db.prepare(`select * from ${table}`).all()])),
    }
  } finally {
    db.close()
  }
}
