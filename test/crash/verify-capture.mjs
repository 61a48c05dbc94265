// The verifier of the workloads that curate turns. See README.md for what it holds against a state.
import assert from 'node:assert/strict'
import { readAcknowledged } from './acknowledge.mjs'
import { scriptOf } from './capture-scripts.mjs'
import { answeredRequests, contents, opened } from './check-capture.mjs'
import { checkIndexBehind } from './check-index-behind.mjs'
import { checkUnrecovered } from './check-unrecovered.mjs'
import { goldenRun } from './golden-capture.mjs'
import { openCaptureReader } from './open-capture.mjs'
import { storeRoot } from './paths.mjs'

const variant = process.env.CRASH_VARIANT
const script = scriptOf(variant)
const { steps, prepared } = script
const removed = steps.filter(({ kind }) => kind === 'removal').map(({ text }) => text)

export async function verify({ root: folder, acked: tokens, model = 'kill' }) {
  const golden = await goldenRun(variant)
  const root = storeRoot(folder)
  const acked = readAcknowledged(tokens)
  const done = prepared + acked.said('step').size
  const settledBy = acked.has('admitted', String(done)) ? done + 1 : done
  const unaskable = answeredRequests(root, script, acked)

  checkIndexBehind(root, model, removed)
  await checkUnrecovered(root, () => openCaptureReader(root))

  // The step under way may be there or not, unless its turn was acknowledged; no other one is there in part.
  const clock = steps[Math.min(done, steps.length - 1)].at
  const recovered = await opened(root, script, clock, unaskable, (store) => contents(root, variant, store))
  const found = golden.slice(settledBy - 1, done + 1).find((state) => sameBytes(state, recovered))
  assert.deepEqual(recovered, found ?? golden[settledBy - 1], 'recovered, the store is not as if it had never crashed')

  const finished = await opened(root, script, clock, unaskable, async (store) => {
    assert.deepEqual(store.asked, [], 'a second recovery asked a model')
    assert.deepEqual(await contents(root, variant, store), recovered, 'a second recovery changed something')
    for (const step of steps.slice(done)) await store.perform(step)
    return contents(root, variant, store)
  })
  assert.deepEqual(finished, golden.at(-1), 'continued, the store does not become what it becomes without a crash')
}

const sameBytes = ({ bytes }, recovered) => JSON.stringify(bytes) === JSON.stringify(recovered.bytes)
