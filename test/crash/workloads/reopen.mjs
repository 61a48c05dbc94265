// Opened and closed again and again, as a command that runs once a turn does.
import { openStore, runs, send } from '../open-for-workload.mjs'

for (const runId of runs('short', 1, 4)) {
  const store = await openStore()
  await send(store, runId)
  await store.close()
}
