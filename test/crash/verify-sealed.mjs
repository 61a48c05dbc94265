// What a sealed copy of the sidecar is held to; what else the journal promises, `verify-journal.mjs` holds. See README.md.
import assert from 'node:assert/strict'
import { readAcknowledged } from './acknowledge.mjs'
import { checkContents } from './check-contents.mjs'
import { checkRoot } from './check-root.mjs'
import { checkSidecar } from './check-sidecar.mjs'
import { checkVectors } from './check-vectors.mjs'
import { hashEmbeddings } from './embeddings.mjs'
import { openJournal, preparedTellings } from './open-journal.mjs'
import { storeRoot } from './paths.mjs'
import { watchSealing } from './sealing.mjs'
import { tellingOf } from './tellings.mjs'

/** Told after the recovery; no workload tells it. */
const LATER_TELLING = 'short-199:1'

/** A loss of power may take back what a copy holds; only where the workload found a damaged one may one be damaged. */
const MAY_BE = process.env.CRASH_VARIANT === 'damaged' ? ['foreign', 'damaged'] : ['foreign']

export async function verify({ root: folder, acked: tokens }) {
  const root = storeRoot(folder)
  const acked = readAcknowledged(tokens)
  for (const runId of preparedTellings()) acked.said('turn').add(runId)

  await checkSidecar(root, { mayBe: MAY_BE }) // before anything is repaired
  await opened(root, 24, async (store) => {
    await store.flush()
    await store.recallWithOutcome('kettle') // takes the copy, if it can
    await store.persistCompletedTurn(tellingOf(LATER_TELLING))
    acked.said('turn').add(LATER_TELLING)
    assert.deepEqual(await store.flush(), { pending: 0, dead: 0, missingVectors: 0 })
    await store.recallWithOutcome('kettle')
  })
  checkRoot(root)
  checkContents(root, acked)
  checkVectors(root, { isComplete: true })
  if (!(await checkSidecar(root, { mayBe: MAY_BE }))) await sealAgain(root)
  assert.ok(await checkSidecar(root), 'a store that went on has no sealed copy')
}

/** Who is asked and finds no copy to take makes one. */
async function sealAgain(root) {
  const sealing = watchSealing()
  const recall = (store) => sealing.during(() => store.recallWithOutcome('kettle'))
  await opened(root, 48, recall, sealing.over)
}

async function opened(root, hours, use, overFileSystem) {
  const store = await openJournal(root, hashEmbeddings(), hours, overFileSystem)
  try {
    await use(store)
  } finally {
    await store.close()
  }
}
