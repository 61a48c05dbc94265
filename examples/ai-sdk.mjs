// `node examples/ai-sdk.mjs`: `generateText` of the AI SDK with the tools of a turn. The model is the SDK's own mock.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateText, stepCountIs } from 'ai'
import { MockLanguageModelV3 } from 'ai/test'
import { createMemoryStore } from '../packages/memory-bujo/dist/index.js'
import { createTurnMemory, toAiSdkTools } from '../packages/memory-host/dist/index.js'

const folder = mkdtempSync(join(tmpdir(), 'memory-ai-sdk-'))
const store = await createMemoryStore({ mode: 'lite', path: join(folder, 'memory') })
await store.remember({ text: 'Mara fires the green border at 1,060 °C, as she said on 2026-03-08.' })
const memory = createTurnMemory(store)

/** Looks into memory first, then answers with what it read there. */
const model = new MockLanguageModelV3({
  async doGenerate({ prompt }) {
    const last = prompt.at(-1)
    if (last.role === 'user') {
      const input = JSON.stringify({ query: 'green border' })
      return reply('tool-calls', { type: 'tool-call', toolCallId: 'call-1', toolName: 'MemoryRecall', input })
    }
    const told = last.content[0].output.value
    return reply('stop', {
      type: 'text',
      text: `You fire it at ${/[\d,]+ °C/.exec(told)?.[0] ?? 'I cannot tell what'}.`,
    })
  },
})

function reply(reason, ...content) {
  const usage = { inputTokens: { total: 0 }, outputTokens: { total: 0 } }
  return { content, finishReason: { unified: reason, raw: undefined }, usage, warnings: [] }
}

try {
  const message = 'How hot is the green border fired?'
  const turn = await memory.begin({ conversationId: 'workshop', message, speaker: { kind: 'owner' } })
  const { text, steps } = await generateText({
    model,
    prompt: turn.context.appendTo(message),
    tools: toAiSdkTools(turn.tools),
    stopWhen: stepCountIs(5),
  })
  const summary = `Mara: ${message} Agent: ${text}`
  const outcome = await turn.complete({ runId: 'run-1', status: 'succeeded', summary, finalAnswer: text })

  console.log(`Mara: ${message}`)
  for (const { toolName, input, output } of steps.flatMap(({ toolResults }) => toolResults)) {
    console.log(`  ${toolName} ${JSON.stringify(input)}\n    ${output.text.replaceAll('\n', '\n    ')}`)
  }
  console.log(`Agent: ${text}\n  ${outcome.status}`)
  assert.equal(text, 'You fire it at 1,060 °C.')
  assert.equal(outcome.status, 'admitted')
} finally {
  memory.dispose()
  await store.close()
  rmSync(folder, { recursive: true, force: true })
}
