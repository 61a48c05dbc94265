// The verifier of a turn before whose recovery a person edits what it speaks of. See README.md.
import assert from 'node:assert/strict'
import { readAcknowledged } from './acknowledge.mjs'
import { EDIT_BEFORE_RECOVERY, scriptOf } from './capture-scripts.mjs'
import { answeredRequests, contents, opened } from './check-capture.mjs'
import { checkIndexBehind } from './check-index-behind.mjs'
import { checkUnrecovered } from './check-unrecovered.mjs'
import { goldenRun } from './golden-capture.mjs'
import { editLine, openCaptureReader } from './open-capture.mjs'
import { storeRoot } from './paths.mjs'

const variant = process.env.CRASH_VARIANT
const script = scriptOf(variant)
const turn = script.steps.at(-1)

export async function verify({ root: folder, acked: tokens, model = 'kill' }) {
  // Whichever was first, but nothing in between: an edge that was written whole stays, one that was not is left out.
  const outcomes = (await Promise.all(['edited after', 'edited before'].map(goldenRun))).map((states) => states.at(-1))
  const root = storeRoot(folder)
  const acked = readAcknowledged(tokens)
  const answered = answeredRequests(root, script, acked)

  checkIndexBehind(root, model)
  await checkUnrecovered(root, () => openCaptureReader(root))
  editLine(root, EDIT_BEFORE_RECOVERY)
  const recovered = await opened(root, script, turn.at, answered, async (store) => {
    const isThere = (await store.turnStatus(turn.run)).state === 'curated'
    assert.ok(isThere || acked.said('admitted').size === 0, 'an acknowledged turn is not curated')
    await store.perform(turn)
    return contents(root, variant, store)
  })
  const found = outcomes.find(({ bytes }) => JSON.stringify(bytes) === JSON.stringify(recovered.bytes))
  assert.deepEqual(
    recovered,
    found ?? outcomes[1],
    'recovered, the store is as neither order of turn and edit makes it',
  )

  const again = await opened(root, script, turn.at, answered, (store) => {
    assert.deepEqual(store.asked, [], 'a second recovery asked a model')
    return contents(root, variant, store)
  })
  assert.deepEqual(again, recovered, 'a second recovery changed something')
}
