// What one capture costs besides the model and the embeddings, at 1,000 and at 10,000 memories; and whether the prompts grow
// with the store. Each capture offers candidates: its topic is one of forty that come back again and again.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createBujoMemoryStore } from '../packages/memory-bujo/dist/index.js'
import { median, report } from './report.mjs'
import { syntheticEmbeddings } from './synthetic-embeddings.mjs'

const SMALL = 1_000
const LARGE = 10_000
const MEASURED = 150
const PER_DAY = 40
const DAY_MS = 86_400_000
const MAX_GROWTH = 1.5
const START = Date.parse('2026-01-01T08:00:00Z')
const TOPICS = 40

const sentence = (n) => `Topic ${n % TOPICS}: the ferry of day ${n} carried ${n * 7} crates of oranges to Lund.`

/** Says of every turn what its text says, and that it is new. */
function scriptedModel() {
  const prompts = { extract: [], review: [], reconcile: [] }
  let calls = 0
  return {
    id: 'bench:scripted',
    prompts,
    get calls() {
      return calls
    },
    complete({ stage, system, user }) {
      calls++
      prompts[stage].push(system.length + user.length)
      return Promise.resolve({ text: JSON.stringify(answers[stage](user)) })
    },
  }
}

const answers = {
  extract(user) {
    const [text] = /Topic \d+: the ferry of day \d+ carried \d+ crates of oranges to Lund\./.exec(user)
    const topic = /Topic (\d+)/.exec(text)[1]
    const entity = { id: `concept:topic-${topic}`, name: `Topic ${topic}`, type: 'concept' }
    const memory = { type: 'note', text, salience: 0.6, source: 'user', quote: text, entities: [entity.id], labels: [] }
    return { memories: [memory], entities: [entity], relations: [] }
  },
  review: () => ({ decisions: [{ index: 0, action: 'keep' }] }),
  reconcile: () => ({ decisions: [{ index: 0, action: 'ADD' }] }),
}

const turn = (n) => ({
  runId: `run-${n}`,
  conversationId: `chat-${n % 50}`,
  summary: sentence(n),
  captureText: sentence(n),
  captureSpeakerKind: 'human-turn',
  captureEvidence: { userText: sentence(n) },
  occurredAt: new Date(START + Math.floor(n / PER_DAY) * DAY_MS).toISOString(),
})

/** Milliseconds from admission to the settled turn, one at a time. */
async function captures(store, from, count) {
  const costs = []
  for (let n = from; n < from + count; n++) {
    const started = performance.now()
    await store.persistCompletedTurn(turn(n))
    await store.whenSettled(`run-${n}`)
    costs.push(performance.now() - started)
  }
  return costs
}

const root = mkdtempSync(join(tmpdir(), 'bench-capture-'))
try {
  const llm = scriptedModel()
  const embeddings = syntheticEmbeddings()
  const store = await createBujoMemoryStore({
    root: join(root, 'memory'),
    embeddings,
    dim: embeddings.identity.dimension,
    llm,
  })
  const fill = async (from, to) => {
    for (let n = from; n < to; n += 500) {
      await Promise.all(
        Array.from({ length: Math.min(500, to - n) }, (_, k) => store.persistCompletedTurn(turn(n + k))),
      )
      await store.flush()
    }
  }
  await fill(0, SMALL)
  const small = await captures(store, SMALL, MEASURED)
  const promptsAtSmall = median(llm.prompts.reconcile.slice(-MEASURED))
  await fill(SMALL + MEASURED, LARGE)
  const large = await captures(store, LARGE, MEASURED)
  const promptsAtLarge = median(llm.prompts.reconcile.slice(-MEASURED))
  await store.close()
  console.error(`ms a capture: ${median(small).toFixed(1)} at ${SMALL}, ${median(large).toFixed(1)} at ${LARGE}`)
  const growth = median(large) / median(small)
  report({
    name: 'capture: own cost of one at 10,000 memories against 1,000',
    value: growth,
    unit: '×',
    floor: `≤ ${MAX_GROWTH} ×`,
    ok: growth <= MAX_GROWTH,
  })
  const callsPerTurn = llm.calls / (LARGE + MEASURED)
  report({ name: 'capture: chat calls a turn', value: callsPerTurn, floor: '≤ 3', ok: callsPerTurn <= 3 })
  const promptGrowth = promptsAtLarge / promptsAtSmall
  report({
    name: 'capture: length of the reconcile prompt at 10,000 memories against 1,000',
    value: promptGrowth,
    unit: '×',
    floor: '≤ 1.1 ×',
    ok: promptGrowth <= 1.1,
  })
} finally {
  rmSync(root, { recursive: true })
}
