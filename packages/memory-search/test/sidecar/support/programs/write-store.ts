// The writer of a store in a process of its own: does what each line of its input says, and answers with a line.
import { acquireWriterLease, nodeFileSystem } from '@mono-agent/memory-store'
import { createInterface } from 'node:readline'
import { openWritableIndex, type SearchIndex } from '../../../../src/index.js'
import { drain } from '../../../support/vectors.js'
import { TIERS, type TierName } from '../tiers.js'

export interface WriterCommand {
  readonly do: 'catch-up' | 'embed' | 'warm' | 'reopen'
}

const [, , root = '', tier = 'lite'] = process.argv
const { identity, vectorOf } = TIERS[tier as TierName]
const lease = await acquireWriterLease(nodeFileSystem, root)
const faults: unknown[] = []

const open = (): Promise<SearchIndex> =>
  openWritableIndex({
    root,
    fs: nodeFileSystem,
    lease,
    identity,
    now: Date.now,
    sidecarFrom: 1,
    onSidecarFault: (error) => faults.push(String(error)),
  })

let index = await open()
console.log('ready')

async function carryOut(command: WriterCommand): Promise<void> {
  if (command.do === 'catch-up') await index.catchUp()
  else if (command.do === 'warm') await index.warmRankings()
  else if (command.do === 'embed') {
    if (vectorOf !== undefined) drain(index, vectorOf)
  } else {
    await index.stopAside()
    index.close()
    index = await open()
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  try {
    await carryOut(JSON.parse(line) as WriterCommand)
    console.log(JSON.stringify({ faults }))
  } catch (error) {
    console.log(JSON.stringify({ faults: [...faults, String(error)] }))
  }
}
await index.stopAside()
index.close()
lease.release()
