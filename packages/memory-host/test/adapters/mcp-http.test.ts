import { request, type IncomingHttpHeaders, type RequestOptions } from 'node:http'
import { createServer, type AddressInfo } from 'node:net'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { MAX_MESSAGE_BYTES } from '../../src/adapters/limits.js'
import { openToolEndpoint, tryOpenToolEndpoint, type ToolEndpoint } from '../../src/adapters/mcp-http.js'
import { HostError } from '../../src/errors.js'
import type { MemoryTool } from '../../src/tools/memory-tool.js'
import type { HostEvent } from '../../src/types.js'
import { fakeTools, gate } from './support/fake-tools.js'

const CALL = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'MemoryRecall', arguments: { query: 'tea' } },
}

async function opened(tools: readonly MemoryTool[] = fakeTools().tools): Promise<ToolEndpoint> {
  const endpoint = await openToolEndpoint(tools)
  onTestFinished(() => endpoint.close())
  return endpoint
}

interface Answer {
  readonly status: number | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A request as raw as Node makes one: also headers that `fetch` does not let us set. */
function send(url: string, options: RequestOptions, body = JSON.stringify(CALL)): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method: 'POST', agent: false, ...options }, (incoming) => {
      let text = ''
      incoming.setEncoding('utf8').on('data', (part: string) => (text += part))
      incoming.on('end', () => resolve({ status: incoming.statusCode, headers: incoming.headers, body: text }))
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

const headersOf = ({ headers }: ToolEndpoint) => ({
  ...headers,
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
})

async function clientOf({ url, headers }: ToolEndpoint): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' })
  onTestFinished(() => client.close())
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }))
  return client
}

describe('the official client', () => {
  test('lists and calls all tools', async () => {
    const client = await clientOf(await opened())
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(['MemoryRecall', 'MemoryJournal', 'Remember'])
    for (const [name, input] of [
      ['MemoryRecall', { query: 'tea' }],
      ['MemoryJournal', { fromDate: '2026-01-01' }],
      ['Remember', { text: 'Tea at five.' }],
    ] as const) {
      expect(await client.callTool({ name, arguments: input })).toMatchObject({
        content: [{ type: 'text', text: `${name}: ${JSON.stringify(input)}` }],
        structuredContent: { status: 'ok' },
      })
    }
    expect(await client.callTool({ name: 'Remember', arguments: {} })).toMatchObject({ isError: true })
    await expect(client.callTool({ name: 'Forget', arguments: {} })).rejects.toThrow('no tool of this name')
  })

  test('beside another one: calls of the same id are not mixed up', async () => {
    const endpoint = await opened()
    const clients = await Promise.all([clientOf(endpoint), clientOf(endpoint), clientOf(endpoint)])
    const results = await Promise.all(
      clients.flatMap((client, number) =>
        Array.from({ length: 5 }, (_, call) =>
          client.callTool({ name: 'MemoryRecall', arguments: { query: `${number}/${call}` } }),
        ),
      ),
    )
    expect(results.map(({ content }) => (content as { text: string }[])[0]?.text)).toEqual(
      [0, 1, 2].flatMap((number) => [0, 1, 2, 3, 4].map((call) => `MemoryRecall: {"query":"${number}/${call}"}`)),
    )
  })

  test.each([
    { name: 'without the bearer', headers: {} },
    { name: 'with another bearer', headers: { Authorization: `Bearer ${'A'.repeat(43)}` } },
  ])('$name cannot even connect', async ({ headers }) => {
    const { url } = await opened()
    await expect(clientOf({ url, headers } as unknown as ToolEndpoint)).rejects.toMatchObject({ code: 401 })
  })
})

describe('a request', () => {
  test('with everything is answered', async () => {
    const endpoint = await opened()
    const { status, body } = await send(endpoint.url, { headers: headersOf(endpoint) })
    expect(status).toBe(200)
    expect(JSON.parse(body)).toMatchObject({ id: 1, result: { structuredContent: { status: 'ok' } } })
  })

  const without: readonly {
    readonly name: string
    readonly status: number
    readonly change: (endpoint: ToolEndpoint) => RequestOptions
    readonly path?: string
  }[] = [
    { name: 'without a bearer', status: 401, change: () => ({ headers: { authorization: '' } }) },
    {
      name: 'with half of the bearer',
      status: 401,
      change: ({ bearer }) => ({ headers: { authorization: `Bearer ${bearer.slice(0, 20)}` } }),
    },
    {
      name: 'with more than the bearer',
      status: 401,
      change: ({ bearer }) => ({ headers: { authorization: `Bearer ${bearer}A` } }),
    },
    {
      name: 'with the bearer as Basic',
      status: 401,
      change: ({ bearer }) => ({ headers: { authorization: `Basic ${bearer}` } }),
    },
    {
      name: 'without a bearer, to another host, path and method',
      status: 401,
      change: () => ({ method: 'GET', headers: { authorization: '', host: 'evil.example' } }),
      path: '/other',
    },
    { name: 'to another host', status: 403, change: () => ({ headers: { host: 'evil.example' } }) },
    {
      name: 'to the host by its name',
      status: 403,
      change: ({ url }) => ({ headers: { host: `localhost:${new URL(url).port}` } }),
    },
    { name: 'to another port', status: 403, change: () => ({ headers: { host: '127.0.0.1:1' } }) },
    { name: 'of a page', status: 403, change: () => ({ headers: { origin: 'https://evil.example' } }) },
    { name: 'of a page without an origin', status: 403, change: () => ({ headers: { origin: 'null' } }) },
    { name: 'to another path', status: 404, change: () => ({}), path: '/' },
    { name: 'to listen', status: 405, change: () => ({ method: 'GET' }) },
    { name: 'to end a session', status: 405, change: () => ({ method: 'DELETE' }) },
  ]
  test.each(without)('$name is refused with $status and no word', async ({ status, change, path }) => {
    const { tools, calls } = fakeTools()
    const endpoint = await opened(tools)
    const { headers, ...rest } = change(endpoint)
    const url = path === undefined ? endpoint.url : new URL(path, endpoint.url).href
    const answer = await send(url, { ...rest, headers: lowerCase(headersOf(endpoint), headers) })
    expect(answer).toMatchObject({ status, body: '' })
    expect(calls).toEqual([])
  })

  test('of its own origin is answered', async () => {
    const endpoint = await opened()
    const origin = new URL(endpoint.url).origin
    expect((await send(endpoint.url, { headers: { ...headersOf(endpoint), origin } })).status).toBe(200)
  })

  test.each([
    { name: 'as long as allowed', extra: 0, status: 200 },
    { name: 'one byte longer', extra: 1, status: 413 },
  ])('$name', async ({ extra, status }) => {
    const endpoint = await opened()
    const body = JSON.stringify(CALL)
    const padded = body + ' '.repeat(MAX_MESSAGE_BYTES - body.length + extra)
    expect((await send(endpoint.url, { headers: headersOf(endpoint) }, padded)).status).toBe(status)
  })

  test.each([
    { name: 'no JSON', body: 'hello' },
    { name: 'nothing', body: '' },
    { name: 'JSON of no protocol', body: '{"hello":1}' },
  ])('of $name is refused, and the next one answered', async ({ body }) => {
    const endpoint = await opened()
    expect((await send(endpoint.url, { headers: headersOf(endpoint) }, body)).status).toBe(400)
    expect((await send(endpoint.url, { headers: headersOf(endpoint) })).status).toBe(200)
  })

  test('whose client vanishes has its signal aborted', async () => {
    const entered = gate()
    const { open, opened: released } = gate()
    const { tools, calls } = fakeTools(() => {
      entered.open()
      return released
    })
    const endpoint = await opened(tools)
    const outgoing = request(endpoint.url, { method: 'POST', agent: false, headers: headersOf(endpoint) })
    outgoing.on('error', () => undefined)
    outgoing.end(JSON.stringify(CALL))
    await entered.opened
    const { signal } = calls[0]!
    outgoing.destroy()
    await new Promise<void>((resolve) =>
      signal?.aborted === true ? resolve() : signal?.addEventListener('abort', () => resolve()),
    )
    open()
    expect((await send(endpoint.url, { headers: headersOf(endpoint) })).status).toBe(200)
  })
})

describe('an endpoint', () => {
  test('has a bearer of 256 random bits of its own', async () => {
    const [one, other] = await Promise.all([opened(), opened()])
    expect(Buffer.from(one.bearer, 'base64url')).toHaveLength(32)
    expect(one.bearer).not.toBe(other.bearer)
    expect((await send(one.url, { headers: headersOf(other) })).status).toBe(401)
    expect(new URL(one.url).hostname).toBe('127.0.0.1')
  })

  test('takes its randomness from the host', async () => {
    const endpoint = await openToolEndpoint([], { randomBytes: (count) => new Uint8Array(count).fill(7) })
    onTestFinished(() => endpoint.close())
    expect(Buffer.from(endpoint.bearer, 'base64url')).toEqual(Buffer.alloc(32, 7))
  })

  test('answers nothing once it is closed, and can be closed twice', async () => {
    const endpoint = await openToolEndpoint(fakeTools().tools)
    const client = await clientOf(endpoint)
    await Promise.all([endpoint.close(), endpoint.close()])
    await expect(client.listTools()).rejects.toThrow()
    await expect(send(endpoint.url, { headers: headersOf(endpoint) })).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })

  test('that is closed ends the calls under way', async () => {
    const entered = gate()
    const { open, opened: released } = gate()
    const { tools, calls } = fakeTools(() => {
      entered.open()
      return released
    })
    const endpoint = await openToolEndpoint(tools)
    const call = send(endpoint.url, { headers: headersOf(endpoint) })
    call.catch(() => undefined)
    await entered.opened
    await endpoint.close()
    await expect(call).rejects.toMatchObject({ code: 'ECONNRESET' })
    expect(calls[0]?.signal?.aborted).toBe(true)
    open()
  })

  test('refuses two tools of one name', async () => {
    const { tools } = fakeTools()
    await expect(openToolEndpoint([...tools, ...tools])).rejects.toThrow(TypeError)
    await expect(tryOpenToolEndpoint([...tools, ...tools])).rejects.toThrow(TypeError)
  })
})

describe('an endpoint that cannot be opened', () => {
  /** A system that has no port left. */
  async function withoutPorts(): Promise<void> {
    const taken = createServer()
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
    const { port } = taken.address() as AddressInfo
    const { Server } = await import('node:net')
    const listen = Server.prototype.listen
    const spy = vi.spyOn(Server.prototype, 'listen').mockImplementation(function (
      this: never,
      ...[, ...rest]: never[]
    ) {
      return (listen as (...args: unknown[]) => never).apply(this, [port, ...rest])
    } as never)
    onTestFinished(() => {
      spy.mockRestore()
      taken.close()
    })
  }

  test('throws with the code and the cause', async () => {
    await withoutPorts()
    const failure = await openToolEndpoint(fakeTools().tools).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(HostError)
    expect(failure).toMatchObject({ code: 'endpoint_unavailable', cause: { code: 'EADDRINUSE' } })
  })

  test.each([
    { name: 'listens', onEvent: () => undefined },
    {
      name: 'throws',
      onEvent: () => {
        throw new Error('of the host')
      },
    },
    { name: 'rejects', onEvent: () => Promise.reject(new Error('of the host')) },
  ])('is an event where the turn must go on, and the host $name', async ({ onEvent }) => {
    await withoutPorts()
    const events: HostEvent[] = []
    const endpoint = await tryOpenToolEndpoint(fakeTools().tools, {
      onEvent: (event) => {
        events.push(event)
        return onEvent()
      },
    })
    expect(endpoint).toBeUndefined()
    expect(events).toEqual([{ kind: 'endpoint_unavailable', code: 'EADDRINUSE' }])
  })
})

/** Later headers go before earlier ones; an empty one is not sent. */
function lowerCase(...sets: readonly RequestOptions['headers'][]): Record<string, string> {
  const entries = sets.flatMap((set) => Object.entries(set ?? {}) as [string, string][])
  const merged = Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), value]))
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== ''))
}
