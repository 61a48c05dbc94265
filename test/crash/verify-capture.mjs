// The verifier of the workloads that curate turns. See README.md for what it holds against a state.
import assert from 'node:assert/strict'
import { readAcknowledged } from './acknowledge.mjs'
import { scriptOf } from './capture-scripts.mjs'
import { checkIndexBehind } from './check-index-behind.mjs'
import { checkRoot } from './check-root.mjs'
import { checkUnrecovered } from './check-unrecovered.mjs'
import { comparable, goldenRun, statusesOf } from './golden-capture.mjs'
import { openCapture, openCaptureReader } from './open-capture.mjs'
import { storeRoot } from './paths.mjs'
import { captureBytes, indexRows, plansOf } from './read-capture.mjs'
import { turnIdOf } from './turns.mjs'

const variant = process.env.CRASH_VARIANT
const script = scriptOf(variant)
const { steps, prepared } = script

export async function verify({ root: folder, acked: tokens }) {
  const golden = await goldenRun(variant)
  const root = storeRoot(folder)
  const acked = readAcknowledged(tokens)
  const done = prepared + acked.said('step').size
  const settledBy = acked.has('admitted', String(done)) ? done + 1 : done
  const unaskable = requestsWithout(root, acked)

  checkIndexBehind(root)
  await checkUnrecovered(root, () => openCaptureReader(root))

  // The step under way may be there or not, unless its turn was acknowledged; no other one is there in part.
  const clock = steps[Math.min(done, steps.length - 1)].at
  const recovered = await opened(root, clock, unaskable, (store) => contents(root, store))
  const found = golden.slice(settledBy - 1, done + 1).find((state) => sameBytes(state, recovered))
  assert.deepEqual(recovered, found ?? golden[settledBy - 1], 'recovered, the store is not as if it had never crashed')

  const finished = await opened(root, clock, unaskable, async (store) => {
    assert.deepEqual(store.asked, [], 'a second recovery asked a model')
    assert.deepEqual(await contents(root, store), recovered, 'a second recovery changed something')
    for (const step of steps.slice(done)) await store.perform(step)
    return contents(root, store)
  })
  assert.deepEqual(finished, golden.at(-1), 'continued, the store does not become what it becomes without a crash')
}

/** Opens, lets all that is due come to its end, uses the store and closes it. @returns what `use` does */
async function opened(root, at, unaskable, use) {
  const store = await openCapture(root, script, at)
  let result
  try {
    const { dead, missingVectors } = await store.flush()
    assert.deepEqual({ dead, missingVectors }, { dead: 0, missingVectors: 0 })
    result = await use(store)
    for (const request of store.asked) assert.ok(!unaskable.has(request), `a model was asked again: ${request}`)
    checkOutbox(root, await statusesOf(store, script))
  } finally {
    await store.close()
  }
  checkRoot(root)
  return result
}

/** All that the store holds. */
async function contents(root, store) {
  const statuses = await statusesOf(store, script)
  return comparable({ bytes: captureBytes(root), rows: indexRows(root), statuses }, variant)
}

const sameBytes = ({ bytes }, recovered) => JSON.stringify(bytes) === JSON.stringify(recovered.bytes)

/** What no model may be asked any more: whatever a plan holds, and what was acknowledged to be held by one. */
function requestsWithout(root, acked) {
  const plans = plansOf(root)
  return new Set(
    steps.flatMap(({ kind, run }) => {
      if (kind !== 'turn') return []
      const early = [`extract ${run}`, `review ${run}`]
      if (plans.commit.has(turnIdOf(run))) return [...early, `reconcile ${run}`]
      return plans.retained.has(turnIdOf(run)) || acked.has('retained', run) ? early : []
    }),
  )
}

/** Only turns that are to be tried again have a plan. */
function checkOutbox(root, statuses) {
  const { retained, commit } = plansOf(root)
  const waiting = Object.keys(statuses).filter((run) => statuses[run].state === 'admitted')
  assert.deepEqual([...commit], [], 'a plan was not carried out')
  assert.deepEqual([...retained].sort(), waiting.map(turnIdOf).sort(), 'other turns than those that wait have a plan')
}
