import type { Readable, Writable } from 'node:stream'
import type { MemoryTool } from '../tools/memory-tool.js'
import { LineTransport, type IgnoredLine, type TransportEnd } from './line-transport.js'
import { MAX_MESSAGE_BYTES } from './limits.js'
import { createToolServer, type ToolServerOptions } from './mcp-server.js'

/** Requests of one client that are answered at once; further ones wait. */
const MAX_IN_FLIGHT = 16

/** For the next answer to what was asked before the input ended; a store answers or gives up before. */
const GRACE_MS = 10_000

export interface StdioOptions extends ToolServerOptions {
  /** Default: of this process. */
  readonly input?: Readable
  /** Default: of this process. Nothing else may write to it. */
  readonly output?: Writable
  /** Ends the server. */
  readonly signal?: AbortSignal
  /** Told of each line that was passed over: no message of the protocol, or longer than 1 MiB. Must not throw. */
  readonly onIgnored?: (why: IgnoredLine) => void
}

/**
 * Serves the tools over standard input and output until the client goes away, closes its end, or `signal` aborts. What was
 * asked before the end of the input is still answered. Neither the streams nor the store are closed: they are their owner's.
 * @returns why it ended
 * @throws {TypeError} two tools of one name
 */
export async function serveOverStdio(
  tools: readonly MemoryTool[],
  { input = process.stdin, output = process.stdout, signal, onIgnored, ...options }: StdioOptions = {},
): Promise<TransportEnd> {
  const mcp = await createToolServer(tools, options)
  const { deserializeMessage } = await import('@modelcontextprotocol/sdk/shared/stdio.js')
  const transport = new LineTransport({
    input,
    output,
    maxMessageBytes: MAX_MESSAGE_BYTES,
    maxInFlight: MAX_IN_FLIGHT,
    maxWaitingBytes: MAX_MESSAGE_BYTES,
    graceMs: GRACE_MS,
    parseMessage: deserializeMessage,
    onIgnored: (why) => onIgnored?.(why),
  })
  const stop = (): void => void transport.close()
  if (signal?.aborted === true) return 'closed'
  signal?.addEventListener('abort', stop, { once: true })
  try {
    await mcp.connect(transport)
    return await transport.ended
  } finally {
    signal?.removeEventListener('abort', stop)
  }
}
