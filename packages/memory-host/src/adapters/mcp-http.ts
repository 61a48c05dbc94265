import { randomBytes as systemRandomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { HOST_ERRORS, HostError } from '../errors.js'
import type { MemoryTool } from '../tools/memory-tool.js'
import { eventsTo } from '../turn/events.js'
import type { HostOptions } from '../types.js'
import { refusalOf, type EndpointKeys } from './endpoint-guard.js'
import { MAX_MESSAGE_BYTES } from './limits.js'
import { toolServers, type ToolServerOptions } from './mcp-server.js'

const LOOPBACK = '127.0.0.1'
const PATH = '/mcp'
/** Of randomness in a bearer. */
const BEARER_BYTES = 32
const MAX_CONNECTIONS = 64
/** For the headers, and for a whole request, of which a tool needs but a moment. */
const HEADERS_TIMEOUT_MS = 10_000
const REQUEST_TIMEOUT_MS = 30_000
/** How often both are looked at: each ends at most this much late. */
const CHECKING_INTERVAL_MS = 2_000

export interface EndpointOptions extends ToolServerOptions, Pick<HostOptions, 'randomBytes'> {}

/** Tools of one turn behind a loopback address, for an agent that runs in another process. */
export interface ToolEndpoint {
  /** `http://127.0.0.1:<port>/mcp` */
  readonly url: string
  /** 256 random bits, base64url: whoever has it can use the tools until the endpoint is closed. */
  readonly bearer: string
  /** `url` must be called with them. */
  readonly headers: { readonly Authorization: string }
  /** Ends calls under way and refuses new connections from then on; may be called twice. */
  close(): Promise<void>
}

/**
 * Opens an MCP endpoint (Streamable HTTP, stateless) for these tools on a free port of 127.0.0.1. Close it with the turn:
 * what it offers ends there anyway. It keeps no process alive. Limits: 1 MiB a request, 64 connections.
 * @throws {HostError} `endpoint_unavailable`: it cannot listen; `tryOpenToolEndpoint` makes an event of that
 * @throws {TypeError} two tools of one name
 */
export async function openToolEndpoint(
  tools: readonly MemoryTool[],
  { randomBytes = systemRandomBytes, ...options }: EndpointOptions = {},
): Promise<ToolEndpoint> {
  const newServer = await toolServers(tools, options)
  const { StreamableHTTPServerTransport } = await import('@modelcontextprotocol/sdk/server/streamableHttp.js')
  const bearer = Buffer.from(randomBytes(BEARER_BYTES)).toString('base64url')
  const live = new Set<McpServer>()

  async function answer(request: IncomingMessage, response: ServerResponse, keys: EndpointKeys): Promise<void> {
    const refusal = refusalOf(request, keys)
    if (refusal !== undefined) {
      // A body that nobody is going to read ends with the connection.
      response.writeHead(refusal.status, { ...refusal.headers, connection: 'close', 'content-length': 0 }).end()
      return
    }
    // One server a request: clients of a turn share no session, no ids and no state that could be mixed up.
    const mcp = newServer()
    live.add(mcp)
    response.once('close', () => {
      live.delete(mcp)
      void mcp.close()
    })
    const transport = new StreamableHTTPServerTransport({
      enableJsonResponse: true,
      maxRequestBodySize: MAX_MESSAGE_BYTES,
    })
    await mcp.connect(transport)
    await transport.handleRequest(request, response)
  }

  const http = createServer({
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionsCheckingInterval: CHECKING_INTERVAL_MS,
  })
  http.maxConnections = MAX_CONNECTIONS
  const authority = `${LOOPBACK}:${await listen(http)}`
  http.on('request', (request, response) => {
    answer(request, response, { bearer, authority, path: PATH }).catch(() => failed(response))
  })
  http.unref()

  let closing: Promise<void> | undefined
  return {
    url: `http://${authority}${PATH}`,
    bearer,
    headers: { Authorization: `Bearer ${bearer}` },
    close: () =>
      (closing ??= new Promise((resolve) => {
        http.close(() => resolve())
        http.closeAllConnections()
        for (const mcp of live) void mcp.close()
      })),
  }
}

/**
 * As `openToolEndpoint`, for a turn that must go on: where the endpoint cannot be opened, `onEvent` is told
 * `endpoint_unavailable`, and the turn has no endpoint.
 */
export async function tryOpenToolEndpoint(
  tools: readonly MemoryTool[],
  { onEvent, ...options }: EndpointOptions & Pick<HostOptions, 'onEvent'> = {},
): Promise<ToolEndpoint | undefined> {
  try {
    return await openToolEndpoint(tools, options)
  } catch (error) {
    if (error instanceof TypeError) throw error // a defect of the caller, not a state of the machine
    const cause = error instanceof HostError ? error.cause : error
    const { code = 'unknown' } = cause as NodeJS.ErrnoException
    eventsTo(onEvent)({ kind: 'endpoint_unavailable', code })
    return undefined
  }
}

/** @returns the port */
async function listen(http: Server): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    http.once('error', reject)
    http.listen(0, LOOPBACK, () => {
      http.off('error', reject)
      resolve()
    })
  }).catch((cause: unknown) => {
    throw new HostError('endpoint_unavailable', HOST_ERRORS.endpoint_unavailable, { cause })
  })
  return (http.address() as AddressInfo).port
}

/** A defect: the client is told that there was one, and nothing of it. */
function failed(response: ServerResponse): void {
  if (!response.headersSent) response.writeHead(500, { connection: 'close', 'content-length': 0 })
  response.end()
}
