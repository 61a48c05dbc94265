import { createInterface } from 'node:readline'
import { acquireWriterLease, nodeFileSystem } from '@mono-agent/memory-store'

/**
 * Takes the lease of a root and says `held <epoch>` or the code of the error. Then, a line of its input each:
 * `forget` collects garbage after every own reference is gone, `check` asserts the lease, `release` and `end`.
 */
const [root = ''] = process.argv.slice(2)
const say = (line: string): void => void process.stdout.write(`${line}\n`)
const codeOf = (error: unknown): string => (error as { code?: string }).code ?? String(error)

async function acquire() {
  try {
    const lease = await acquireWriterLease(nodeFileSystem, root)
    say(`held ${lease.epoch}`)
    return lease
  } catch (error) {
    say(codeOf(error))
    return undefined
  }
}

let lease = await acquire()
for await (const line of createInterface({ input: process.stdin })) {
  if (line === 'forget') {
    lease = undefined
    for (let round = 0; round < 5; round++) {
      await new Promise((resolve) => setImmediate(resolve))
      globalThis.gc?.()
    }
    say(globalThis.gc === undefined ? 'no gc' : 'forgotten')
  } else if (line === 'check') {
    try {
      lease?.assertHeld()
      say('still held')
    } catch (error) {
      say(codeOf(error))
    }
  } else if (line === 'release') {
    lease?.release()
    say('released')
  } else if (line === 'end') break
}
process.exit(0)
