// Before recording starts: a bujo store after the first steps of the script of CRASH_VARIANT; its model is calibrated.
import { scriptOf } from '../capture-scripts.mjs'
import { openCapture } from '../open-capture.mjs'
import { storeRoot } from '../paths.mjs'

const script = scriptOf(process.env.CRASH_VARIANT)
for (const step of script.steps.slice(0, script.prepared)) {
  const store = await openCapture(storeRoot(process.env.CRASH_ROOT), script, step.at)
  await store.perform(step)
  await store.flush()
  await store.close()
}
