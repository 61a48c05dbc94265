// The recovery whose own crashes are explored: open, carry out what is due, close.
import { openStore } from './open-for-workload.mjs'

const store = await openStore()
await store.flush()
await store.close()
