// The writer that demo.mjs kills: admits numbered turns, a few at a time, and says each one that is on stable storage.
import { writeSync } from 'node:fs'
import { createMemoryStore } from '../packages/memory-bujo/dist/index.js'

const AT_A_TIME = 8
const memory = await createMemoryStore({ mode: 'lite', path: process.argv[2] })
let next = 1

async function write() {
  for (;;) {
    const number = next++
    await memory.persistCompletedTurn({
      runId: `crash-demo-${number}`,
      conversationId: 'crash-demo',
      summary: `Reading number${number} of the harbour gauge was taken before the storm.`,
    })
    writeSync(1, `${number}\n`) // straight to the pipe: no acknowledgement may wait in a buffer that dies with us
  }
}

await Promise.all(Array.from({ length: AT_A_TIME }, write))
