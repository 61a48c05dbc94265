// Before recording starts: a journal store of CRASH_PREPARED settled turns with their vectors; its model is calibrated.
import { hashEmbeddings } from '../embeddings.mjs'
import { openJournal, preparedTellings, tellAll } from '../open-journal.mjs'
import { storeRoot } from '../paths.mjs'

const store = await openJournal(storeRoot(process.env.CRASH_ROOT), hashEmbeddings())
await tellAll(store, ...preparedTellings())
await store.flush()
await store.close()
