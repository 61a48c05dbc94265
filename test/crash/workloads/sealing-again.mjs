// A store whose sealed copy cannot be believed goes on, and seals its sidecar again.
import { hashEmbeddings } from '../embeddings.mjs'
import { openJournal, tellAll } from '../open-journal.mjs'
import { storeRoot } from '../paths.mjs'
import { watchSealing } from '../sealing.mjs'

const sealing = watchSealing()
const store = await openJournal(storeRoot(process.env.CRASH_ROOT), hashEmbeddings(), 0, sealing.over)
await tellAll(store, 'short-1:1', 'short-2:1', 'short-3:1', 'short-4:1', 'short-5:1', 'short-6:1', 'short-7:1')
await store.flush()
await store.recallWithOutcome('kettle')
await sealing.during(async () => {
  await tellAll(store, 'short-9:1', 'short-8:1', 'short-11:1', 'short-13:1', 'short-10:1')
  await store.flush()
  await store.recallWithOutcome('kettle')
})
await store.close()
