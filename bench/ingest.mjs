// How the cost of one turn grows while 10,000 go in: from admission to settled, the first thousands against the last.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMemoryStore } from '../packages/memory-bujo/dist/index.js'
import { report } from './report.mjs'

const TURNS = 10_000
const STEP = 1_000
/** Turns admitted at once, as `ingest` does. */
const WINDOW = 500
const MAX_GROWTH = 1.5
/** Thousands compared: a flush waits for a checkpoint in about every third one, so each end holds one of them. */
const SPAN = 3

const WORDS =
  'the train to Lund was late because snow fell on the tracks and Ana had to call Morgan about dinner'.split(' ')

function turn(n, instant) {
  const words = Array.from(
    { length: 40 },
    (_, k) => `${WORDS[(n * 7 + k * 3) % WORDS.length]}${(n + k) % 5 === 0 ? n % 997 : ''}`,
  )
  return {
    runId: `run-${n}`,
    conversationId: `chat-${n % 50}`,
    summary: `${words.join(' ')}.`,
    occurredAt: new Date(instant).toISOString(),
  }
}

/** @returns milliseconds a turn for each thousand */
async function ingest(instantOf, turns = TURNS) {
  const root = mkdtempSync(join(tmpdir(), 'bench-ingest-'))
  const store = await createMemoryStore({ mode: 'lite', path: join(root, 'memory') })
  const costs = []
  try {
    for (let start = 0; start < turns; start += STEP) {
      const from = performance.now()
      for (let n = start; n < start + STEP; n += WINDOW) {
        await Promise.all(
          Array.from({ length: WINDOW }, (_, k) => store.persistCompletedTurn(turn(n + k, instantOf(n + k)))),
        )
        await store.flush()
      }
      costs.push((performance.now() - from) / STEP)
    }
  } finally {
    await store.close()
    rmSync(root, { recursive: true })
  }
  return costs
}

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length

const DAY_MS = 86_400_000
const start = Date.parse('2026-03-02T08:00:00Z')
const SHAPES = [
  ['six weeks', (n) => start + Math.floor((n / TURNS) * 42 * DAY_MS)],
  ['one day', (n) => start + n],
]
await ingest((n) => start + n, STEP) // warms the code: the first thousand must not pay for compiling
for (const [name, instantOf] of SHAPES) {
  const costs = await ingest(instantOf)
  console.error(`${name}: ms a turn by thousand: ${costs.map((ms) => ms.toFixed(2)).join(' ')}`)
  const growth = mean(costs.slice(-SPAN)) / mean(costs.slice(0, SPAN))
  report({
    name: `ingest of 10,000 turns, ${name}: a turn of the last ${SPAN},000 against one of the first`,
    value: growth,
    unit: '×',
    floor: `≤ ${MAX_GROWTH} ×`,
    ok: growth <= MAX_GROWTH,
  })
}
