import type { Readable, Writable } from 'node:stream'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js'
import { createLineSplitter, type Line } from './line-splitter.js'

/** Why a line was passed over: it is no message of the protocol, or longer than one may be. */
export type IgnoredLine = 'garbage' | 'oversize'

/** What ended the connection: nothing more comes from the client, it does not take our answers, or `close` was called. */
export type TransportEnd = 'input_ended' | 'output_failed' | 'closed'

export interface LineTransportOptions {
  readonly input: Readable
  readonly output: Writable
  readonly maxMessageBytes: number
  /** Requests answered at once; input is not read on while there are as many. */
  readonly maxInFlight: number
  /** How long requests may still be answered after the end of the input. */
  readonly graceMs: number
  /** Of the SDK. @throws anything that is no message */
  readonly parseMessage: (line: string) => JSONRPCMessage
  readonly onIgnored: (why: IgnoredLine) => void
}

/**
 * MCP over two streams, one message a line. Beyond the SDK's own transport it outlives lines that are no messages or too
 * long, slows down a client that asks faster than it is answered, answers what was asked before the input ended, and says
 * when the connection is over.
 */
export class LineTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  /** Resolves once, when the connection is over. */
  readonly ended: Promise<TransportEnd>

  readonly #options: LineTransportOptions
  readonly #splitter: ReturnType<typeof createLineSplitter>
  readonly #unanswered = new Set<RequestId>()
  #resolveEnd!: (end: TransportEnd) => void
  #isOver = false
  #waiting: Line[] = []
  #inputEnded = false
  #grace: NodeJS.Timeout | undefined

  constructor(options: LineTransportOptions) {
    this.#options = options
    this.#splitter = createLineSplitter(options.maxMessageBytes)
    this.ended = new Promise((resolve) => (this.#resolveEnd = resolve))
  }

  async start(): Promise<void> {
    const { input, output } = this.#options
    output.on('error', this.#onOutputLost).on('close', this.#onOutputLost)
    input.on('end', this.#onInputEnd).on('close', this.#onInputEnd).on('error', this.#onInputEnd)
    input.on('data', this.#onData)
    if (input.readableEnded || input.destroyed) this.#onInputEnd()
    return Promise.resolve()
  }

  /** Resolves when the bytes were handed to the system. @throws what the stream failed with */
  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#isOver) throw new Error('The connection is over.')
    await new Promise<void>((resolve, reject) =>
      this.#options.output.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve())),
    )
    if (!('method' in message) && message.id !== undefined) this.#answered(message.id)
  }

  async close(): Promise<void> {
    this.#over('closed')
    return Promise.resolve()
  }

  readonly #onData = (chunk: Uint8Array): void => {
    this.#waiting.push(...this.#splitter.push(chunk))
    this.#deliver()
  }

  readonly #onInputEnd = (): void => {
    if (this.#inputEnded || this.#isOver) return
    this.#inputEnded = true
    this.#waiting.push(...this.#splitter.end())
    this.#grace = setTimeout(() => this.#over('input_ended'), this.#options.graceMs)
    this.#deliver()
  }

  readonly #onOutputLost = (): void => this.#over('output_failed')

  /** Hands lines on as long as there is room for another request. */
  #deliver(): void {
    const { input, maxInFlight } = this.#options
    while (!this.#isOver && this.#unanswered.size < maxInFlight) {
      const line = this.#waiting.shift()
      if (line === undefined) break
      this.#take(line)
    }
    if (this.#isOver) return
    if (this.#waiting.length > 0) input.pause()
    else if (!this.#inputEnded) input.resume()
    else if (this.#unanswered.size === 0) this.#over('input_ended')
  }

  #take(line: Line): void {
    if (line.kind === 'oversize') return this.#options.onIgnored('oversize')
    const message = this.#parse(line.bytes)
    if (message === undefined) return
    if ('method' in message && 'id' in message) this.#unanswered.add(message.id)
    this.onmessage?.(message)
    // A request that was called off is never answered.
    if ('method' in message && message.method === 'notifications/cancelled') {
      const id = message.params?.['requestId']
      if (typeof id === 'string' || typeof id === 'number') this.#unanswered.delete(id)
    }
  }

  #parse(bytes: Uint8Array): JSONRPCMessage | undefined {
    try {
      const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
      return text.trim() === '' ? undefined : this.#options.parseMessage(text)
    } catch {
      this.#options.onIgnored('garbage')
      return undefined
    }
  }

  #answered(id: RequestId): void {
    this.#unanswered.delete(id)
    this.#deliver()
  }

  #over(end: TransportEnd): void {
    if (this.#isOver) return
    this.#isOver = true
    clearTimeout(this.#grace)
    const { input, output } = this.#options
    input.off('data', this.#onData).off('end', this.#onInputEnd).off('close', this.#onInputEnd)
    input.pause()
    output.off('close', this.#onOutputLost)
    // The listeners for errors stay: what a stream fails with from now on concerns nobody, and must not end the process.
    this.#waiting = []
    this.#resolveEnd(end)
    this.onclose?.()
  }
}
