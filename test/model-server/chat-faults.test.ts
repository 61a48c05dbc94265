import { describe, expect, test } from 'vitest'
import type { Fault } from './index.js'
import { ollamaOf, openAiOf, post, serverWith } from './test-server.js'

const MODEL = 'scripted-chat'
const PATHS = ['/api/chat', '/v1/chat/completions'] as const
const request = { model: MODEL, stream: false, messages: [{ role: 'user', content: 'Hello?' }] }

describe.each(PATHS)('faults of %s', (path) => {
  test.each<{ fault: Fault; status: number }>([
    { fault: { kind: 'status', status: 429, retryAfterSeconds: 3, times: 1 }, status: 429 },
    { fault: { kind: 'status', status: 500, times: 1 }, status: 500 },
    { fault: { kind: 'invalid-json', times: 1 }, status: 200 },
  ])('$fault uses up no answer', async ({ fault, status }) => {
    const server = await serverWith()
    server.chat.script(['kept'])
    server.faults.set(fault)
    expect((await post(server, path, request)).status).toBe(status)
    expect(server.chat.unused).toBe(1)
    expect(await (await post(server, path, request)).text()).toContain('kept')
  })

  test.each<Fault>([
    { kind: 'drop', times: 1 },
    { kind: 'half-body', times: 1 },
  ])('$kind breaks the connection', async (fault) => {
    const server = await serverWith()
    server.chat.script(['first', 'second'])
    server.faults.set(fault)
    await expect(post(server, path, request).then((response) => response.text())).rejects.toThrow()
    expect(await server.requests.all()[0]?.closed).toBe('dropped')
    expect((await post(server, path, request)).status).toBe(200)
  })

  test('slowly: held until it is let go', async () => {
    const server = await serverWith()
    server.chat.script(['at last'])
    server.faults.set({ kind: 'hold', times: 1, path })
    const asking = post(server, path, request)
    await server.faults.holding(1)
    server.faults.release()
    expect(await (await asking).text()).toContain('at last')
  })

  test('faults of vectors are not meant', async () => {
    const server = await serverWith()
    server.chat.script(['fine'])
    server.faults.set({ kind: 'wrong-count' })
    expect((await post(server, path, request)).status).toBe(200)
    expect(server.requests.all()[0]?.fault).toBeNull()
  })
})

const messages = [{ role: 'user' as const, content: 'Hello?' }]

test('thoughts come in the field that the service has for them', async () => {
  const server = await serverWith()
  server.chat.script([{ content: 'a', thinking: 'hm' }, { content: 'b', thinking: 'hm' }, { content: 'c' }])
  expect((await ollamaOf(server).chat({ model: MODEL, messages })).message).toMatchObject({
    content: 'a',
    thinking: 'hm',
  })
  const ask = async () =>
    (await openAiOf(server).chat.completions.create({ model: MODEL, messages })).choices[0]?.message
  expect(await ask()).toMatchObject({ content: 'b', reasoning_content: 'hm' })
  expect(await ask()).not.toHaveProperty('reasoning_content')
})

test("a refused parameter is named; Ollama's paths do not know it", async () => {
  const server = await serverWith({ refusedParameters: ['seed'] })
  server.chat.script(['a', 'b'])
  const refused = openAiOf(server).chat.completions.create({ model: MODEL, messages, seed: 0 })
  await expect(refused).rejects.toMatchObject({ status: 400, param: 'seed' })
  expect(server.chat.requests).toEqual([])
  await openAiOf(server).chat.completions.create({ model: MODEL, messages })
  await ollamaOf(server).chat({ model: MODEL, messages, options: { seed: 0 } })
  expect(server.chat.requests).toHaveLength(2)
})
