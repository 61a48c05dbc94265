// A script of turns that are curated, while a person edits, step by step.
import assert from 'node:assert/strict'
import { acknowledge } from '../acknowledge.mjs'
import { scriptOf } from '../capture-scripts.mjs'
import { openCapture } from '../open-capture.mjs'
import { storeRoot } from '../paths.mjs'

const root = storeRoot(process.env.CRASH_ROOT)
const script = scriptOf(process.env.CRASH_VARIANT)
let store

for (const [number, step] of script.steps.entries()) {
  if (number < script.prepared) continue
  if (step.isReopened === true) await store?.close()
  if (store === undefined || step.isReopened === true) store = await openCapture(root, script, step.at)
  await store.perform(step, () => acknowledge('admitted', String(number)))
  await checkCurrent(step)
  if (step.failsForMinutes !== undefined) acknowledge('retained', step.run)
  acknowledge('step', String(number))
}
await store.close()

/** What was superseded is known to be so at once, and not only when the store is opened again. */
async function checkCurrent({ kind, decisions = [], meanwhile, failsForMinutes, isWithNext, supersedes }) {
  if (supersedes !== undefined) await checkSuperseded(supersedes)
  if (kind !== 'turn' || isWithNext === true || meanwhile !== undefined || failsForMinutes !== undefined) return
  for (const decision of decisions) {
    if (decision?.action !== 'SUPERSEDE') continue
    await checkSuperseded(decision.on)
  }
}

async function checkSuperseded(sentence) {
  const { hits } = await store.recall(sentence)
  const hit = hits.find(({ text }) => text === sentence)
  if (hit !== undefined) assert.equal(hit.currentness, 'superseded', 'the index does not know what was superseded')
}
