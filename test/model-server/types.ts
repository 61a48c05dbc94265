/** One text as a model sees it. */
export interface EmbeddedText {
  /** Unit length. */
  readonly vector: Float32Array
  /** Tokens of the whole text (of its beginning if it is many times too long); over `contextTokens` it was cut there. */
  readonly tokens: number
}

export interface EmbedderOptions {
  /** `universal-sentence-encoder` (default) or `hash-<dimension>`, `hash-<dimension>-<variant>`. */
  readonly model?: string
  /** Where vectors are kept between runs: `node_modules/.cache/model-server` by default; null keeps none. */
  readonly cacheDirectory?: string | null
  /** Tokens the model looks at; 512 for the sentence encoder, 8,192 for synthetic models. */
  readonly contextTokens?: number
}

export interface EmbedOptions {
  /** Rejects with its reason between two pieces of work; what was computed stays in the cache. */
  readonly signal?: AbortSignal | undefined
}

export interface Embedder {
  readonly model: string
  readonly dim: number
  readonly contextTokens: number
  /** Unit vectors in the order of `texts`; any number of texts, any text, cut at the context. */
  embed(texts: readonly string[], options?: EmbedOptions): Promise<Float32Array[]>
  embedCounted(texts: readonly string[], options?: EmbedOptions): Promise<EmbeddedText[]>
  /** Ends the thread of the model if it runs. */
  close(): Promise<void>
}

/** Whose paths are answered. `all` answers every one, and `/v1` as OpenAI does. */
export type Service = 'all' | 'ollama' | 'lm-studio' | 'openai'
export type Protocol = Exclude<Service, 'all'>

/** A model under a name of one's own: `{ name: 'nomic-embed-text', serves: 'hash-768' }`. */
export interface ServedModel {
  readonly name: string
  /** A model of `createEmbedder`. */
  readonly serves: string
  readonly contextTokens?: number
}

export interface ModelServerOptions {
  readonly service?: Service
  /** Default: `universal-sentence-encoder`, `hash-768`, `hash-1536`. A string is a model under its own name. */
  readonly models?: readonly (string | ServedModel)[]
  /** Default: `scripted-chat`. */
  readonly chatModels?: readonly string[]
  /** Parameters of a chat request that OpenAI's paths refuse by name with 400, such as `response_format`. */
  readonly refusedParameters?: readonly string[]
  /** If set, every request without this bearer token is answered with 401. */
  readonly apiKey?: string
  /** Loopback port; any free one by default. */
  readonly port?: number
  readonly cacheDirectory?: string | null
  /** Waits for the fault `delay`; a timer by default. */
  readonly sleep?: (delayMs: number, signal: AbortSignal) => Promise<void>
}

export interface ModelServer {
  /** `http://127.0.0.1:<port>`, without a path: OpenAI's clients want `${url}/v1`. */
  readonly url: string
  readonly faults: Faults
  readonly requests: RequestLog
  readonly chat: ScriptedChat
  /** Drops open connections, held ones too, and ends the models. */
  close(): Promise<void>
}

interface FaultScope {
  /** Requests it applies to before it is spent; without it, until `set` or `clear`. */
  readonly times?: number
  /** Only requests to this path, such as `/api/embed`. */
  readonly path?: string
}

/** What goes wrong before an answer is thought of, or on its way. */
export type TransportFault =
  /** Waits for `release` or `clear`, then is answered as if nothing had been. */
  | { readonly kind: 'hold' }
  | { readonly kind: 'delay'; readonly delayMs: number }
  /** Never answered: open until the client leaves or the server closes. */
  | { readonly kind: 'never' }
  /** An error in the service's own form. */
  | { readonly kind: 'status'; readonly status: number; readonly retryAfterSeconds?: number; readonly message?: string }
  /** Status 200, `application/json`, and a body that is none: by default a proxy's page. */
  | { readonly kind: 'invalid-json'; readonly body?: string }
  /** The right headers, the first half of the right body, then the connection breaks. */
  | { readonly kind: 'half-body' }
  /** The connection breaks before any answer. */
  | { readonly kind: 'drop' }

/** What is wrong with the vectors; touches requests for embeddings only. */
export type VectorFault =
  /** Default: one more than there should be. */
  | { readonly kind: 'wrong-dimension'; readonly dim?: number }
  /**
   * The first number of the last vector. In JSON `NaN` is written as that word (some services do, and it is no JSON),
   * infinity as `1e999` (JSON that reads as infinity), `null` as null; base64 holds the float itself, for null a NaN.
   */
  | { readonly kind: 'bad-number'; readonly value: 'NaN' | 'Infinity' | 'null' }
  /** The last vector is all zeros. */
  | { readonly kind: 'zero-vector' }
  /** Default: one less than asked for. More than there are repeats the last. */
  | { readonly kind: 'wrong-count'; readonly count?: number }
  /** No fault of the service: OpenAI's answer in reverse order, each vector with its right `index`. */
  | { readonly kind: 'shuffled' }

export type Fault = (TransportFault | VectorFault) & FaultScope

export interface Faults {
  /** Replaces the plan. For each request the first fault that fits it applies, alone; spent ones are passed over. */
  set(...faults: readonly Fault[]): void
  /** Ends the plan and releases what is held. */
  clear(): void
  /** Requests that are held now. */
  readonly held: number
  /** Resolves when `count` requests or more are held. */
  holding(count: number): Promise<void>
  /** Lets the oldest `count` held requests go on; all by default. */
  release(count?: number): void
}

/** `answered`: sent whole. `aborted`: the client left first. `dropped`: a fault or `close` broke the connection. */
export type Outcome = 'answered' | 'aborted' | 'dropped'

export interface LoggedRequest {
  readonly method: string
  /** Without the query. */
  readonly path: string
  /** Without `authorization`, `api-key`, `x-api-key` and `cookie`. */
  readonly headers: Readonly<Record<string, string>>
  /** Parsed JSON; the text if it is none; null if there is none. */
  readonly body: unknown
  /** The texts of a request for embeddings; empty for others. */
  readonly texts: readonly string[]
  /** The fault that applied. */
  readonly fault: Fault['kind'] | null
  /** Null until an answer begins, and if none does. */
  readonly status: number | null
  /** Null while it is open. */
  readonly outcome: Outcome | null
  /** Resolves when it is over. */
  readonly closed: Promise<Outcome>
}

export interface RequestLog {
  /** In order of arrival; a request is listed when its body is read. */
  all(): readonly LoggedRequest[]
  /** Those to this path. */
  to(path: string): readonly LoggedRequest[]
  /** Those with texts to embed. */
  embeddings(): readonly LoggedRequest[]
  /** Resolves with the request when so many have arrived since the start or `clear`; 1 is the first. */
  arrival(ordinal: number): Promise<LoggedRequest>
  clear(): void
}

export interface ChatRequest {
  readonly protocol: Protocol
  readonly model: string
  readonly messages: readonly { readonly role: string; readonly content: string }[]
  /** The JSON schema the answer is asked to follow; null without one. */
  readonly schema: unknown
  /** What the schema is called: by OpenAI's `name`, with Ollama by its title; null without one. */
  readonly schemaName: string | null
  readonly stream: boolean
  /** The whole request as it came. */
  readonly body: Readonly<Record<string, unknown>>
}

export interface ChatAnswer {
  readonly content: string
  /** Default `stop`; `length` is an answer that hit the limit of tokens. */
  readonly finish?: 'stop' | 'length'
  /** What the model thought before; in the field that the service has for it. */
  readonly thinking?: string
}

/** Null: not mine, ask the next one. */
export type ChatResponder = (request: ChatRequest) => string | ChatAnswer | null | Promise<string | ChatAnswer | null>

export interface ScriptedChat {
  /** Appends answers; each serves one request, of whatever protocol, in order of arrival. */
  script(answers: readonly (string | ChatAnswer | ChatResponder)[]): void
  /** Who is asked when the script is spent, such as a book of recordings; null for nobody. */
  respondWith(responder: ChatResponder | null): void
  /** Every request, answered or not. */
  readonly requests: readonly ChatRequest[]
  /** Requests nobody had an answer for, or whose responder threw; each was told so with a 500. */
  readonly unexpected: readonly { readonly request: ChatRequest; readonly reason: string }[]
  /** Answers not yet asked for. */
  readonly unused: number
  /** Forgets script, responder and record. */
  clear(): void
}
