// Reads the index without the library under test.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { vectorOf } from './embeddings.mjs'

export const readManifest = (root) => JSON.parse(readFileSync(join(root, '.index/manifest.json'), 'utf8'))

/**
 * Every searchable row has the vector of the words it has now, or waits for one, and no other row has either.
 * @param options.isComplete  none may wait
 */
export function checkVectors(root, { isComplete }) {
  const { generation, identity } = readManifest(root)
  const db = new Database(join(root, '.index/generations', generation, 'memory.db'), { readonly: true })
  try {
    const count = (table) => db.prepare(`select count(*) from ${table}`).pluck().get()
    const rows = db
      .prepare(
        `select id, sentence, memories.content_hash as hash, memory_vectors.content_hash as of, vector,
           vector_backlog.row as waiting from memories
           left join memory_vectors using (row) left join vector_backlog using (row) where is_searchable = 1`,
      )
      .all()
    for (const { id, sentence, hash, of, vector, waiting } of rows) {
      assert.ok((vector === null) !== (waiting === null), `${id} has ${vector ? 'a vector and waits' : 'no vector'}`)
      if (isComplete) assert.ok(vector !== null, `${id} still waits for its vector`)
      if (vector === null) continue
      const expected = Buffer.from(vectorOf(sentence, identity.dimension).buffer)
      assert.ok(of === hash && expected.equals(vector), `${id} has the vector of other words`)
    }
    assert.equal(count('memory_vectors') + count('vector_backlog'), rows.length, 'vectors of no searchable row')
  } finally {
    db.close()
  }
}
