// One turn after the other, some sent twice, with projection in the background.
import { openStore, runs, send } from '../open-for-workload.mjs'

const store = await openStore()
for (const runId of runs('short', 1, 8)) {
  await send(store, runId)
  if (runId.endsWith('3')) await send(store, runId)
}
await store.close()
