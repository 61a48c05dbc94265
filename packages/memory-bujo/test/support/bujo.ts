import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { EmbeddingProvider } from '@mono-agent/memory-search'
import type { CaptureStage, ChatModel, ChatRequest } from '../../src/chat/chat-model.js'
import type { ExtractedMemory, Extraction, ReconcileDecision, ReviewDecision } from '../../src/capture/types.js'
import { createBujoMemoryStore, type BuiltInMemoryStore, type CompletedTurn } from '../../src/index.js'
import type { BujoStoreOptions } from '../../src/create-bujo-memory-store.js'
import { NOON } from './open-store.js'

export const DIMENSION = 64

/** One answer: the text itself, an object that is said as JSON, or an error that the call fails with. */
export type Answer = string | object | Error

export interface ScriptedModel extends ChatModel {
  readonly requests: readonly ChatRequest[]
  stages(): CaptureStage[]
  /** Appends answers, each for one call of its stage. */
  script(answers: { readonly [Stage in CaptureStage]?: Answer | readonly Answer[] }): void
  /** Answers that nobody has asked for. */
  readonly unused: number
}

/** A chat model that says what it is told to; a call without an answer fails the test's turn. */
export function scriptedModel(id = 'test:scripted'): ScriptedModel {
  const queues: Record<CaptureStage, Answer[]> = { extract: [], review: [], reconcile: [] }
  const requests: ChatRequest[] = []
  return {
    id,
    requests,
    stages: () => requests.map(({ stage }) => stage),
    get unused() {
      return Object.values(queues).reduce((sum, queue) => sum + queue.length, 0)
    },
    script(answers) {
      for (const [stage, given] of Object.entries(answers)) {
        queues[stage as CaptureStage].push(...(Array.isArray(given) ? (given as Answer[]) : [given]))
      }
    },
    complete(request) {
      requests.push(request)
      const answer = queues[request.stage].shift()
      if (answer === undefined) return Promise.reject(new Error(`No answer for ${request.stage}.`))
      if (answer instanceof Error) return Promise.reject(answer)
      return Promise.resolve({ text: typeof answer === 'string' ? answer : JSON.stringify(answer) })
    },
  }
}

/** Vectors from the words of a text: texts that share words are near each other. */
export function wordEmbeddings(dimension = DIMENSION): EmbeddingProvider & { readonly texts: string[] } {
  const texts: string[] = []
  const embed = (text: string): Float32Array => {
    const vector = new Float32Array(dimension)
    for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ['']) {
      const hash = createHash('sha256').update(word).digest()
      const place = hash.readUInt16BE(0) % dimension
      vector[place] = (vector[place] ?? 0) + 1
    }
    const length = Math.hypot(...vector)
    return vector.map((value) => value / length)
  }
  return {
    id: 'test:words',
    identity: { provider: 'test', model: 'words', dimension, fingerprint: `test-words-${dimension}` },
    texts,
    embed(given) {
      texts.push(...given)
      return Promise.resolve(given.map(embed))
    },
  }
}

export type BujoOptions = Partial<Omit<BujoStoreOptions, 'root' | 'llm'>>

/** A bujo store at noon of `DAY` that curates with `llm`, closed when the test is done at the latest. */
export async function openBujo(root: string, llm: ChatModel, options: BujoOptions = {}): Promise<BuiltInMemoryStore> {
  const embeddings = options.embeddings ?? wordEmbeddings()
  const store = await createBujoMemoryStore({
    root,
    llm,
    embeddings,
    dim: embeddings.identity.dimension,
    now: () => NOON,
    ...options,
  })
  onTestFinished(async () => {
    await store.close().catch(() => undefined) // a test that breaks its store on purpose has asserted that itself
  })
  return store
}

/** A turn of the owner, verified by the host; what they said is the summary too. */
export const ownerTurn = (runId: string, userText: string, more: Partial<CompletedTurn> = {}): CompletedTurn => ({
  runId,
  conversationId: 'web:1',
  summary: userText,
  captureText: `User: ${userText}\nAssistant: Noted.`,
  captureSpeakerKind: 'human-turn',
  captureEvidence: { userText, ownerTurn: true },
  ...more,
})

/** A memory that a user stated, quoted as it is said unless told otherwise. */
export const memory = (text: string, more: Partial<ExtractedMemory> = {}): ExtractedMemory => ({
  type: 'note',
  text,
  salience: 0.7,
  source: 'user',
  quote: text,
  entities: [],
  labels: [],
  ...more,
})

export const extraction = (...memories: readonly ExtractedMemory[]): Extraction => ({
  memories,
  entities: [],
  relations: [],
})

export const keepAll = (count: number): { decisions: ReviewDecision[] } => ({
  decisions: Array.from({ length: count }, (_, index) => ({ index, action: 'keep' })),
})

export const decide = (...decisions: readonly ReconcileDecision[]): { decisions: readonly ReconcileDecision[] } => ({
  decisions,
})

/** Sentence lines of all day files, in order of day and line. */
export function sentences(root: string): string[] {
  return filesIn(root, 'daily').flatMap((text) =>
    text
      .split('\n')
      .filter((line) => line.startsWith('- '))
      .map((line) => line.slice(2)),
  )
}

function filesIn(root: string, folder: string): string[] {
  if (!existsSync(join(root, folder))) return [] // made with the first file
  return readdirSync(join(root, folder))
    .sort()
    .map((name) => readFileSync(join(root, folder, name), 'utf8'))
}

/** Path → bytes, as text, of what is canonical: day files, graph, replay authority. */
export function canonicalBytes(root: string): Record<string, string> {
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /^(?:daily[/\\].*[.]md|graph[.]jsonl|[.]replay-projection-v1.*)$/.test(name),
  )
  return Object.fromEntries(names.sort().map((name) => [name, readFileSync(join(root, name), 'utf8')]))
}
