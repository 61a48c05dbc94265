// The index is built anew for a model, and the store goes on with it.
import { openJournal, tell } from '../open-journal.mjs'
import { storeRoot } from '../paths.mjs'
import { rebuildTelling } from '../rebuilds.mjs'

const root = storeRoot(process.env.CRASH_ROOT)
const service = await rebuildTelling(root)
const store = await openJournal(root, service, 1)
await tell(store, 'short-1:1')
await store.close()
