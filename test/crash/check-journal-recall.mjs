import assert from 'node:assert/strict'
import { hashEmbeddings, paraphraseOf } from './embeddings.mjs'
import { openJournalReader } from './open-journal.mjs'
import { readBullets } from './read-root.mjs'
import { wordOf } from './turns.mjs'

/**
 * The index mirrors Markdown, and a reader finds each content by a word of its own and by a paraphrase without one.
 * @param contents  by content, the ids of its bullets
 */
export async function checkJournalRecall(root, contents) {
  const reader = await openJournalReader(root, hashEmbeddings())
  try {
    const { memories, stale } = await reader.stats()
    const bullets = readBullets(root)
    assert.deepEqual(
      { memories, stale },
      { memories: bullets.length, stale: false },
      'the index does not mirror Markdown',
    )
    for (const { id, file } of bullets)
      assert.equal((await reader.log(id))?.memory.file, file, `${id} is not in the index`)
    for (const [content, ids] of contents) {
      await checkFound(reader, wordOf(content), ids, `${content} is not recalled by its own word`)
      await checkFound(reader, paraphraseOf(content), ids, `${content} is not recalled by its meaning`)
    }
  } finally {
    await reader.close()
  }
}

async function checkFound(reader, query, ids, complaint) {
  const { hits, mode, degraded } = await reader.recallWithOutcome(query, { limit: 50 })
  assert.deepEqual({ mode, degraded }, { mode: 'hybrid', degraded: undefined })
  const found = hits.map(({ id }) => id)
  for (const id of ids) assert.ok(found.includes(id), complaint)
  assert.equal(new Set(found).size, found.length, 'recall gives a memory twice')
}
