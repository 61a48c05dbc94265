// All that the journal promises, and recall from memory. See README.md.
import assert from 'node:assert/strict'
import { checkSidecar } from './check-sidecar.mjs'
import { hashEmbeddings } from './embeddings.mjs'
import { openJournal } from './open-journal.mjs'
import { storeRoot } from './paths.mjs'
import { cutCopiesOf, watchSealing } from './sealing.mjs'
import { verify as verifyJournal } from './verify-journal.mjs'

/** A loss of power may take back what a copy holds; only where the workload found a damaged one may one be damaged. */
const MAY_BE = process.env.CRASH_VARIANT === 'damaged' ? ['foreign', 'damaged'] : ['foreign']

export async function verify(state) {
  const root = storeRoot(state.root)
  await checkSidecar(root, { mayBe: MAY_BE })
  await verifyJournal(state)
  assert.deepEqual(cutCopiesOf(root), [], 'a cut copy was left')
  if (!(await checkSidecar(root, { mayBe: MAY_BE }))) await sealAgain(root)
  assert.ok(await checkSidecar(root), 'a store that went on has no sealed copy')
}

/** Who is asked and finds no copy to take makes one. */
async function sealAgain(root) {
  const sealing = watchSealing()
  const store = await openJournal(root, hashEmbeddings(), 96, sealing.over)
  try {
    await sealing.during(() => store.recallWithOutcome('kettle'))
  } finally {
    await store.close()
  }
}
