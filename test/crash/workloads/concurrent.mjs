// Sixteen turns at a time, with twins of some of them and conflicts with one in flight and one long known.
import assert from 'node:assert/strict'
import { openStore, runs, send } from '../open-for-workload.mjs'
import { conflictingTurn } from '../turns.mjs'

const store = await openStore()
for (const [from, known] of [
  [1, 'short-180'],
  [17, 'short-1'],
]) {
  const group = runs('short', from, 16)
  const sent = [...group, group[2], group[5]].map((runId) => send(store, runId))
  const refused = [known, group[7]].map((runId) =>
    assert.rejects(store.persistCompletedTurn(conflictingTurn(runId)), { code: 'run_conflict' }),
  )
  await Promise.all([...sent, ...refused])
}
await store.close()
