// Day files without intake and index: turns in batches, while a person saves in between.
import { acknowledge } from '../acknowledge.mjs'
import { batchOf } from '../day-changes.mjs'
import { saveByRename } from '../editor.mjs'
import { openDayFilesAlone } from '../open-day-files.mjs'
import { storeRoot } from '../paths.mjs'

const root = storeRoot(process.env.CRASH_ROOT)
const { dayFiles, close } = await openDayFilesAlone(root)
for (const group of [['short-1', 'short-3'], ['short-2', 'long-4', 'long-5'], ['short-7'], ['short-9', 'long-6']]) {
  await dayFiles.apply(group.map(batchOf))
  for (const runId of group) acknowledge('turn', runId)
  const line = `A line after ${group[0]}.`
  saveByRename(root, 'daily/2026-05-01.md', (text) => `${text}${line}\n`)
  acknowledge('line', line)
}
close()
