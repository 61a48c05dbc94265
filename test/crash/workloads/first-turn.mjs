// One turn comes after a rebuild: the index that was offered to go back to lacks it.
import { openJournal, tell } from '../open-journal.mjs'
import { storeRoot } from '../paths.mjs'
import { servicesOf } from '../rebuilds.mjs'

const store = await openJournal(storeRoot(process.env.CRASH_ROOT), servicesOf()[process.env.CRASH_VARIANT], 2)
await tell(store, 'short-1:1')
await store.flush()
await store.close()
