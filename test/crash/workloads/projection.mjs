// Turns of several days, long ones among them, projected in batches that rewrite several day files.
import { openStore, runs, send } from '../open-for-workload.mjs'

const store = await openStore()
for (const from of [1, 5, 9]) {
  await Promise.all([...runs('short', from, 4), ...runs('long', from, 2)].map((runId) => send(store, runId)))
  await store.flush()
}
await store.close()
