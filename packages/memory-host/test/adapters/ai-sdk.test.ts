import { generateText, stepCountIs, type ToolSet } from 'ai'
import { MockLanguageModelV3 } from 'ai/test'
import { describe, expect, test } from 'vitest'
import { toAiSdkTools } from '../../src/adapters/ai-sdk.js'
import { fakeTools } from './support/fake-tools.js'

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}

/** A model that calls one tool, then says what it was told. */
function callingModel(toolName: string, input: string): MockLanguageModelV3 {
  return new MockLanguageModelV3({
    doGenerate: async ({ prompt }) => {
      const last = prompt.at(-1)
      if (last?.role !== 'tool') {
        return {
          content: [{ type: 'tool-call', toolCallId: 'call-1', toolName, input }],
          finishReason: { unified: 'tool-calls', raw: undefined },
          usage,
          warnings: [],
        }
      }
      const [part] = last.content
      const output = part?.type === 'tool-result' ? part.output : undefined
      return {
        content: [{ type: 'text', text: JSON.stringify(output) }],
        finishReason: { unified: 'stop', raw: undefined },
        usage,
        warnings: [],
      }
    },
  })
}

async function run(toolName: string, input: string, tools: ToolSet) {
  const model = callingModel(toolName, input)
  const result = await generateText({ model, tools, prompt: 'Hello', stopWhen: stepCountIs(3) })
  return { model, result, heard: JSON.parse(result.text) as unknown }
}

describe('generateText', () => {
  test.each([
    { name: 'MemoryRecall', input: '{"query":"tea"}' },
    { name: 'MemoryJournal', input: '{"fromDate":"2026-01-01"}' },
    { name: 'Remember', input: '{"text":"Tea at five."}' },
  ])('calls $name and hears its words', async ({ name, input }) => {
    const { result, heard } = await run(name, input, toAiSdkTools(fakeTools().tools))
    expect(heard).toEqual({ type: 'text', value: `${name}: ${input}` })
    const [step] = result.steps
    expect(step?.toolResults[0]?.output).toEqual({
      text: `${name}: ${input}`,
      structured: { status: 'ok', words: input },
    })
  })

  test('a wrong input is told in the words of the tool', async () => {
    const { heard } = await run('Remember', '{"text":""}', toAiSdkTools(fakeTools().tools))
    expect(heard).toEqual({ type: 'error-text', value: 'Mend Remember.' })
  })

  test('what a tool throws against its contract tells nothing', async () => {
    const { tools } = fakeTools(() => Promise.reject(new Error('/home/mara/secret')))
    const { heard } = await run('Remember', '{"text":"a"}', toAiSdkTools(tools))
    expect(heard).toMatchObject({ type: 'error-text' })
    expect(JSON.stringify(heard)).not.toContain('mara')
  })

  test('offers the model descriptions and schemas, beside the tools of the host', async () => {
    const { tools } = fakeTools()
    const mine: ToolSet = {
      Forecast: { description: 'The weather.', inputSchema: toAiSdkTools(tools)['Remember']!.inputSchema },
    }
    const { model } = await run('Remember', '{"text":"a"}', { ...mine, ...toAiSdkTools(tools) })
    const offered = model.doGenerateCalls[0]?.tools ?? []
    expect(offered.map(({ name }) => name)).toEqual(['Forecast', 'MemoryRecall', 'MemoryJournal', 'Remember'])
    expect(offered[1]).toMatchObject({
      description: 'Description of MemoryRecall.',
      inputSchema: { type: 'object', properties: { query: { type: 'string', description: 'What to look for.' } } },
    })
  })

  test('passes the signal of the call on', async () => {
    const { tools, calls } = fakeTools()
    const controller = new AbortController()
    await generateText({
      model: callingModel('Remember', '{"text":"a"}'),
      tools: toAiSdkTools(tools),
      prompt: 'Hello',
      stopWhen: stepCountIs(3),
      abortSignal: controller.signal,
    })
    const { signal } = calls[0]!
    controller.abort()
    expect(signal?.aborted).toBe(true)
  })

  test('two tools of one name are refused', () => {
    const { tools } = fakeTools()
    expect(() => toAiSdkTools([...tools, ...tools])).toThrow(TypeError)
  })
})
