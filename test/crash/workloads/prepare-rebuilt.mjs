// Before recording starts: a store of CRASH_PREPARED settled turns, rebuilt for CRASH_VARIANT; the index before it is offered.
import { openJournal, preparedTellings, rebuild, tellAll } from '../open-journal.mjs'
import { storeRoot } from '../paths.mjs'
import { servicesOf } from '../rebuilds.mjs'

const root = storeRoot(process.env.CRASH_ROOT)
const services = servicesOf()
const store = await openJournal(root, services.rebuilt)
await tellAll(store, ...preparedTellings())
await store.flush()
await store.close()
await rebuild(root, services[process.env.CRASH_VARIANT], 1)
