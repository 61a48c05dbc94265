import type { Readable, Writable } from 'node:stream'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage, JSONRPCRequest, RequestId } from '@modelcontextprotocol/sdk/types.js'
import { createLineSplitter, type Line } from './line-splitter.js'

/** Why a line was passed over: it is no message of the protocol, or longer than one may be. */
export type IgnoredLine = 'garbage' | 'oversize'

/** What ended the connection: nothing more comes from the client, it does not take our answers, or `close` was called. */
export type TransportEnd = 'input_ended' | 'output_failed' | 'closed'

export interface LineTransportOptions {
  readonly input: Readable
  readonly output: Writable
  readonly maxMessageBytes: number
  /** Requests answered at once; further ones wait. */
  readonly maxInFlight: number
  /** Bytes of requests that wait; with as many, input is not read on. */
  readonly maxWaitingBytes: number
  /** How long the next answer is waited for after the end of the input. */
  readonly graceMs: number
  /** Of the SDK. @throws anything that is no message */
  readonly parseMessage: (line: string) => JSONRPCMessage
  readonly onIgnored: (why: IgnoredLine) => void
}

interface Waiting {
  readonly request: JSONRPCRequest
  readonly bytes: number
}

/**
 * MCP over two streams, one message a line. Beyond the SDK's own transport it outlives lines that are no messages or too
 * long, slows down a client that asks faster than it is answered, answers what was asked before the input ended, and says
 * when the connection is over. What is no request waits for none: a client can call off what it waits for, and be seen to go.
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
  #waiting: Waiting[] = []
  #waitingBytes = 0
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
    for (const line of this.#splitter.push(chunk)) this.#take(line)
    this.#deliver()
  }

  readonly #onInputEnd = (): void => {
    if (this.#inputEnded || this.#isOver) return
    this.#inputEnded = true
    for (const line of this.#splitter.end()) this.#take(line)
    this.#waitForAnswer()
    this.#deliver()
  }

  readonly #onOutputLost = (): void => this.#over('output_failed')

  /** Hands requests on as long as there is room for another. */
  #deliver(): void {
    const { input, maxInFlight, maxWaitingBytes } = this.#options
    while (!this.#isOver && this.#unanswered.size < maxInFlight) {
      const next = this.#waiting.shift()
      if (next === undefined) break
      this.#waitingBytes -= next.bytes
      this.#unanswered.add(next.request.id)
      this.onmessage?.(next.request)
    }
    if (this.#isOver) return
    if (this.#waitingBytes >= maxWaitingBytes) input.pause()
    else if (!this.#inputEnded) input.resume()
    else if (this.#unanswered.size === 0) this.#over('input_ended')
  }

  #take(line: Line): void {
    if (this.#isOver) return
    if (line.kind === 'oversize') return this.#options.onIgnored('oversize')
    const message = this.#parse(line.bytes)
    if (message === undefined) return
    if ('method' in message && 'id' in message) {
      this.#waiting.push({ request: message, bytes: line.bytes.length })
      this.#waitingBytes += line.bytes.length
      return this.#deliver() // before what follows, which may call it off
    }
    this.onmessage?.(message)
    if ('method' in message && message.method === 'notifications/cancelled')
      this.#callOff(message.params?.['requestId'])
  }

  /** A request that was called off is never answered; one that waits is not even asked. */
  #callOff(id: unknown): void {
    if (typeof id !== 'string' && typeof id !== 'number') return
    this.#unanswered.delete(id)
    this.#waiting = this.#waiting.filter(({ request }) => request.id !== id)
    this.#waitingBytes = this.#waiting.reduce((sum, { bytes }) => sum + bytes, 0)
    this.#deliver()
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
    if (this.#inputEnded) this.#waitForAnswer()
    this.#deliver()
  }

  #waitForAnswer(): void {
    clearTimeout(this.#grace)
    if (!this.#isOver) this.#grace = setTimeout(() => this.#over('input_ended'), this.#options.graceMs)
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
