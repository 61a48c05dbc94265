import { createHash } from 'node:crypto'
import type { EmbeddingProvider } from '@mono-agent/memory-search'
import type { CaptureStage, ChatModel } from '../../../src/chat/chat-model.js'
import { createBujoMemoryStore } from '../../../src/index.js'
import { DETERMINISTIC_WEEK } from './deterministic-week.js'

/**
 * Plays the week on the root that it is given, with clock and randomness of its own, and says what it asked: the digest of
 * all prompts and texts that models got, and where each turn stands.
 */
const [root = ''] = process.argv.slice(2)
const DIMENSION = 256
const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest()
const asked = createHash('sha256')

let drawn = 0
const randomBytes = (count: number): Uint8Array => {
  const bytes = Buffer.alloc(count)
  for (let at = 0; at < count; at += 1) bytes[at] = sha256(`random ${(drawn += 1)}`)[0] ?? 0
  return bytes
}

const queues: Record<CaptureStage, unknown[]> = { extract: [], review: [], reconcile: [] }
const llm: ChatModel = {
  id: 'test:week',
  complete({ stage, system, user }) {
    asked.update(JSON.stringify([stage, system, user]))
    const answer = queues[stage].shift()
    if (answer === undefined) return Promise.reject(new Error(`No answer for ${stage}.`))
    return Promise.resolve({ text: typeof answer === 'string' ? answer : JSON.stringify(answer) })
  },
}

const embeddings: EmbeddingProvider = {
  id: 'test:words',
  identity: { provider: 'test', model: 'words', dimension: DIMENSION, fingerprint: 'test-words' },
  embed(texts) {
    asked.update(JSON.stringify(texts))
    return Promise.resolve(texts.map(vectorOf))
  },
}

function vectorOf(text: string): Float32Array {
  const vector = new Float32Array(DIMENSION)
  for (const word of text.match(/[\p{L}\p{N}]+/gu) ?? ['']) {
    const place = sha256(word).readUInt16BE(0) % DIMENSION
    vector[place] = (vector[place] ?? 0) + 1
  }
  const length = Math.hypot(...vector)
  return vector.map((value) => value / length)
}

const NOON = Date.parse('2026-05-01T12:00:00.000Z')
const store = await createBujoMemoryStore({
  root,
  llm,
  embeddings,
  dim: DIMENSION,
  now: () => NOON,
  monotonicNow: () => 0,
  // Nothing happens because time went by: how fast a machine is must not show.
  sleep: (ms, { signal, keepsProcessAlive }) =>
    keepsProcessAlive && ms < 60_000
      ? Promise.resolve()
      : new Promise((resolve) => signal?.addEventListener('abort', () => resolve())),
  randomBytes,
})
const states: string[] = []
await store.remember({ text: 'Spare keys hang downstairs.' })
for (const { turn, answers } of DETERMINISTIC_WEEK) {
  for (const [stage, answer] of Object.entries(answers)) queues[stage as CaptureStage].push(answer)
  await store.persistCompletedTurn(turn)
  await store.flush()
  states.push((await store.turnStatus(turn.runId)).state)
}
const { hits } = await store.recallWithOutcome('Where do I live near the station?')
const left = Object.values(queues).flat().length
await store.close()
process.stdout.write(`${JSON.stringify({ asked: asked.digest('hex'), states, hits, left })}\n`)
