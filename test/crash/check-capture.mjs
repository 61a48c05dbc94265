// What verifiers of captures have in common.
import assert from 'node:assert/strict'
import { scriptOf } from './capture-scripts.mjs'
import { checkRoot } from './check-root.mjs'
import { comparable, statusesOf } from './golden-capture.mjs'
import { openCapture } from './open-capture.mjs'
import { captureBytes, indexRows, plansOf } from './read-capture.mjs'
import { turnIdOf } from './turns.mjs'

/**
 * Opens at an instant, lets all that is due come to its end, uses the store and closes it.
 * @param unaskable  requests that no model may get, as `stage run`
 * @returns what `use` does
 */
export async function opened(root, script, at, unaskable, use) {
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
export async function contents(root, variant, store) {
  const statuses = await statusesOf(store, scriptOf(variant))
  return comparable({ bytes: captureBytes(root), rows: indexRows(root), statuses }, variant)
}

/** What no model may be asked any more: whatever a plan holds, and what was acknowledged to be held by one. */
export function answeredRequests(root, { steps }, acked) {
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
  const { retained, commit, remember } = plansOf(root)
  const waiting = Object.keys(statuses).filter((run) => statuses[run].state === 'admitted')
  assert.deepEqual([...commit, ...remember], [], 'a plan was not carried out')
  assert.deepEqual([...retained].sort(), waiting.map(turnIdOf).sort(), 'other turns than those that wait have a plan')
}
