import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { scriptedCapture, startModelServer, type ModelServer } from '../../../test/model-server/index.js'
import { commandIn, jsonOf, temporaryFolder, type CommandLine } from './support/command.js'

interface Report {
  readonly ok: boolean
  readonly sections: readonly {
    readonly section: string
    readonly checks: readonly { readonly check: string; readonly status: string; readonly code: string }[]
  }[]
}

/** A folder with a bujo configuration; nothing else is in it. */
async function bujoFolder(llm: object = {}): Promise<{ command: CommandLine; server: ModelServer }> {
  const server = await startModelServer({
    models: [{ name: 'nomic-embed-text:v1.5', serves: 'hash-768' }],
    cacheDirectory: null,
  })
  onTestFinished(() => server.close())
  server.chat.respondWith(scriptedCapture({ extract: { memories: [], entities: [], relations: [] } }).responder)
  const folder = temporaryFolder()
  const memory = {
    mode: 'bujo',
    writeMode: 'capture',
    path: './memory',
    embeddings: { endpoint: server.url },
    llm: { provider: 'ollama', model: 'scripted-chat', endpoint: server.url, ...llm },
    consolidation: { cron: '0 3 * * *' },
  }
  writeFileSync(join(folder, 'mono-agent.config.json'), JSON.stringify({ memory }))
  return { command: await commandIn(folder), server }
}

const checksOf = (report: Report, name: string) =>
  report.sections
    .find(({ section }) => section === name)
    ?.checks.map(({ check, status, code }) => `${check}: ${status} ${code}`)

test('the chat model, its contract and the cadence are looked at', async () => {
  const { command, server } = await bujoFolder()
  const finished = await command.run(['validate', '--json'])
  expect(finished).toMatchObject({ exitCode: 0, stderr: '' })
  const report = jsonOf(finished) as Report
  expect(checksOf(report, 'chat')).toEqual(['model: ok ok', 'contract: note nothing_extracted'])
  expect(checksOf(report, 'consolidation')).toEqual(['consolidation: note consolidation_not_scheduled'])
  expect(server.chat.requests).toHaveLength(1)
  expect((await command.run(['validate'])).stdout).toContain('`0 3 * * *` in UTC, due next at')
})

test('a model that breaks the contract: exit 1', async () => {
  const { command, server } = await bujoFolder()
  server.chat.respondWith(() => 'Sure! Here is the JSON.')
  const finished = await command.run(['validate'])
  expect(finished.exitCode).toBe(1)
  expect(finished.stdout).toMatch(/ERROR +model_output_invalid: The model does not keep the contract \(not_json\)/)
})

test('a model that is away is waited for: loud, and exit 0', async () => {
  const { command, server } = await bujoFolder()
  server.faults.set({ kind: 'status', status: 503, path: '/api/chat' })
  const finished = await command.run(['validate'])
  expect(finished.exitCode).toBe(0)
  expect(finished.stdout).toContain('WAITING  chat_unavailable')
  expect(finished.stdout).toContain('a service has to come back')
})

test('a model of the host cannot be asked from here', async () => {
  const { command } = await bujoFolder({ provider: 'agent-host', endpoint: undefined })
  const finished = await command.run(['validate', '--json'])
  expect(finished.exitCode).toBe(0)
  expect(checksOf(jsonOf(finished) as Report, 'chat')).toEqual(['model: note agent_host_absent'])
})
