// What one capture costs besides the model and the embeddings, at 1,000 and at 10,000 memories; and whether the prompts grow
// with the store. Each capture offers candidates: its topic is one of forty that come back again and again.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createBujoMemoryStore } from '../packages/memory-bujo/dist/index.js'
import { inMs, median, report } from './report.mjs'
import { syntheticEmbeddings } from './synthetic-embeddings.mjs'

const SMALL = 1_000
const LARGE = 10_000
const MEASURED = 150
const PER_DAY = 40
const DAY_MS = 86_400_000
const GROUP = 500
const MAX_GROWTH = 1.5
/** Numbers in the sentences get a digit more. */
const MAX_PROMPT_GROWTH = 1.1
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

/** A store that holds so many memories. */
async function filled(folder, memories) {
  const llm = scriptedModel()
  const embeddings = syntheticEmbeddings()
  const store = await createBujoMemoryStore({ root: folder, embeddings, dim: embeddings.identity.dimension, llm })
  for (let n = 0; n < memories; n += GROUP) {
    await Promise.all(Array.from({ length: GROUP }, (_, k) => store.persistCompletedTurn(turn(n + k))))
    await store.flush()
  }
  return { store, llm, next: memories, costs: [] }
}

/** Milliseconds from admission to the settled turn. */
async function capture(filledStore) {
  const n = filledStore.next++
  const started = performance.now()
  await filledStore.store.persistCompletedTurn(turn(n))
  await filledStore.store.whenSettled(`run-${n}`)
  filledStore.costs.push(performance.now() - started)
}

const root = mkdtempSync(join(tmpdir(), 'bench-capture-'))
try {
  const small = await filled(join(root, 'small'), SMALL)
  const large = await filled(join(root, 'large'), LARGE)
  // In turns, so that whatever else the machine does meets both.
  for (let n = 0; n < MEASURED; n++) {
    await capture(small)
    await capture(large)
  }
  await small.store.close()
  await large.store.close()
  const [atSmall, atLarge] = [median(small.costs), median(large.costs)]
  report({
    name: 'capture: own cost of one at 10,000 memories against 1,000',
    value: atLarge / atSmall,
    unit: '×',
    floor: `≤ ${MAX_GROWTH} ×`,
    ok: atLarge / atSmall <= MAX_GROWTH,
    detail: `${inMs(atSmall)} and ${inMs(atLarge)}`,
  })
  const callsPerTurn = large.llm.calls / large.next
  report({ name: 'capture: chat calls a turn', value: callsPerTurn, floor: '≤ 3', ok: callsPerTurn <= 3 })
  const prompt = ({ llm }) => median(llm.prompts.reconcile.slice(-MEASURED))
  const growth = prompt(large) / prompt(small)
  report({
    name: 'capture: length of the reconcile prompt at 10,000 memories against 1,000',
    value: growth,
    unit: '×',
    floor: `≤ ${MAX_PROMPT_GROWTH} ×`,
    ok: growth <= MAX_PROMPT_GROWTH,
  })
} finally {
  rmSync(root, { recursive: true })
}
