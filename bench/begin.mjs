// What the beginning of a turn costs at 100,000 memories with vectors: `begin()` of memory-host (automatic context with
// persons, background and lines) against one hybrid recall of the same store, in turns; and how long the event loop is held
// meanwhile.
import { mkdtempSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { createBujoMemoryStore, rebuildMemoryIndex } from '../packages/memory-bujo/dist/index.js'
import { createTurnMemory } from '../packages/memory-host/dist/index.js'
import {
  applyDayChanges,
  emptyDayDocument,
  formatDayFile,
  formatGraphLine,
  newBullet,
} from '../packages/memory-store/dist/index.js'
import { inMs, median, report } from './report.mjs'
import { DIMENSION, syntheticEmbeddings } from './synthetic-embeddings.mjs'

const MEMORIES = Number(process.env.MEMORY_BENCH_MEMORIES ?? 100_000)
const PER_DAY = 100
const PERSONS = 500
const MEASURED = 60
const WARM = 5
const MAX_RATIO = 1.3
const MAX_BLOCK_MS = 20
const DAY_MS = 86_400_000
const START = Date.parse('2023-01-01T08:00:00Z')

const NAMES = ['Ana', 'Luigi', 'Morgan', 'Teo', 'Ines', 'Bo', 'Mirjam', 'Aiko', 'Priya', 'Sven']
const FAMILY = ['Ruiz', 'Rossi', 'Lind', 'Weber', 'Sato', 'Nair', 'Holm', 'Costa', 'Novak', 'Berg']
const THINGS = ['oranges', 'green tea', 'a violin', 'the ferry', 'walnuts', 'the night train', 'chess', 'the garden']
const nameOf = (n) => `${NAMES[n % 10]} ${FAMILY[Math.floor(n / 10) % 10]} ${Math.floor(n / 100)}`
const personOf = (n) => `person:p${n}`

/** Every tenth states where a person lives, every fiftieth what somebody likes. */
function memory(n) {
  const person = n % PERSONS
  const at = new Date(START + Math.floor(n / PER_DAY) * DAY_MS + (n % PER_DAY) * 1000).toISOString()
  const labels = []
  if (n % 10 === 0) {
    const value = { type: 'text', text: `Town ${n % 97}` }
    const said = { attribution: 'user-stated' }
    labels.push({ kind: 'fact', entityId: personOf(person), key: `other:place-${n % 13}`, value, ...said })
  }
  if (n % 50 === 0) labels.push({ kind: 'preference', scope: 'agent', attribution: 'user-stated' })
  return newBullet({
    id: `r-${n.toString(16).padStart(32, '0')}-1`,
    sentence: `${nameOf(person)} talked about ${THINGS[n % 8]} in week ${n}, and of ${THINGS[(n * 7) % 8]} as well.`,
    type: n % 3 === 0 ? 'event' : 'note',
    status: 'open',
    salience: 0.5,
    createdAt: at,
    conversationId: `chat-${n % 50}`,
    labels,
  })
}

function* graphLines() {
  const createdAt = new Date(START).toISOString()
  for (let p = 0; p < PERSONS; p++) {
    yield { kind: 'entity', id: personOf(p), name: nameOf(p), type: 'person', createdAt }
  }
  for (let n = 0; n < MEMORIES; n++) {
    const memoryId = `r-${n.toString(16).padStart(32, '0')}-1`
    yield { kind: 'association', memoryId, entityId: personOf(n % PERSONS), provenance: 'user-stated', createdAt }
  }
}

async function makeRoot(root, embed) {
  const now = () => START + Math.ceil(MEMORIES / PER_DAY) * DAY_MS
  const llm = { id: 'bench:none', complete: () => Promise.reject(new Error('no turn is captured here')) }
  const options = { root, embeddings: embed, dim: DIMENSION, llm, now }
  await (await createBujoMemoryStore(options)).close()
  mkdirSync(join(root, 'daily'), { recursive: true, mode: 0o700 })
  for (let from = 0; from < MEMORIES; from += PER_DAY) {
    const day = new Date(START + (from / PER_DAY) * DAY_MS).toISOString().slice(0, 10)
    const bullets = Array.from({ length: Math.min(PER_DAY, MEMORIES - from) }, (_, k) => memory(from + k))
    const { document } = applyDayChanges(emptyDayDocument(day), [{ kind: 'add', bullets }])
    writeFileSync(join(root, 'daily', `${day}.md`), formatDayFile(document), { mode: 0o600 })
  }
  const lines = [...graphLines()].map((line) => `${formatGraphLine(line)}\n`)
  writeFileSync(join(root, 'graph.jsonl'), lines.join(''), { mode: 0o600 })
  await rebuildMemoryIndex({ path: root, mode: 'bujo', embeddings: { model: 'hash', dim: DIMENSION }, embed })
  return options
}

const p95 = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length * 0.95)]
const question = (n) =>
  `What did ${nameOf(n * 37)} say about ${THINGS[n % 8]} and ${THINGS[(n + 3) % 8]} in week ${n * 91}?`

/** Asks once, and leaves the store alone until what it builds for recall is there, which its sealed copy tells. */
async function ready(root, store) {
  await store.recallWithOutcome(question(0))
  const generations = join(root, '.index/generations')
  const isSealed = () =>
    readdirSync(generations).some((one) => readdirSync(join(generations, one)).includes('memory.sidecar'))
  for (let waited = 0; !isSealed(); waited++) {
    if (waited > 300) throw new Error('the store did not get ready for recall within a minute')
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

const base = mkdtempSync(join(tmpdir(), 'bench-begin-'))
try {
  const root = join(base, 'root')
  const store = await createBujoMemoryStore(await makeRoot(root, syntheticEmbeddings()))
  await ready(root, store)
  const host = createTurnMemory(store)
  const speaker = { kind: 'owner' }
  const costs = { recall: [], begin: [] }
  const blocks = []
  const recall = async (n) => {
    const started = performance.now()
    await store.recallWithOutcome(question(n))
    return performance.now() - started
  }
  const begin = async (n) => {
    const started = performance.now()
    const turn = await host.begin({ conversationId: 'chat-now', message: question(n), speaker })
    const cost = performance.now() - started
    turn.end()
    return cost
  }
  for (let n = 0; n < WARM + MEASURED; n++) {
    // The same question, first by one, then by the other: whoever comes second finds the pages of the index in memory.
    const isFirst = n % 2 === 0
    const delay = monitorEventLoopDelay({ resolution: 1 })
    const cost = isFirst ? undefined : await recall(n)
    delay.enable()
    const beginMs = await begin(n)
    await new Promise((resolve) => setTimeout(resolve, 3)) // the timer of the histogram sees the last block as well
    delay.disable()
    const recallMs = cost ?? (await recall(n))
    if (n < WARM) continue
    costs.recall.push(recallMs)
    costs.begin.push(beginMs)
    blocks.push(delay.max / 1e6)
  }
  host.dispose()
  await store.close()
  for (const [name, of] of [
    ['median', median],
    ['p95', p95],
  ]) {
    const ratio = of(costs.begin) / of(costs.recall)
    report({
      name: `begin() at ${MEMORIES.toLocaleString('en')} memories against one hybrid recall, ${name}`,
      value: ratio,
      unit: '×',
      floor: `≤ ${MAX_RATIO} ×`,
      ok: ratio <= MAX_RATIO,
      detail: `${inMs(of(costs.begin))} and ${inMs(of(costs.recall))}`,
    })
  }
  const block = p95(blocks)
  report({
    name: `begin() at ${MEMORIES.toLocaleString('en')} memories: the longest the event loop is held, p95`,
    value: block,
    unit: 'ms',
    floor: `≤ ${MAX_BLOCK_MS} ms`,
    ok: block <= MAX_BLOCK_MS,
    detail: `at most ${inMs(Math.max(...blocks))}`,
  })
} finally {
  rmSync(base, { recursive: true })
}
