// Hands the recorded turns to a store, one after the other, each at the time at which it was held.
import { readFileSync } from 'node:fs'
import { createMemoryStore, markDeliveredMemory } from '../../packages/memory-bujo/dist/index.js'
import { CHAT_MODEL, EMBEDDING_MODEL } from './recorded-model.mjs'

/** How long after a turn began it is handed over. */
const LATER_MS = 90_000

export function readTurns() {
  return readFileSync(new URL('turns.jsonl', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

export const embeddingsOf = ({ url, dim }) => ({ provider: 'ollama', endpoint: url, model: EMBEDDING_MODEL, dim })

/**
 * Opens the store of the demo: a plain bujo configuration, a clock of its own, and a `fetch` that is timed.
 * @returns the store, `hold(turn)` for one turn and its timings, `spent` in milliseconds by kind of model
 */
export async function openStore(path, model) {
  const clock = { ms: 0 }
  const spent = { chat: 0, embeddings: 0 }
  const failures = []
  const store = await createMemoryStore(
    {
      mode: 'bujo',
      writeMode: 'capture',
      path,
      embeddings: embeddingsOf(model),
      llm: { provider: 'ollama', endpoint: model.url, model: CHAT_MODEL },
    },
    {
      now: () => clock.ms,
      fetch: timedFetch(spent),
      onEvent: ({ kind, code }) => kind === 'projection_failed' && failures.push(code),
    },
  )

  /** Admits one turn and waits for its end. @throws {Error} it did not come to one, or asked what nobody recorded */
  async function hold({ recall, ...recorded }) {
    clock.ms = Date.parse(recorded.occurredAt) + LATER_MS
    const turn = recall === undefined ? recorded : await withRecalled(recorded, recall)
    const { chat: calledBefore } = store.snapshot().calls
    const started = performance.now()
    const { status } = await store.persistCompletedTurn(turn)
    const admittedMs = performance.now() - started
    if (status !== 'admitted') throw new Error(`The turn ${turn.runId} was not admitted: ${status}.`)
    await store.flush()
    const curatedMs = performance.now() - started
    const { state } = await store.turnStatus(turn.runId)
    model.assertComplete()
    if (state !== 'curated')
      throw new Error(`The turn ${turn.runId} is ${state} and not curated: ${failures.join(', ')}.`)
    return { admittedMs, curatedMs, calls: store.snapshot().calls.chat - calledBefore }
  }

  /** The assistant answers with what memory delivered; a host marks those lines, so that they are no evidence. */
  async function withRecalled(turn, query) {
    const { hits } = await store.recallWithOutcome(query, { limit: 1 })
    const lines = hits.map(({ text }) => text)
    if (lines.length === 0) throw new Error(`Nothing was recalled for ${query}.`)
    return { ...turn, captureText: markDeliveredMemory([turn.captureText, ...lines].join('\n'), lines) }
  }

  return { store, hold, spent }
}

function timedFetch(spent) {
  return async (input, init) => {
    const kind = String(input instanceof Request ? input.url : input).endsWith('/api/chat') ? 'chat' : 'embeddings'
    const started = performance.now()
    const response = await fetch(input, init)
    const body = await response.arrayBuffer()
    spent[kind] += performance.now() - started
    return new Response(body, response)
  }
}
