// Before recording starts: makes a store of CRASH_PREPARED settled turns.
import { openStore, preparedRuns, send } from '../open-for-workload.mjs'

const store = await openStore()
for (const runId of preparedRuns) await send(store, runId)
await store.close()
