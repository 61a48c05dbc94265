// The recovery of a bujo store, whose own crashes are explored: it opens, carries out what a plan says, curates what is due.
import { scriptOf } from './capture-scripts.mjs'
import { openCapture, openCaptureReader } from './open-capture.mjs'
import { storeRoot } from './paths.mjs'

const root = storeRoot(process.env.CRASH_ROOT)
const script = scriptOf(process.env.CRASH_VARIANT)
const store = await openCapture(root, script, await instantOfLastTurn())
await store.flush()
await store.close()

/** A turn that was tried without success must not be tried more often than in the script. */
async function instantOfLastTurn() {
  const reader = await openCaptureReader(root)
  const { items } = await reader.inspect()
  await reader.close()
  return Math.max(script.steps[0].at, ...items.map(({ admittedAt }) => Date.parse(admittedAt)))
}
