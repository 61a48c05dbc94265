import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { RequestError, type Reply, type ServiceProtocol } from './exchange.js'
import { createFaultPlan } from './faults.js'
import { createModelCatalogue } from './models.js'
import { lmStudioProtocol } from './protocols/lm-studio.js'
import { ollamaProtocol } from './protocols/ollama.js'
import { openAiProtocol } from './protocols/openai.js'
import { isObject, readBody, textsOf, type RequestBody } from './request-body.js'
import { createRequestLog, type OpenRequest } from './request-log.js'
import { createScriptedChat } from './scripted-chat.js'
import type { Fault, ModelServer, ModelServerOptions } from './types.js'
import { distortVectors } from './vectors.js'

const LOOPBACK = '127.0.0.1'
const EMBEDDING_PATHS: ReadonlySet<string> = new Set(['/api/embed', '/v1/embeddings'])
const NOT_JSON = '<html><body><h1>502 Bad Gateway</h1></body></html>'

/**
 * Starts a model service on loopback that answers as Ollama, LM Studio and OpenAI do, and fails when told to.
 * @throws {TypeError} options that contradict themselves      @throws the system's error if the port is taken
 */
export async function startModelServer(options: ModelServerOptions = {}): Promise<ModelServer> {
  const { service = 'all', apiKey, port = 0, sleep = sleepByTimer } = options
  const models = createModelCatalogue(options)
  const chat = createScriptedChat()
  const faults = createFaultPlan()
  const requests = createRequestLog()
  const everyProtocol = [
    ollamaProtocol(models, chat),
    openAiProtocol(models, chat, options.refusedParameters),
    lmStudioProtocol(models, chat),
  ]
  const protocols = everyProtocol.filter(({ name }) => service === 'all' || name === service)

  const serve = async (message: IncomingMessage, response: ServerResponse) => {
    const path = new URL(message.url ?? '/', `http://${LOOPBACK}`).pathname
    const method = message.method ?? 'GET'
    const body = await readBody(message)
    if (body === null) return
    const isEmbedding = EMBEDDING_PATHS.has(path)
    const entry = requests.record(message, path, body.value, isEmbedding ? textsOf(body.value) : [])
    const leaving = followUntilClosed(response, entry)
    const fault = faults.take(path, isEmbedding)
    entry.fault = fault?.kind ?? null
    if (fault?.kind === 'never') return
    if (fault?.kind === 'drop') return drop(response, entry)
    if (fault?.kind === 'hold') await faults.hold(leaving)
    if (fault?.kind === 'delay') await sleep(fault.delayMs, leaving)
    if (leaving.aborted) return

    const protocol = protocolOf(protocols, path)
    const reply = await answer(protocol, method, path, body, fault, leaving)
    if (!leaving.aborted) await send(response, entry, reply, fault)
  }

  const answer = async (
    protocol: ServiceProtocol,
    method: string,
    path: string,
    body: RequestBody,
    fault: Fault | null,
    signal: AbortSignal,
  ): Promise<Reply> => {
    try {
      if (fault?.kind === 'status') return statusReply(protocol, fault)
      if (fault?.kind === 'invalid-json') {
        return { status: 200, contentType: 'application/json', chunks: [fault.body ?? NOT_JSON] }
      }
      if (apiKey !== undefined && body.authorization !== `Bearer ${apiKey}`) {
        throw new RequestError(401, 'Incorrect API key provided.', { code: 'invalid_api_key' })
      }
      const route = protocol.routes.find((one) => one.path === path && one.method === method)
      if (route === undefined) return protocol.unknownPath(method, path)
      if (method === 'POST' && !isObject(body.value)) throw new RequestError(400, 'The body is no JSON object.')
      return await route.handle({
        body: isObject(body.value) ? body.value : {},
        signal,
        distort: (vectors) => distortVectors(vectors, fault),
      })
    } catch (error) {
      // What is no error of the service is one of this server: said aloud, never taken for a fault that was ordered.
      const known = error instanceof RequestError ? error : new RequestError(500, `Model server: ${String(error)}`)
      return protocol.errorReply(known)
    }
  }

  const server = createServer((message, response) => {
    serve(message, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined))
  })
  await listen(server, port)

  return {
    url: `http://${LOOPBACK}:${(server.address() as AddressInfo).port}`,
    faults,
    requests,
    chat,
    async close() {
      for (const entry of requests.all()) if (entry.outcome === null) (entry as OpenRequest).close('dropped')
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
      await models.close()
    },
  }
}

/** Closes the entry when the connection does; the signal aborts if the answer was not sent by then. */
function followUntilClosed(response: ServerResponse, entry: OpenRequest): AbortSignal {
  const controller = new AbortController()
  response.once('close', () => {
    // A client that has its answer closes before we hear that it was sent: what was written to the end counts.
    entry.close(response.writableEnded ? 'answered' : 'aborted')
    if (!response.writableEnded) controller.abort(new Error('The client left.'))
  })
  return controller.signal
}

/** Breaks the connection, which the client sees as a reset or an end too soon. */
function drop(response: ServerResponse, entry: OpenRequest): void {
  entry.close('dropped')
  response.destroy()
}

async function send(response: ServerResponse, entry: OpenRequest, reply: Reply, fault: Fault | null): Promise<void> {
  const { status, contentType, chunks, headers = {} } = reply
  const text = chunks.join('')
  // A stream has no length: its reader learns from its last piece whether it was whole.
  const length = chunks.length === 1 ? { 'content-length': Buffer.byteLength(text) } : {}
  entry.status = status
  response.writeHead(status, { 'content-type': contentType, ...length, ...headers })
  if (fault?.kind === 'half-body') {
    const half = Buffer.from(text)
    await new Promise((resolve) => response.write(half.subarray(0, Math.ceil(half.length / 2)), resolve))
    return drop(response, entry)
  }
  for (const chunk of chunks) response.write(chunk)
  response.end()
}

function statusReply(protocol: ServiceProtocol, fault: Fault & { kind: 'status' }): Reply {
  const { status, retryAfterSeconds, message = `Status ${status}, as ordered.` } = fault
  const reply = protocol.errorReply(new RequestError(status, message))
  return retryAfterSeconds === undefined ? reply : { ...reply, headers: { 'retry-after': String(retryAfterSeconds) } }
}

/** Whose path it is; whoever is served first answers for one that nobody has. */
function protocolOf(protocols: readonly ServiceProtocol[], path: string): ServiceProtocol {
  const found = protocols.find(({ routes }) => routes.some((route) => route.path === path)) ?? protocols[0]
  if (found === undefined) throw new TypeError('No service is served.')
  return found
}

async function sleepByTimer(delayMs: number, signal: AbortSignal): Promise<void> {
  try {
    await wait(delayMs, undefined, { signal })
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, LOOPBACK, () => {
      server.off('error', reject)
      resolve()
    })
  })
}
