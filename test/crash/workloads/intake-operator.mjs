// A turn fails until it is dead, is retried and resolved; another is delayed; checkpoints and reopenings in between.
import { acknowledge } from '../acknowledge.mjs'
import { openIntakeAlone } from '../open-intake.mjs'
import { storeRoot } from '../paths.mjs'
import { turnOf } from '../turns.mjs'

const root = storeRoot(process.env.CRASH_ROOT)
const DEAD_AFTER = 16

let { intake, close } = await openIntakeAlone(root)
const ids = {}
for (const runId of ['short-1', 'short-2', 'short-3']) {
  ids[runId] = (await intake.admit(turnOf(runId))).id
  acknowledge('turn', runId)
}
await intake.fail(ids['short-2'], 'processing')
acknowledge('failed', 'short-2')
acknowledge('will-die', 'short-1')
for (let attempt = 1; attempt <= DEAD_AFTER; attempt++) {
  await intake.fail(ids['short-1'], 'processing')
  if (attempt === DEAD_AFTER / 2) await intake.checkpoint()
}
acknowledge('dead', 'short-1')
await close()

;({ intake, close } = await openIntakeAlone(root, 1))
acknowledge('will-retry', 'short-1')
await intake.retry(ids['short-1'])
acknowledge('retried', 'short-1')
await intake.checkpoint()
acknowledge('will-resolve', 'short-1')
await intake.resolve(ids['short-1'], 'not-needed')
acknowledge('resolved', 'short-1')
acknowledge('will-resolve', 'short-3')
await intake.resolve(ids['short-3'], 'not-needed')
acknowledge('resolved', 'short-3')
await close()
