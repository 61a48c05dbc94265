// The sidecar is made, sealed, followed, sealed again and taken from its copy; a person rewords a line; somebody deletes the
// copy, and while it is made anew the vector of what was reworded comes.
import { rmSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { acknowledge } from '../acknowledge.mjs'
import { rewordingOf } from '../check-turns.mjs'
import { saveByRename } from '../editor.mjs'
import { hashEmbeddings } from '../embeddings.mjs'
import { openJournal, tell, tellAll } from '../open-journal.mjs'
import { storeRoot } from '../paths.mjs'
import { sealedCopyOf, watchSealing } from '../sealing.mjs'
import { textOf } from '../tellings.mjs'

const root = storeRoot(process.env.CRASH_ROOT)
const service = hashEmbeddings()
const sealing = watchSealing()
const recall = (store) => store.recallWithOutcome('kettle')
const opened = (hours) => openJournal(root, service, hours, sealing.over)

const first = await opened(0)
await tellAll(first, 'short-1:1', 'short-2:1', 'short-3:1', 'long-5:1')
await first.flush()
await sealing.during(() => recall(first)) // made
await tellAll(first, 'short-7:1', 'short-4:1', 'short-9:1', 'short-6:1', 'short-1:2')
await first.flush()
await sealing.during(() => recall(first)) // followed
service.fail()
acknowledge('will-reword', 'short-3')
saveByRename(root, 'daily/2026-05-01.md', (text) => text.replace(textOf('short-3'), rewordingOf('short-3')))
acknowledge('reworded', 'short-3')
await tell(first, 'short-11:1') // the same day file: what the person changed is taken over with it
await first.flush()
await recall(first)
await first.close()

const second = await opened(1)
await recall(second) // taken from the copy
await second.close()

rmSync(sealedCopyOf(root))
service.mend()
service.hold()
const held = service.holding()
const third = await opened(2)
await held
await sealing.during(async () => {
  await recall(third)
  for (let turn = 0; turn < 4; turn++) await setImmediate()
  service.release() // half way through what is made anew
  await tell(third, 'short-13:1')
  await third.flush()
})
await recall(third)
await third.close()
