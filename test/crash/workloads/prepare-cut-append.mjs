// Before recording starts: the last turn of a script has its plan, day files and graph; the process was killed while it
// appended to the replay delta, of which the first half is there, and zeroes for the rest.
import { scriptOf } from '../capture-scripts.mjs'
import { openCapture } from '../open-capture.mjs'
import { storeRoot } from '../paths.mjs'

const script = scriptOf(process.env.CRASH_VARIANT)
const last = script.steps.length - 1
for (const [number, step] of script.steps.entries()) {
  const overFileSystem = number === last ? cutAppends : undefined
  const store = await openCapture(storeRoot(process.env.CRASH_ROOT), script, step.at, overFileSystem)
  await store.perform(step)
  await store.flush()
  await store.close()
}
throw new Error('Nothing was appended to the replay delta.')

function cutAppends(fs) {
  return {
    ...fs,
    open(path, mode) {
      const file = fs.open(path, mode)
      if (mode === 'read' || !path.endsWith('.delta.jsonl')) return file
      const write = file.write.bind(file)
      file.write = (bytes, position) => {
        write(Uint8Array.from(bytes).fill(0, bytes.length / 2), position)
        process.exit(0)
      }
      return file
    },
  }
}
