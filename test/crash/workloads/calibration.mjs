// A new journal root: the model is measured, and what its scores mean goes into the manifest, while turns come.
import { acknowledge } from '../acknowledge.mjs'
import { hashEmbeddings } from '../embeddings.mjs'
import { openJournal, tell, tellAll } from '../open-journal.mjs'
import { storeRoot } from '../paths.mjs'

const root = storeRoot(process.env.CRASH_ROOT)
const service = hashEmbeddings()
let store = await openJournal(root, service)
for (let n = 1; n <= 6; n++) await tell(store, `short-${n}:1`)
await tellAll(store, 'short-1:2', 'short-7:1')
await store.flush()
acknowledge('calibrated', 'model')
await tell(store, 'short-8:1')
await store.close()

store = await openJournal(root, service, 1)
await tell(store, 'short-9:1')
await store.close()
