// Checkpoints while turns go on coming and are settled, with so few receipts kept that old ones are pruned each time.
import { acknowledge } from '../acknowledge.mjs'
import { openIntakeAlone } from '../open-intake.mjs'
import { storeRoot } from '../paths.mjs'
import { idPrefix, turnOf } from '../turns.mjs'

const { intake, close } = await openIntakeAlone(storeRoot(process.env.CRASH_ROOT))
const send = async (runId) => {
  await intake.admit(turnOf(runId))
  acknowledge('turn', runId)
}
for (let round = 0; round < 4; round++) {
  const group = [1, 2, 3].map((n) => `short-${round * 10 + n}`)
  await Promise.all(group.map(send))
  const checkpoint = intake.checkpoint()
  await send(`short-${round * 10 + 4}`)
  await checkpoint
  const due = (await intake.due(100)).slice(0, 3)
  for (const { turn } of due) acknowledge('will-settle', turn.runId)
  await intake.settle(due.map(({ id, turn }) => ({ id, memoryIds: [`${idPrefix(turn.runId)}0`] })))
  for (const { turn } of due) acknowledge('settled', turn.runId)
  await intake.checkpoint()
}
await close()
