// The verifier of the workloads that go through the journal tier. See README.md for what it holds against a state.
import assert from 'node:assert/strict'
import { readAcknowledged } from './acknowledge.mjs'
import { checkContents } from './check-contents.mjs'
import { checkJournalRecall } from './check-journal-recall.mjs'
import { checkRoot } from './check-root.mjs'
import { checkUnrecovered } from './check-unrecovered.mjs'
import { checkVectors, readManifest } from './check-vectors.mjs'
import { hashEmbeddings } from './embeddings.mjs'
import { openJournal, openJournalReader, preparedTellings } from './open-journal.mjs'
import { storeRoot } from './paths.mjs'
import { canonicalDigests } from './read-root.mjs'
import { conflictingTelling, contentOf, tellingOf, textOf } from './tellings.mjs'

/** A content that no workload tells, and the telling of a known one that none sends. */
const LATER_CONTENT = 'short-199:0'
const LATER_TELLING = 5

export async function verify({ root: folder, acked: tokens }) {
  const root = storeRoot(folder)
  const acked = readAcknowledged(tokens)
  for (const runId of preparedTellings()) acked.said('turn').add(runId)

  await checkUnrecovered(root, () => openJournalReader(root, hashEmbeddings()))
  await opened(root, 24, (store, service) => recover(store, service, root, acked))
  await checkAll(root, acked)
  const first = await lastingState(root)

  await opened(root, 48, async (store, { asked }) => {
    assert.deepEqual(await store.flush(), { pending: 0, dead: 0, missingVectors: 0 })
    assert.deepEqual(asked, [], 'a second recovery asked for vectors')
  })
  assert.deepEqual(await lastingState(root), first, 'a second recovery changed something')

  await opened(root, 72, (store) => tellAgain(store, root, acked))
  await checkAll(root, acked)
}

async function opened(root, hours, use) {
  const service = hashEmbeddings()
  const store = await openJournal(root, service, hours)
  try {
    await use(store, service)
  } finally {
    await store.close()
  }
}

/** Recovery with the service away: all turns are settled, and vectors wait. Then it comes back, and none does. */
async function recover(store, service, root, acked) {
  if (acked.has('calibrated', 'model')) assert.ok(readManifest(root).calibration, 'the calibration is lost')
  service.fail()
  const { missingVectors, ...turns } = await store.flush()
  assert.deepEqual(turns, { pending: 0, dead: 0 })
  checkVectors(root, { isComplete: missingVectors === 0 })
  service.mend()
  assert.deepEqual(await store.flush(), { pending: 0, dead: 0, missingVectors: 0 })
  assert.ok(
    missingVectors === 0 || readManifest(root).calibration,
    'vectors were made by a model that was not measured',
  )
  await checkSettled(store, checkContents(root, acked), acked)
}

/** Every turn that is known is settled with the memories that its content has, whoever told it first. */
async function checkSettled(store, contents, acked) {
  let known = 0
  for (const runId of new Set([...acked.said('turn'), ...acked.said('will-turn')])) {
    const status = await store.turnStatus(runId)
    if (status.state === 'unknown') assert.ok(!acked.has('turn', runId), `${runId} was acknowledged and is not known`)
    else {
      const expected = { state: 'indexed', memoryIds: contents.get(contentOf(runId)) }
      assert.deepEqual(status, expected, `${runId} is not settled with what its content is`)
      known++
    }
  }
  assert.equal(store.snapshot().intake.resolved, known, 'there are other receipts than turns')
}

async function checkAll(root, acked) {
  checkRoot(root)
  const contents = checkContents(root, acked)
  checkVectors(root, { isComplete: true })
  await checkJournalRecall(root, contents)
}

/** What no recovery of a recovered root may change. */
async function lastingState(root) {
  const reader = await openJournalReader(root, hashEmbeddings())
  try {
    const { memories, vectors, missingVectors } = await reader.stats()
    const { counts } = await reader.inspect()
    return { digests: canonicalDigests(root), memories, vectors, missingVectors, counts, manifest: readManifest(root) }
  } finally {
    await reader.close()
  }
}

/** What was acknowledged is known for ever; its content, told under a new id, stays one; new work goes on. */
async function tellAgain(store, root, acked) {
  for (const runId of acked.said('turn')) {
    assert.equal(
      (await store.persistCompletedTurn(tellingOf(runId))).status,
      'duplicate',
      `${runId} was admitted again`,
    )
    await assert.rejects(store.persistCompletedTurn(conflictingTelling(runId)), { code: 'run_conflict' })
  }
  for (const content of acked.said('remembered')) {
    assert.equal(
      (await store.remember({ text: textOf(content) })).status,
      'duplicate',
      `${content} was remembered again`,
    )
  }
  // What a person reworded is another content: told again, the first one rightly comes back beside it.
  const again = new Set([...acked.said('turn')].map(contentOf).filter((content) => !acked.has('will-reword', content)))
  for (const runId of [...[...again].map((content) => `${content}:${LATER_TELLING}`), LATER_CONTENT]) {
    assert.equal((await store.persistCompletedTurn(tellingOf(runId))).status, 'admitted')
    acked.said('turn').add(runId)
  }
  assert.deepEqual(await store.flush(), { pending: 0, dead: 0, missingVectors: 0 })
  await checkSettled(store, checkContents(root, acked), acked)
}
