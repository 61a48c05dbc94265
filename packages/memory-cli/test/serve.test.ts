import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { buildChildProgram, startChild } from '../../../test/support/child-program.js'
import { commandIn, temporaryFolder, turnLine, until } from './support/command.js'
import { serving } from './support/mcp.js'

const FACT = 'Mara fires the green border at 1,060 °C.'
const MAX_MESSAGE_BYTES = 1024 * 1024

/** A folder with a lite configuration. */
function configured(memory: object = {}): string {
  const folder = temporaryFolder()
  const block = { mode: 'lite', path: './store', ...memory }
  writeFileSync(join(folder, 'mono-agent.config.json'), JSON.stringify({ memory: block }))
  return folder
}

/** The same with one reading of a gauge in it. */
async function withReading(memory: object = {}): Promise<string> {
  const folder = configured(memory)
  writeFileSync(join(folder, 'turns.jsonl'), `${turnLine(1)}\n`)
  const { exitCode } = await (await commandIn(folder)).run(['ingest', 'turns.jsonl'])
  expect(exitCode).toBe(0)
  return folder
}

const today = (): string => new Date().toISOString().slice(0, 10)

const initialize = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
}
const remember = (id: number, text: string): object => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'Remember', arguments: { text } },
})
const linesOf = (...messages: readonly object[]): string =>
  messages.map((message) => `${JSON.stringify(message)}\n`).join('')

describe('the official client', () => {
  test('remembers, recalls and reads the journal; what it wrote is there when it has gone', async () => {
    const folder = configured()
    const { client, said, offered, call } = await serving(folder)
    expect(client.getServerVersion()).toMatchObject({ name: 'mono-agent-memory' })
    expect(await offered()).toEqual(['MemoryRecall', 'MemoryJournal', 'Remember'])

    const fromDate = today()
    const stored = await call('Remember', { text: FACT })
    expect(stored).toMatchObject({ isError: false, data: { status: 'stored', text: FACT } })
    expect(await call('Remember', { text: FACT })).toMatchObject({
      data: { status: 'duplicate', id: stored.data['id'] },
    })

    const recalled = await call('MemoryRecall', { query: 'green border' })
    expect(recalled.isError).toBe(false)
    expect(recalled.text).toContain(FACT)

    const journal = await call('MemoryJournal', { fromDate, throughDate: today(), timeZone: 'UTC' })
    expect(journal.isError).toBe(false)
    expect(journal.text).toContain(FACT)

    await client.close()
    expect(said()).toBe('serving MemoryRecall, MemoryJournal, Remember\n')
    const { stdout } = await (await commandIn(folder)).run(['search', 'green border'])
    expect(stdout).toContain(FACT)
  })

  test('is told how to mend a wrong call', async () => {
    const { call } = await serving(configured())
    expect(await call('Remember', {})).toMatchObject({ isError: true, text: expect.stringContaining('text') as string })
    expect(await call('Remember', { text: 'a', about: 'Ana' })).toMatchObject({ isError: true })
    expect(await call('MemoryRecall', { useOriginalQuery: true })).toMatchObject({ isError: true })
    expect(await call('MemoryJournal', { fromDate: 'yesterday' })).toMatchObject({ isError: true })
  })
})

describe('reading only', () => {
  test('beside a running agent, which is said', async () => {
    const folder = temporaryFolder()
    const root = join(folder, 'store')
    const agent = startChild(await buildChildProgram(new URL('./support/live-writer.ts', import.meta.url)), [root])
    expect(await agent.line()).toBe('open')
    const { client, said, offered, call } = await serving(folder, ['--path', root])
    expect(await offered()).toEqual(['MemoryRecall', 'MemoryJournal'])
    expect((await call('MemoryRecall', { query: 'harbour' })).text).toContain('The agent is at work on the harbour.')
    await expect(client.callTool({ name: 'Remember', arguments: { text: FACT } })).rejects.toThrow(
      'no tool of this name',
    )
    await client.close()
    expect(said()).toContain('a running agent writes to this store; reading only is offered')
    expect(said()).toContain('serving MemoryRecall, MemoryJournal\n')
    await agent.kill()
  })

  test('with --read-only, and an agent may start beside it', async () => {
    const folder = await withReading()
    const { offered, call } = await serving(folder, ['--read-only'])
    expect(await offered()).toEqual(['MemoryRecall', 'MemoryJournal'])
    const program = await buildChildProgram(new URL('./support/live-writer.ts', import.meta.url))
    const agent = startChild(program, [join(folder, 'store')])
    expect(await agent.line()).toBe('open')
    expect((await call('MemoryRecall', { query: 'gauge' })).text).toContain('number1')
    await agent.kill()
  })

  test('of a store that is not there makes none', async () => {
    const folder = configured()
    const { exitCode, stdout, stderr } = await (await commandIn(folder)).run(['serve', '--read-only'])
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
    expect(stderr).toContain('root_missing')
    expect(readdirSync(folder)).toEqual(['mono-agent.config.json'])
  })
})

describe('the memory block', () => {
  test.each([
    { name: 'without the read tools', memory: { recallTool: { enabled: false } }, words: [], tools: ['Remember'] },
    {
      name: 'without Remember',
      memory: { rememberTool: { enabled: false } },
      words: [],
      tools: ['MemoryRecall', 'MemoryJournal'],
    },
    {
      name: 'without the read tools, for reading only',
      memory: { recallTool: { enabled: false } },
      words: ['--read-only'],
      tools: [],
    },
  ])('$name', async ({ memory, words, tools }) => {
    const { offered } = await serving(await withReading(memory), words)
    expect(await offered()).toEqual(tools)
  })

  test('is missing: nothing is said on stdout, which belongs to the protocol', async () => {
    const { exitCode, stdout, stderr } = await (await commandIn(temporaryFolder())).run(['serve'])
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' })
    expect(stderr).toMatch(/^not_configured: /)
  })

  test('--json is a misuse', async () => {
    const { exitCode, stderr } = await (await commandIn(configured())).run(['serve', '--json'])
    expect(exitCode).toBe(2)
    expect(stderr).toContain('leave out --json')
  })
})

describe('a client', () => {
  test('that says nothing and goes: exit 0', async () => {
    const { exitCode, stdout } = await (await commandIn(configured())).run(['serve'])
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' })
  })

  test('that goes in the middle of a message', async () => {
    const input = `${linesOf(initialize)}{"jsonrpc":"2.0","id":1,"meth`
    const { exitCode, stdout, stderr } = await (await commandIn(configured())).run(['serve'], input)
    expect(exitCode).toBe(0)
    expect(stdout.trim().split('\n')).toHaveLength(1)
    expect(stderr).toContain('warning: 1 line passed over that no MCP client sends')
  })

  test('that goes at once after it asked: its fact is stored, and it is told so', async () => {
    const folder = configured()
    const command = await commandIn(folder)
    const { exitCode, stdout } = await command.run(['serve'], linesOf(initialize, remember(1, FACT)))
    expect(exitCode).toBe(0)
    expect(stdout).toContain('"status":"stored"')
    expect((await command.run(['search', 'green border'])).stdout).toContain(FACT)
  })

  test('that sends garbage and more than it may is answered all the same', async () => {
    const garbage = `hello\n{"a":1}\n${'x'.repeat(MAX_MESSAGE_BYTES + 1)}\n`
    const input = `${garbage}${linesOf(initialize)}${garbage}${linesOf(remember(1, FACT))}`
    const { exitCode, stdout, stderr } = await (await commandIn(configured())).run(['serve'], input)
    expect(exitCode).toBe(0)
    const answers = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: number })
    expect(answers.map(({ id }) => id)).toEqual([0, 1])
    expect(stderr).toContain('warning: 4 lines passed over that no MCP client sends')
    expect(stderr).toContain('warning: 2 messages passed over, longer than a message may be')
  })

  test('that no longer takes our answers ends the server, and the store is free', async () => {
    const command = await commandIn(configured())
    const { process: child, finished } = command.start(['serve'])
    let said = ''
    child.stderr.on('data', (text: string) => (said += text))
    await until(() => said.includes('serving'))
    child.stdout.destroy()
    child.stdin.write(linesOf(initialize, remember(1, FACT)))
    expect((await finished).exitCode).toBe(0)
    expect((await command.run(['serve'])).stderr).toContain('Remember')
  })

  test.each([
    { signal: 'SIGTERM', exitCode: 143 },
    { signal: 'SIGINT', exitCode: 130 },
  ] as const)(
    'that ends the server by $signal: exit $exitCode, and the store is free',
    async ({ signal, exitCode }) => {
      const command = await commandIn(configured())
      const { process: child, finished } = command.start(['serve'])
      let said = ''
      child.stderr.on('data', (text: string) => (said += text))
      await until(() => said.includes('serving'))
      child.kill(signal)
      expect((await finished).exitCode).toBe(exitCode)
      expect((await command.run(['serve'])).stderr).toContain('Remember')
    },
  )
})
