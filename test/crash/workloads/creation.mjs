// A root is made where there was none, and the first turn goes in.
import { openStore, send } from '../open-for-workload.mjs'

const store = await openStore()
await send(store, 'short-1')
await store.close()
