// `node examples/agent-loop.mjs`: an agent with a memory, whole. Its chat model is scripted; the loop is what a real one has.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMemoryStore } from '../packages/memory-bujo/dist/index.js'
import { callOpenAiTool, createTurnMemory, toOpenAiTools } from '../packages/memory-host/dist/index.js'

const folder = mkdtempSync(join(tmpdir(), 'memory-agent-'))
const store = await createMemoryStore({ mode: 'lite', path: join(folder, 'memory') })
const memory = createTurnMemory(store, { onEvent: (event) => console.log(`  event ${event.kind}`) })

/** One turn: context at its start, tools while it lasts, admission at its end. */
async function answer(runId, message) {
  console.log(`\nMara: ${message}`)
  const turn = await memory.begin({ conversationId: 'workshop', message, speaker: { kind: 'owner' } })
  try {
    const messages = [{ role: 'user', content: turn.context.appendTo(message) }]
    for (;;) {
      const reply = await model({ messages, tools: toOpenAiTools(turn.tools) })
      messages.push(reply)
      for (const { id, function: asked } of reply.tool_calls ?? []) {
        const { text } = await callOpenAiTool(turn.tools, asked.name, asked.arguments)
        console.log(`  ${asked.name} ${asked.arguments}\n    ${text.replaceAll('\n', '\n    ')}`)
        messages.push({ role: 'tool', tool_call_id: id, content: text })
      }
      if (reply.tool_calls !== undefined) continue
      const summary = `Mara: ${message} Agent: ${reply.content}`
      const outcome = await turn.complete({ runId, status: 'succeeded', summary, finalAnswer: reply.content })
      console.log(`Agent: ${reply.content}\n  ${outcome.status}`)
      assert.equal(outcome.status, 'admitted')
      return reply.content
    }
  } finally {
    turn.end() // a turn that failed is not admitted
  }
}

/** What the model says, in order. A function gets what the last tool said. */
const SCRIPT = [
  call('Remember', { text: 'Mara fires the green border at 1,060 °C, as she said on 2026-03-08.' }),
  () => ({ role: 'assistant', content: 'Noted: 1,060 °C for the green border.' }),
  call('MemoryRecall', { query: 'green border' }),
  (told) => ({ role: 'assistant', content: `You fire it at ${/[\d,]+ °C/.exec(told)?.[0] ?? 'I cannot tell what'}.` }),
]

function call(name, input) {
  const asked = { id: `call-${name}`, type: 'function', function: { name, arguments: JSON.stringify(input) } }
  return () => ({ role: 'assistant', content: null, tool_calls: [asked] })
}

async function model({ messages, tools }) {
  const reply = SCRIPT.shift()(messages.at(-1).content)
  const offered = tools.map((tool) => tool.function.name)
  for (const { function: asked } of reply.tool_calls ?? []) assert.ok(offered.includes(asked.name))
  return reply
}

try {
  await answer('run-1', 'The green border is fired at 1,060 °C. Remember that.')
  assert.equal(await answer('run-2', 'How hot is the green border fired?'), 'You fire it at 1,060 °C.')
} finally {
  memory.dispose()
  await store.close()
  rmSync(folder, { recursive: true, force: true })
}
