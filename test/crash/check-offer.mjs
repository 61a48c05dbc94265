// Reads the kept index without the library under test.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { readManifest } from './check-vectors.mjs'
import { readBullets } from './read-root.mjs'

/** Whether the manifest offers an index to go back to. */
export const isOffered = (root) => readManifest(root).previous?.isOffered === true

/** Whether the kept index, of which the manifest knows, holds just what Markdown says. */
export function isKeptCurrent(root) {
  const { previous } = readManifest(root)
  const db = new Database(join(root, '.index/generations', previous.generation, 'memory.db'), { readonly: true })
  try {
    const rows = db.prepare('select id, sentence from memories').all()
    const lines = (list) => list.map(({ id, sentence }) => `${id} ${sentence}`).sort()
    return JSON.stringify(lines(rows)) === JSON.stringify(lines(readBullets(root)))
  } finally {
    db.close()
  }
}

/** The store itself never leaves an offer that is not what Markdown says. */
export function checkOffer(root) {
  if (isOffered(root)) assert.ok(isKeptCurrent(root), 'an index is offered that is not what Markdown says')
}
