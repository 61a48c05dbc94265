// A person edits what a turn speaks of before the store recovers; the crashes of that recovery are explored.
import { EDIT_BEFORE_RECOVERY, scriptOf } from './capture-scripts.mjs'
import { editLine, openCapture } from './open-capture.mjs'
import { storeRoot } from './paths.mjs'

const root = storeRoot(process.env.CRASH_ROOT)
const script = scriptOf(process.env.CRASH_VARIANT)
editLine(root, EDIT_BEFORE_RECOVERY)
const store = await openCapture(root, script, script.steps.at(-1).at)
await store.flush()
await store.close()
