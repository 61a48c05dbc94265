import { randomBytes } from 'node:crypto'
import { acquireWriterLease, nodeFileSystem, type MemoryError } from '@mono-agent/memory-store'
import { openIntake } from '@mono-agent/memory-intake'

/** Admits turns one after the other, under whatever limits the process has, and says how each one ended. */
const [root = '', turns = '0', bytes = '0'] = process.argv.slice(2)
const lease = await acquireWriterLease(nodeFileSystem, root)
const intake = await openIntake({
  root,
  fs: nodeFileSystem,
  lease,
  now: Date.now,
  randomHex: (count) => randomBytes(count).toString('hex'),
})
const outcomes: Record<string, number> = {}
for (let n = 0; n < Number(turns); n += 1) {
  const admitted = intake.admit({ runId: `run-${n}`, conversationId: 'c', summary: 'x'.repeat(Number(bytes)) })
  const said = await admitted.then(
    ({ status }) => status as string,
    ({ code, outcome }: MemoryError) => `${code} ${outcome ?? 'without outcome'}`,
  )
  outcomes[said] = (outcomes[said] ?? 0) + 1
}
await intake.close()
lease.release()
process.stdout.write(`${JSON.stringify(outcomes)}\n`)
