import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { PassThrough } from 'node:stream'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { describe, expect, onTestFinished, test } from 'vitest'
import { buildChildProgram } from '../../../../test/support/child-program.js'
import { MAX_MESSAGE_BYTES } from '../../src/adapters/limits.js'
import { serveOverStdio, type StdioOptions } from '../../src/adapters/mcp-stdio.js'
import type { MemoryTool } from '../../src/tools/memory-tool.js'
import { fakeTools, gate } from './support/fake-tools.js'

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
}

const recall = (id: number | string, query = 'tea'): object => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'MemoryRecall', arguments: { query } },
})

const textOf = (query: string): string => `MemoryRecall: {"query":"${query}"}`

/** A server within this process, spoken to in lines. */
function serving(tools: readonly MemoryTool[], options: StdioOptions = {}) {
  const input = new PassThrough()
  const output = new PassThrough()
  const ignored: string[] = []
  const ended = serveOverStdio(tools, { input, output, onIgnored: (why) => ignored.push(why), ...options })
  const lines = createInterface({ input: output })[Symbol.asyncIterator]()
  return {
    input,
    output,
    ended,
    ignored,
    say: (...messages: readonly object[]) =>
      void input.write(messages.map((message) => `${JSON.stringify(message)}\n`).join('')),
    async answer(): Promise<{ id: unknown; result: { content: { text: string }[] }; error?: { code: number } }> {
      const { value, done } = await lines.next()
      if (done === true) throw new Error('The server closed its output.')
      return JSON.parse(value)
    },
  }
}

describe('the official client', () => {
  test('lists and calls all tools of a child process', async () => {
    const program = await buildChildProgram(new URL('support/stdio-program.ts', import.meta.url))
    const client = new Client({ name: 'test', version: '1' })
    const transport = new StdioClientTransport({ command: process.execPath, args: [program], stderr: 'pipe' })
    let said = ''
    transport.stderr?.on('data', (text: Buffer) => (said += text.toString()))
    await client.connect(transport)
    expect(client.getServerVersion()).toMatchObject({ name: 'mono-agent-memory', version: '9.9.9' })
    expect(client.getServerCapabilities()).toEqual({ tools: {} })
    const { tools } = await client.listTools()
    expect(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual([
      ['MemoryRecall', true],
      ['MemoryJournal', true],
      ['Remember', false],
    ])
    for (const [name, input] of [
      ['MemoryRecall', { query: 'tea' }],
      ['MemoryJournal', { fromDate: '2026-01-01' }],
      ['Remember', { text: 'Tea at five.' }],
    ] as const) {
      const result = await client.callTool({ name, arguments: input })
      const words = JSON.stringify(input)
      expect(result).toEqual({
        content: [{ type: 'text', text: `${name}: ${words}` }],
        structuredContent: { status: 'ok', words },
      })
    }
    await client.close()
    expect(said).toBe('input_ended\n')
  })

  test('that is killed ends the server', async () => {
    const program = await buildChildProgram(new URL('support/stdio-program.ts', import.meta.url))
    // The middle process holds the server's pipes, and is killed with them.
    const script = `require('node:child_process').spawn(process.execPath, [${JSON.stringify(program)}], { stdio: ['pipe', 'pipe', 'inherit'] }).stdin.write(${JSON.stringify(`${JSON.stringify(INITIALIZE)}\n`)}); setInterval(() => undefined, 2 ** 30); console.log('up')`
    const middle = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'pipe'] })
    onTestFinished(() => void middle.kill('SIGKILL'))
    await new Promise((resolve) => middle.stdout.once('data', resolve))
    middle.kill('SIGKILL')
    let said = ''
    // stderr ends when the server, which inherited it, is gone.
    for await (const text of middle.stderr) said += String(text)
    expect(['input_ended\n', 'output_failed\n']).toContain(said)
  })
})

describe('lines that are no messages', () => {
  test.each([
    { name: 'no JSON', line: 'hello' },
    { name: 'half of a message', line: '{"jsonrpc":"2.0","id":1,"meth' },
    { name: 'JSON of no protocol', line: '{"hello":1}' },
    { name: 'a batch', line: JSON.stringify([recall(1)]) },
    { name: 'a terminal sequence', line: '\u001b[31mred\u001b[0m' },
    { name: 'a method that is no name', line: '{"jsonrpc":"2.0","id":1,"method":5}' },
  ])('$name is passed over, and the next call answered', async ({ line }) => {
    const server = serving(fakeTools().tools)
    server.input.write(`${line}\n`)
    server.say(INITIALIZE, recall(7))
    expect((await server.answer()).id).toBe(0)
    expect(await server.answer()).toMatchObject({ id: 7, result: { content: [{ text: textOf('tea') }] } })
    expect(server.ignored).toEqual(['garbage'])
  })

  test('bytes that are no UTF-8 are passed over', async () => {
    const server = serving(fakeTools().tools)
    server.input.write(Buffer.concat([Buffer.from([0xff, 0xfe, 0x00, 0x80]), Buffer.from('\n')]))
    server.say(recall(1))
    expect((await server.answer()).id).toBe(1)
    expect(server.ignored).toEqual(['garbage'])
  })

  test('empty lines and CRLF are no fault', async () => {
    const server = serving(fakeTools().tools)
    server.input.write(`\n\r\n${JSON.stringify(recall(1))}\r\n`)
    expect((await server.answer()).id).toBe(1)
    expect(server.ignored).toEqual([])
  })

  test.each([
    { name: 'as long as allowed', extra: 0, ignored: [], answers: [1, 2] },
    { name: 'one byte longer', extra: 1, ignored: ['oversize'], answers: [2] },
  ])('a message $name', async ({ extra, ignored, answers }) => {
    const server = serving(fakeTools().tools)
    const line = JSON.stringify(recall(1))
    server.input.write(`${line}${' '.repeat(MAX_MESSAGE_BYTES - line.length + extra)}\n`)
    server.say(recall(2))
    for (const id of answers) expect((await server.answer()).id).toBe(id)
    expect(server.ignored).toEqual(ignored)
  })

  test('an endless line is never held whole', async () => {
    const server = serving(fakeTools().tools)
    for (let i = 0; i < 64; i++) server.input.write('x'.repeat(MAX_MESSAGE_BYTES / 4))
    server.input.write('\n')
    server.say(recall(2))
    expect((await server.answer()).id).toBe(2)
    expect(server.ignored).toEqual(['oversize'])
  })
})

describe('calls', () => {
  test('an unknown tool is an error of the protocol that names the tools', async () => {
    const server = serving(fakeTools().tools)
    server.say({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'Forget' } })
    const { error } = await server.answer()
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('MemoryRecall, MemoryJournal') })
  })

  test('a wrong argument is a result that says how to mend it', async () => {
    const server = serving(fakeTools().tools)
    server.say({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'Remember' } })
    expect((await server.answer()).result).toEqual({
      content: [{ type: 'text', text: 'Mend Remember.' }],
      structuredContent: { status: 'invalid', words: '' },
      isError: true,
    })
  })

  test('what a tool throws against its contract tells nothing', async () => {
    const { tools } = fakeTools(() => Promise.reject(new Error('/home/mara/secret')))
    const server = serving(tools)
    server.say(recall(1))
    const answer = await server.answer()
    expect(answer.result).toMatchObject({ isError: true })
    expect(JSON.stringify(answer)).not.toContain('mara')
  })

  test('two tools of one name are refused', async () => {
    const { tools } = fakeTools()
    await expect(serveOverStdio([...tools, ...tools])).rejects.toThrow(TypeError)
  })

  test('a call that is called off has its signal aborted', async () => {
    const { open, opened } = gate()
    const { tools, calls } = fakeTools(() => opened)
    const server = serving(tools)
    server.say(recall(1), { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } })
    server.say({ jsonrpc: '2.0', id: 2, method: 'ping' })
    expect((await server.answer()).id).toBe(2)
    expect(calls[0]?.signal?.aborted).toBe(true)
    open()
  })

  test('sixteen are under way at once, the others wait, and all are answered', async () => {
    const { open, opened } = gate()
    const { tools, calls } = fakeTools(() => opened)
    const server = serving(tools)
    server.say(...Array.from({ length: 40 }, (_, id) => recall(id)))
    await until(() => calls.length === 16)
    expect(server.input.isPaused()).toBe(false)
    open()
    const ids = new Set<unknown>()
    for (let i = 0; i < 40; i++) ids.add((await server.answer()).id)
    expect(ids.size).toBe(40)
  })

  test('with a message’s worth of requests that wait, the rest stays in the pipe', async () => {
    const { open, opened } = gate()
    const { tools, calls } = fakeTools(() => opened)
    const server = serving(tools)
    const padding = ' '.repeat(MAX_MESSAGE_BYTES / 2)
    for (let id = 0; id < 20; id++) server.input.write(`${JSON.stringify(recall(id))}${padding}\n`)
    await until(() => calls.length === 16 && server.input.isPaused())
    open()
    for (let i = 0; i < 20; i++) await server.answer()
    expect(server.input.isPaused()).toBe(false)
  })

  test('while sixteen are under way, any can be called off, those that wait unasked', async () => {
    const { tools, calls } = fakeTools(() => new Promise(() => undefined))
    const server = serving(tools)
    server.say(...Array.from({ length: 20 }, (_, id) => recall(id)))
    await until(() => calls.length === 16)
    const callOff = (requestId: number) => ({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId },
    })
    server.say(callOff(17), callOff(18), callOff(3))
    await until(() => calls.length === 17)
    expect(calls.flatMap(({ signal }, at) => (signal?.aborted === true ? [at] : []))).toEqual([3])
    server.say(callOff(4), callOff(5), { jsonrpc: '2.0', id: 'still there', method: 'ping' })
    expect((await server.answer()).id).toBe('still there')
    expect(calls).toHaveLength(18)
  })
})

describe('the end', () => {
  test('of the input: what was asked is answered first', async () => {
    const { open, opened } = gate()
    const { tools } = fakeTools(() => opened)
    const server = serving(tools)
    server.say(recall(1), recall(2))
    server.input.end()
    open()
    expect([(await server.answer()).id, (await server.answer()).id]).toEqual([1, 2])
    expect(await server.ended).toBe('input_ended')
  })

  test('of the input in the middle of a message', async () => {
    const server = serving(fakeTools().tools)
    server.input.end('{"jsonrpc":"2.0","id":1,"method":"tools/c')
    expect(await server.ended).toBe('input_ended')
    expect(server.ignored).toEqual(['garbage'])
  })

  test('of an input that was over before', async () => {
    const input = new PassThrough()
    input.destroy()
    expect(await serving(fakeTools().tools, { input }).ended).toBe('input_ended')
  })

  test('of the output: calls under way are aborted', async () => {
    const { open, opened } = gate()
    const { tools, calls } = fakeTools(() => opened)
    const server = serving(tools)
    server.say(recall(1))
    await until(() => calls.length === 1)
    server.output.destroy(new Error('EPIPE'))
    expect(await server.ended).toBe('output_failed')
    expect(calls[0]?.signal?.aborted).toBe(true)
    open()
  })

  test.each(['before', 'while'])('by a signal %s it serves', async (when) => {
    const controller = new AbortController()
    if (when === 'before') controller.abort()
    const server = serving(fakeTools().tools, { signal: controller.signal })
    if (when === 'while') {
      server.say(recall(1))
      await server.answer()
      controller.abort()
    }
    expect(await server.ended).toBe('closed')
  })
})

/** Waits for what happens in later turns of the event loop; gives up only when the test does. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve))
}
