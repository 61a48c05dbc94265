// Before recording starts: the process was killed while it carried out the plan of the last turn of a script, at the step
// that CRASH_PREPARED names.
import { scriptOf } from '../capture-scripts.mjs'
import { openCapture } from '../open-capture.mjs'
import { storeRoot } from '../paths.mjs'

/** By step: the file that is written, what is written, and what is there of it. */
const CUTS = {
  /** Of the append to the replay delta the first half, and zeroes for the rest. */
  append: {
    path: /[.]delta[.]jsonl$/,
    isMeant: () => true,
    left: (bytes) => Uint8Array.from(bytes).fill(0, bytes.length / 2),
  },
  /** All is written and indexed, but for the receipt. */
  settlement: {
    path: /[/]log[/]\d+$/,
    isMeant: (bytes) => bytes.includes('"curated"'),
    left: () => new Uint8Array(),
  },
}

const script = scriptOf(process.env.CRASH_VARIANT)
const last = script.steps.length - 1
for (const [number, step] of script.steps.entries()) {
  const overFileSystem = number === last ? killedAt(CUTS[process.env.CRASH_PREPARED]) : undefined
  const store = await openCapture(storeRoot(process.env.CRASH_ROOT), script, step.at, overFileSystem)
  await store.perform(step)
  await store.flush()
  await store.close()
}
throw new Error('The step was never reached.')

function killedAt({ path: pattern, isMeant, left }) {
  return (fs) => ({
    ...fs,
    open(path, mode) {
      const file = fs.open(path, mode)
      if (mode === 'read' || !pattern.test(path)) return file
      const write = file.write.bind(file)
      file.write = (bytes, position) => {
        if (!isMeant(Buffer.from(bytes))) return write(bytes, position)
        write(left(bytes), position)
        process.exit(0)
      }
      return file
    },
  })
}
