// What a dead or hanging embedding service costs: admission and recall of a journal store, against lite on the same turns,
// interleaved in one run.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMemoryStore } from '../packages/memory-bujo/dist/index.js'
import { median, report } from './report.mjs'
import { journalConfig, syntheticEmbeddings } from './synthetic-embeddings.mjs'

const TURNS = 1_500
const RECALLS = 300
/** Half as much again as lite: what remains is the scatter of flushes. */
const MAX_ADMISSION = 1.5
/** A recall that is answered by words has to look whether the service may be asked. */
const MAX_RECALL = 1.5

const turn = (n) => ({
  runId: `run-${n}`,
  conversationId: `chat-${n % 20}`,
  summary: `Morgan moved appointment ${n} to the ${n % 28}th; Ana keeps the minutes of room ${n % 9}.`,
})

async function timed(work) {
  const from = performance.now()
  await work()
  return performance.now() - from
}

const root = mkdtempSync(join(tmpdir(), 'bench-outage-'))
const dead = syntheticEmbeddings(() => Promise.reject(new Error('connection refused')))
const hanging = syntheticEmbeddings(() => new Promise(() => undefined))
const stores = {
  lite: await createMemoryStore({ mode: 'lite', path: join(root, 'lite') }),
  dead: await createMemoryStore(journalConfig(join(root, 'dead')), { embed: dead }),
  hanging: await createMemoryStore(journalConfig(join(root, 'hanging')), { embed: hanging }),
}
try {
  const admissions = { lite: [], dead: [], hanging: [] }
  const recalls = { lite: [], dead: [], hanging: [] }
  for (let n = 0; n < TURNS; n++) {
    for (const [name, store] of Object.entries(stores)) {
      admissions[name].push(await timed(() => store.persistCompletedTurn(turn(n))))
    }
  }
  for (const store of Object.values(stores)) while (store.snapshot().intake.pending > 0) await new Promise(setImmediate)
  // One recall runs out of patience, or into the failures that open the circuit; nobody after it waits.
  for (let n = 0; n < 4; n++) for (const store of Object.values(stores)) await store.recallWithOutcome(`warm ${n}`)
  for (let n = 0; n < RECALLS; n++) {
    for (const [name, store] of Object.entries(stores)) {
      recalls[name].push(await timed(() => store.recallWithOutcome(`appointment ${n} of room ${n % 9}`)))
    }
  }
  for (const name of ['dead', 'hanging']) {
    for (const [what, times, most] of [
      ['admission', admissions, MAX_ADMISSION],
      ['recall by words', recalls, MAX_RECALL],
    ]) {
      const value = median(times[name]) / median(times.lite)
      report({
        name: `${what} while the embedding service is ${name}, against lite`,
        value,
        unit: '×',
        floor: `≤ ${most} ×`,
        ok: value <= most,
      })
    }
  }
} finally {
  for (const store of Object.values(stores)) await store.close()
  rmSync(root, { recursive: true })
}
