import { describe, expect, test } from 'vitest'
import { parameterIn } from '../../src/chat/optional-parameters.js'
import { failureOf, openBench, REQUEST } from './support.js'

describe('parameters that not every endpoint takes', () => {
  test('all are sent, the schema not strict', async () => {
    const { server, model } = await openBench('openai')
    server.chat.script(['{}'])
    await model().complete(REQUEST)
    const { name, schema } = REQUEST.schema
    expect(server.requests.all()[0]?.body).toMatchObject({
      response_format: { type: 'json_schema', json_schema: { name, schema, strict: false } },
      temperature: 0,
      seed: 0,
    })
  })

  test.each([
    { refused: ['response_format'], left: ['seed', 'temperature'] },
    { refused: ['temperature'], left: ['response_format', 'seed'] },
    { refused: ['response_format', 'temperature', 'seed'], left: [] },
  ])('$refused: left out, and never sent again', async ({ refused, left }) => {
    const { server, model } = await openBench('openai', { refusedParameters: refused })
    server.chat.script(['first', 'second'])
    const chat = model()
    expect((await chat.complete(REQUEST)).text).toBe('first')
    expect((await chat.complete(REQUEST)).text).toBe('second')
    const sent = server.requests.all().map(({ status, body }) => ({ status, names: optionalOf(body) }))
    expect(sent.map(({ status }) => status)).toEqual([...refused.map(() => 400), 200, 200])
    for (const { names } of sent.slice(-2)) expect(names).toEqual(left)
  })

  test('what a service says of a parameter that it refuses anyway is not held against it for good', async () => {
    const { server, model } = await openBench('openai')
    const chat = model()
    server.faults.set({ kind: 'status', status: 400, message: 'temperature and seed and json_schema' })
    expect(await failureOf(chat.complete(REQUEST))).toMatchObject({ code: 'chat_rejected', status: 400 })
    expect(server.requests.all()).toHaveLength(2)
    server.faults.clear()
    server.chat.script(['{}'])
    await chat.complete(REQUEST)
    expect(optionalOf(server.requests.all().at(-1)?.body)).toEqual(['response_format', 'seed', 'temperature'])
  })

  test('a failure on the second request is its own', async () => {
    const { server, model } = await openBench('openai')
    server.faults.set(
      { kind: 'status', status: 422, message: 'json_schema is not supported', times: 1 },
      { kind: 'status', status: 429, times: 1 },
    )
    expect(await failureOf(model().complete(REQUEST))).toMatchObject({ code: 'chat_rate_limited' })
  })

  test.each([401, 404, 429, 500])('HTTP %i is no matter of a parameter, whatever it says', async (status) => {
    const { server, model } = await openBench('openai')
    server.faults.set({ kind: 'status', status, message: 'temperature, seed, json_schema' })
    expect(await failureOf(model().complete(REQUEST))).toMatchObject({ status })
    expect(server.requests.all()).toHaveLength(1)
  })

  test('the time of a call is that of all its requests', async () => {
    const { server, clock, model } = await openBench('openai')
    server.faults.set({ kind: 'status', status: 400, message: 'no json_schema here', times: 1 }, { kind: 'never' })
    const failing = failureOf(model().complete(REQUEST))
    await server.requests.arrival(2)
    clock.advance(5_000)
    expect(await failing).toMatchObject({ code: 'chat_timeout' })
  })

  test.each([
    { told: '{"error":{"message":"Unsupported value.","param":"temperature"}}', named: 'temperature' },
    { told: '{"error":{"message":"no seed with json_schema","param": "seed"}}', named: 'seed' },
    { told: '{"error":"`response_format` is not supported"}', named: 'response_format' },
    { told: 'Structured outputs are not available for this model', named: 'response_format' },
    { told: '{"error":{"message":"Invalid messages.","param":"messages"}}', named: undefined },
    { told: 'we seeded the temperatures', named: undefined },
    { told: '', named: undefined },
  ])('$told names $named', ({ told, named }) => {
    expect(parameterIn(told)).toBe(named)
  })
})

describe('answers of OpenAI that hold no text', () => {
  const withMessage = (message: object, finish_reason = 'stop') =>
    JSON.stringify({ choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason }] })
  test.each([
    { name: 'a refusal', body: withMessage({ content: null, refusal: 'I will not.' }), says: /refused/ },
    { name: 'a tool call', body: withMessage({ content: null, tool_calls: [] }), says: /no content/ },
    { name: 'a filter', body: withMessage({ content: 'par' }, 'content_filter'), says: /filter/ },
    { name: 'thoughts alone', body: withMessage({ reasoning_content: 'hm' }), says: /no content/ },
  ])('$name', async ({ body, says }) => {
    const { server, model } = await openBench('openai')
    server.faults.set({ kind: 'invalid-json', body })
    const error = await failureOf(model().complete(REQUEST))
    expect(error).toMatchObject({ code: 'chat_response_invalid', message: expect.stringMatching(says) })
    expect(error.message).not.toContain('I will not')
  })

  test('no usage, and null in place of what is not there, is an answer all the same', async () => {
    const { server, model } = await openBench('openai')
    server.faults.set({ kind: 'invalid-json', body: withMessage({ content: '{}', refusal: null }) })
    expect(await model().complete(REQUEST)).toEqual({ text: '{}', usage: {} })
  })

  test('OpenAI itself is asked with a key or not at all', async () => {
    const { model } = await openBench('openai')
    const fetch = () => Promise.reject(new Error('A request was sent.'))
    for (const endpoint of ['https://api.openai.com/v1', undefined]) {
      const chat = model({ endpoint }, { fetch })
      expect(await failureOf(chat.complete(REQUEST))).toMatchObject({ code: 'chat_key_missing' })
    }
  })
})

function optionalOf(body: unknown): string[] {
  return ['response_format', 'seed', 'temperature'].filter((name) => Object.hasOwn(body as object, name))
}
