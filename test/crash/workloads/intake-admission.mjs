// Admission into a new root without anything else: one, then sixteen at a time with twins, then settled in part.
import { acknowledge } from '../acknowledge.mjs'
import { openIntakeAlone } from '../open-intake.mjs'
import { storeRoot } from '../paths.mjs'
import { idPrefix, turnOf } from '../turns.mjs'

const { intake, close } = await openIntakeAlone(storeRoot(process.env.CRASH_ROOT))
const send = async (runId) => {
  await intake.admit(turnOf(runId))
  acknowledge('turn', runId)
}
await send('short-1')
await send('long-2')
const group = Array.from({ length: 16 }, (_, i) => `short-${10 + i}`)
await Promise.all([...group, 'short-12', 'short-15'].map(send))
for (const { id, turn } of await intake.due(4)) {
  acknowledge('will-settle', turn.runId)
  await intake.settle([{ id, memoryIds: [`${idPrefix(turn.runId)}0`] }])
  acknowledge('settled', turn.runId)
}
await close()
