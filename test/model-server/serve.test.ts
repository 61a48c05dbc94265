import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { Ollama } from 'ollama'
import { expect, test } from 'vitest'

const program = fileURLToPath(new URL('./serve.mjs', import.meta.url))

test('the command serves until it is told to stop', async () => {
  const child = spawn(process.execPath, [program, '--service', 'ollama', '--model', 'nomic-embed-text=hash-768'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  const ollama = new Ollama({ host: line.replace('Listening on ', '') })
  const { embeddings } = await ollama.embed({ model: 'nomic-embed-text', input: 'a' })
  expect(embeddings[0]).toHaveLength(768)
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
})

test.each([
  ['--port', 'x'],
  ['--port', '65536'],
  ['--service', 'other'],
])('%s %s is refused', async (...options) => {
  const child = spawn(process.execPath, [program, ...options], { stdio: 'ignore' })
  expect(await once(child, 'exit')).toEqual([2, null])
})
