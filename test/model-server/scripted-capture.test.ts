import { expect, test } from 'vitest'
import { asAgentHost, scriptedCapture, type CaptureScript } from './index.js'
import { ollamaOf, openAiOf, serverWith } from './test-server.js'

const MODEL = 'scripted-chat'
const schema = { type: 'object' }
const messages = [
  { role: 'system' as const, content: 'Rules.' },
  { role: 'user' as const, content: 'Data.' },
]
const requestOf = (name: string) => ({ model: MODEL, system: 'Rules.', user: 'Data.', schema: { name, schema } })

test('each stage has its own script, whatever the service', async () => {
  const server = await serverWith()
  const capture = scriptedCapture({
    extract: (call) => ({ memories: [], asked: call.user, ordinal: call.ordinal }),
    review: '```json\n[]\n```',
    reconcile: { content: 'cut', finish: 'length' },
  })
  server.chat.respondWith(capture.responder)
  const ollama = await ollamaOf(server).chat({
    model: MODEL,
    messages,
    format: { ...schema, title: 'capture_extract' },
  })
  expect(JSON.parse(ollama.message.content)).toEqual({ memories: [], asked: 'Data.', ordinal: 1 })
  const openAi = await openAiOf(server).chat.completions.create({
    model: MODEL,
    messages,
    response_format: { type: 'json_schema', json_schema: { name: 'review', schema } },
  })
  expect(openAi.choices[0]?.message.content).toBe('```json\n[]\n```')
  const chat = asAgentHost(capture.responder)
  expect(JSON.parse(await chat(requestOf('Extraction')))).toMatchObject({ ordinal: 2 })
  expect(await chat(requestOf('reconcile'))).toBe('cut')
  expect(capture.counts()).toEqual({ extract: 2, review: 1, reconcile: 1 })
  expect(capture.calls.map(({ stage }) => stage)).toEqual(['extract', 'review', 'extract', 'reconcile'])
  expect(capture.calls[0]).toMatchObject({ system: 'Rules.', user: 'Data.' })
})

test.each<{ name: string; script: CaptureScript; schemaName: string; message: RegExp }>([
  { name: 'a stage without a script', script: { extract: '{}' }, schemaName: 'review', message: /nothing to review/ },
  { name: 'a schema of no stage', script: { extract: '{}' }, schemaName: 'answer', message: /schema named answer/ },
  { name: 'null', script: { extract: null }, schemaName: 'extract', message: /no answer/ },
])('$name is an error', async ({ script, schemaName, message }) => {
  await expect(asAgentHost(scriptedCapture(script).responder)(requestOf(schemaName))).rejects.toThrow(message)
})
