// The index is deleted while nothing runs, and comes back with the next opening.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { acknowledge } from '../acknowledge.mjs'
import { openStore, root, send } from '../open-for-workload.mjs'

acknowledge('deletes', 'index')
rmSync(join(root, '.index'), { recursive: true })
for (const runId of ['short-1', 'long-2']) {
  const store = await openStore()
  await send(store, runId)
  await store.close()
  if (runId === 'short-1') rmSync(join(root, '.index'), { recursive: true })
}
