// The verifier of every workload that goes through the whole store. See README.md for what it holds against a state.
import assert from 'node:assert/strict'
import { readAcknowledged } from './acknowledge.mjs'
import { checkRoot } from './check-root.mjs'
import { checkPersonsLines, checkTurns } from './check-turns.mjs'
import { checkUnrecovered } from './check-unrecovered.mjs'
import { steadyHost } from './host.mjs'
import { createMemoryStore, openMemoryReader } from './library.mjs'
import { storeRoot } from './paths.mjs'
import { canonicalDigests, readBullets } from './read-root.mjs'
import { conflictingTurn, turnOf, wordOf } from './turns.mjs'

/** A run id that no workload sends. */
const LATER_RUN = 'short-199'

export async function verify({ root: folder, acked: tokens }) {
  const root = storeRoot(folder)
  const acked = readAcknowledged(tokens)

  await checkUnrecovered(root, () => openMemoryReader({ path: root }), { mayBeGone: acked.has('deletes', 'index') })
  await opened(root, 1, async (store) => assert.deepEqual(await store.flush(), { pending: 0, dead: 0 }))
  checkRoot(root)
  await checkAll(root, acked)
  const first = await lastingState(root)

  await opened(root, 2, (store) => store.flush())
  assert.deepEqual(await lastingState(root), first, 'a second recovery changed something')

  await opened(root, 3, (store) => sendAgain(store, acked))
  checkRoot(root)
  await checkAll(root, acked)
}

/** Opens the store for writing, uses and closes it. */
async function opened(root, hours, use) {
  const store = await createMemoryStore(
    { mode: 'lite', path: root, writeMode: 'append-host-summary' },
    steadyHost(hours * 24),
  )
  try {
    await use(store)
  } finally {
    await store.close()
  }
}

/** Opens a reader beside nobody, uses and closes it. */
async function read(root, use) {
  const reader = await openMemoryReader({ path: root })
  try {
    return await use(reader)
  } finally {
    await reader.close()
  }
}

/** What no recovery of a recovered root may change. */
const lastingState = (root) =>
  read(root, async (reader) => ({
    digests: canonicalDigests(root),
    memories: (await reader.stats()).memories,
    intake: (await reader.inspect()).counts,
  }))

/** Checks Markdown against what was acknowledged, and the index against Markdown. */
async function checkAll(root, acked) {
  const runs = checkTurns(root, acked)
  checkPersonsLines(root, acked)
  const bullets = readBullets(root)
  await read(root, async (reader) => {
    const { memories, stale } = await reader.stats()
    assert.deepEqual(
      { memories, stale },
      { memories: bullets.length, stale: false },
      'the index does not mirror Markdown',
    )
    for (const { id, file } of bullets)
      assert.equal((await reader.log(id))?.memory.file, file, `${id} is not in the index`)
    for (const [runId, own] of runs) await checkRecall(reader, wordOf(runId), own)
    for (const word of acked.said('remembered')) await checkRemembered(reader, bullets, word)
  })
}

/** All that holds the word is found, each once; what was said right after it may be too, for its context holds it. */
async function checkRecall(reader, word, bullets) {
  const ids = (await reader.recallWithOutcome(word, { limit: 50 })).hits.map(({ id }) => id)
  for (const { id } of bullets) assert.ok(ids.includes(id), `${id} is not recalled by its own word`)
  assert.equal(new Set(ids).size, ids.length, 'recall gives a memory twice')
}

async function checkRemembered(reader, bullets, word) {
  const own = bullets.filter(({ sentence }) => sentence.includes(word))
  assert.equal(own.length, 1, `what was remembered is lost or doubled: ${word}`)
  await checkRecall(reader, word, own)
}

/** What was acknowledged is known, for ever; what was not may be sent again; new work goes on. */
async function sendAgain(store, acked) {
  for (const runId of acked.said('turn')) {
    assert.equal((await store.persistCompletedTurn(turnOf(runId))).status, 'duplicate', `${runId} was admitted again`)
    await assert.rejects(store.persistCompletedTurn(conflictingTurn(runId)), { code: 'run_conflict' })
    assert.ok(['indexed', 'settled'].includes((await store.turnStatus(runId)).state), `${runId} is not settled`)
  }
  for (const word of acked.said('remembered')) {
    assert.equal(
      (await store.remember({ text: `Remember ${word}.` })).status,
      'duplicate',
      `${word} was remembered again`,
    )
  }
  assert.equal((await store.persistCompletedTurn(turnOf(LATER_RUN))).status, 'admitted')
  assert.deepEqual(await store.flush(), { pending: 0, dead: 0 })
  acked.said('turn').add(LATER_RUN)
}
