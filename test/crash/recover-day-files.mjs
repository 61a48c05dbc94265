// What finishes day files that a crash cut: applying one of the batches again.
import { batchOf } from './day-changes.mjs'
import { openDayFilesAlone } from './open-day-files.mjs'
import { storeRoot } from './paths.mjs'

const { dayFiles, close } = await openDayFilesAlone(storeRoot(process.env.CRASH_ROOT))
await dayFiles.apply([batchOf('long-4')])
close()
