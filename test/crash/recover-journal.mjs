// The recovery of a journal store, whose own crashes are explored: it says of a turn that it is known and repeats another.
import { hashEmbeddings } from './embeddings.mjs'
import { openJournal, tellAll } from './open-journal.mjs'
import { storeRoot } from './paths.mjs'

const store = await openJournal(storeRoot(process.env.CRASH_ROOT), hashEmbeddings())
await tellAll(store, 'short-1:1', 'short-1:4')
await store.flush()
await store.close()
