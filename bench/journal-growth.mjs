// How the cost of one journal memory grows from 1,000 to 50,000: admission, Markdown, index and vector, the second thousand
// against the last, six months of turns. And what a rebuild costs that has all vectors, against one that has none.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMemoryStore, rebuildMemoryIndex } from '../packages/memory-bujo/dist/index.js'
import { median, report } from './report.mjs'
import { journalConfig, syntheticEmbeddings } from './synthetic-embeddings.mjs'

const TURNS = 50_000
const STEP = 1_000
const WINDOW = 500
const DAYS = 180
const DAY_MS = 86_400_000
const MAX_GROWTH = 1.5
const START = Date.parse('2026-01-01T08:00:00Z')
const WORDS = 'the train to Lund was late because snow fell on the tracks and Ana had to call Morgan'.split(' ')

const turn = (n) => ({
  runId: `run-${n}`,
  conversationId: `chat-${n % 50}`,
  summary: `${Array.from({ length: 30 }, (_, k) => WORDS[(n * 7 + k * 3) % WORDS.length]).join(' ')} ${n}.`,
  occurredAt: new Date(START + Math.floor((n / TURNS) * DAYS * DAY_MS)).toISOString(),
})

const root = mkdtempSync(join(tmpdir(), 'bench-journal-'))
try {
  const config = journalConfig(join(root, 'memory'))
  const store = await createMemoryStore(config, { embed: syntheticEmbeddings() })
  const costs = []
  for (let start = 0; start < TURNS; start += STEP) {
    const from = performance.now()
    for (let n = start; n < start + STEP; n += WINDOW) {
      await Promise.all(Array.from({ length: WINDOW }, (_, k) => store.persistCompletedTurn(turn(n + k))))
      await store.flush()
    }
    costs.push((performance.now() - from) / STEP)
  }
  await store.close()
  console.error(`ms a memory by thousand: ${costs.map((ms) => ms.toFixed(2)).join(' ')}`)
  // The first thousand also pays for compiling; single thousands jump, so five of each end are compared.
  const growth = median(costs.slice(-5)) / median(costs.slice(1, 6))
  report({
    name: 'journal: a memory of the last of 50,000 against one of the first thousands, vector included',
    value: growth,
    unit: '×',
    floor: `≤ ${MAX_GROWTH} ×`,
    ok: growth <= MAX_GROWTH,
  })
  const rebuilt = await rebuildMemoryIndex({ ...config, embed: syntheticEmbeddings() })
  report({
    name: 'rebuild of 50,000 memories: texts embedded again',
    value: rebuilt.vectors.embedded,
    floor: '0',
    ok: rebuilt.vectors.embedded === 0 && rebuilt.vectors.carriedOver === TURNS,
  })
} finally {
  rmSync(root, { recursive: true })
}
