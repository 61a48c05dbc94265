import { createMemoryStore } from '@mono-agent/memory-bujo'

// A running agent: holds the root at argv[2] until it is killed, and says when it does.
const store = await createMemoryStore({ mode: 'lite', path: process.argv[2] ?? '' })
await store.persistCompletedTurn({
  runId: 'live-1',
  conversationId: 'live',
  summary: 'The agent is at work on the harbour.',
})
await store.flush()
process.stdout.write('open\n')
setInterval(() => undefined, 2 ** 30)
