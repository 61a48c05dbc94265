import { Ollama } from 'ollama'
import OpenAI from 'openai'
import { afterEach } from 'vitest'
import { startModelServer, type ModelServer, type ModelServerOptions } from './index.js'

const servers: ModelServer[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

/** A server that is closed after the test. */
export async function serverWith(options: ModelServerOptions = {}): Promise<ModelServer> {
  const server = await startModelServer(options)
  servers.push(server)
  return server
}

export const ollamaOf = ({ url }: ModelServer) => new Ollama({ host: url })

/** OpenAI's client without its own retries, so that a test sees each answer. */
export const openAiOf = ({ url }: ModelServer, apiKey = 'unused') =>
  new OpenAI({ baseURL: `${url}/v1`, apiKey, maxRetries: 0 })

/** A request by hand: for what the official clients do not let through. */
export const post = (server: ModelServer, path: string, body: unknown, signal?: AbortSignal) =>
  fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  })
