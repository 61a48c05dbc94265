// Before recording starts: a store of CRASH_PREPARED settled turns, lite or of the journal with another model.
import { openJournal, preparedTellings, tellAll } from '../open-journal.mjs'
import { storeRoot } from '../paths.mjs'
import { servicesOf } from '../rebuilds.mjs'

const store = await openJournal(storeRoot(process.env.CRASH_ROOT), servicesOf()[process.env.CRASH_VARIANT])
await tellAll(store, ...preparedTellings())
await store.flush()
await store.close()
