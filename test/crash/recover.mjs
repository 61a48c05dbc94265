// The recovery whose own crashes are explored: open, say of a turn that it is known, carry out what is
// due, close. What it found may be in the page cache only, and is acknowledged all the same.
import { openStore, send } from './open-for-workload.mjs'

const store = await openStore()
await send(store, 'short-1')
await store.flush()
await store.close()
