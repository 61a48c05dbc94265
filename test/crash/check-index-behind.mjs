import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { graphOf, plannedLines, replayOf, withIndex } from './read-capture.mjs'
import { readBullets } from './read-root.mjs'

/**
 * Before anything is repaired: the index may lack what the files say, but says nothing that they do not (durability 1.5).
 * @param model  a power loss may damage what a recovery writes over itself; its plan is there as long
 * @param removed  sentences that a person has taken out: their rows go with the next look at the file
 */
export function checkIndexBehind(root, model, removed = []) {
  if (!existsSync(join(root, '.index/manifest.json'))) return
  const planned = model === 'kill' ? { graph: [], replay: [] } : plannedLines(root)
  const graph = [...graphOf(root), ...planned.graph]
  const replay = [...replayOf(root), ...planned.replay]
  const known = {
    memories: new Set(readBullets(root).map(({ id }) => id)),
    entities: new Set(graph.map(({ id }) => id)),
    associations: new Set(graph.map(({ entityId, memoryId }) => `${entityId} ${memoryId}`)),
    supersessions: new Set(replay.map(({ id, by }) => `${id} ${by}`)),
    thread_edges: new Set(replay.map(({ from, to }) => `${from} ${to}`)),
  }
  withIndex(root, (db) => {
    const find = db.prepare('select id from memories where sentence = ?').pluck()
    for (const id of removed.flatMap((text) => find.all(text))) known.memories.add(id)
    for (const [table, keys] of Object.entries(known)) {
      for (const key of db.prepare(`select ${KEYS[table]} from ${table}`).pluck().all())
        assert.ok(keys.has(key), `the index has a row of ${table} that no file has: ${key}`)
    }
  })
}

const KEYS = {
  memories: 'id',
  entities: 'id',
  associations: `entity_id || ' ' || memory_id`,
  supersessions: `id || ' ' || by_id`,
  thread_edges: `from_id || ' ' || to_id`,
}
