// A process of its own that opens a store, answers a few questions and says what memory it took, as one JSON line. One
// thread does all of it, so that a thread's own memory is no part of the difference between two such processes.
// Arguments: a JSON file with `root`, `identity`, `questions`; memories from which on a sidecar is used.
import { existsSync, readFileSync } from 'node:fs'
import { nodeFileSystem } from '../../packages/memory-store/dist/index.js'
import { openIndexReader } from '../../packages/memory-search/dist/index.js'

const { root, identity, questions } = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const options = { root, identity, fs: nodeFileSystem, now: Date.now, asideFrom: Infinity, sidecarAsideFrom: Infinity }
const sidecarFrom = process.argv[3] === 'never' ? Infinity : 1
const reader = openIndexReader({
  ...options,
  sidecarFrom,
  onSidecarFault: (error) => {
    throw error
  },
})
await reader.warmRankings()
const rankings = []
for (const { text, vector } of questions) {
  rankings.push(await reader.rankAside({ query: text, vector: Float32Array.from(vector), limit: 10 }))
}
globalThis.gc()
globalThis.gc()
const { rss, heapUsed, external } = process.memoryUsage()
console.log(JSON.stringify({ rss, used: heapUsed + external, peak: highestMark() }))
reader.close()

/** Of this process alone, where Linux tells it: what `resourceUsage` says begins with the mark of the parent. */
function highestMark() {
  if (!existsSync('/proc/self/status')) return undefined
  const [, kilobytes] = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))
  return Number(kilobytes) * 1024
}
