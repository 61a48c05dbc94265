// Run it with `node embed.mjs` where @mono-agent/memory-bujo is installed.
import { createMemoryStore } from '@mono-agent/memory-bujo'

const memory = await createMemoryStore({ mode: 'lite', path: './memory' })
const { status } = await memory.persistCompletedTurn({
  runId: 'run-81f3', // your provider's stable id of this turn: sent twice, it is stored once
  conversationId: 'web:ana',
  summary: 'Ana moved the dinner with Morgan to Thursday; Morgan prefers green tea.',
})
console.log(status) // by now it is on stable storage
await memory.flush() // searchable a moment later by itself; an example does not wait
const { hits } = await memory.recallWithOutcome('green tea')
console.log(hits[0].text)
await memory.close()
