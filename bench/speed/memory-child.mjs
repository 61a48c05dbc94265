// A process of its own that opens a store, answers a few questions and says what memory it took, as one JSON line. One
// thread does all of it, so that a thread's own memory is no part of the difference between two such processes.
// Arguments: a JSON file with `root`, `identity`, `questions`; memories from which on a sidecar is used.
import { existsSync, readFileSync } from 'node:fs'
import { nodeFileSystem } from '../../packages/memory-store/dist/index.js'
import { openIndexReader } from '../../packages/memory-search/dist/index.js'

const { root, identity, questions } = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const options = { root, identity, fs: nodeFileSystem, now: Date.now, asideFrom: Infinity, sidecarAsideFrom: Infinity }
const sidecarFrom = process.argv[3] === 'never' ? Infinity : 1
const open = async () => {
  const reader = openIndexReader({
    ...options,
    sidecarFrom,
    onSidecarFault: (error) => {
      throw error
    },
  })
  await reader.warmRankings()
  for (const { text, vector } of questions) {
    await reader.rankAside({ query: text, vector: Float32Array.from(vector), limit: 10 })
  }
  return reader
}
const close = async (reader) => {
  await reader.stopAside()
  reader.close()
}

// Once before anything counts, so that code that is compiled at its first use is no part of what a store holds.
await close(await open())
await used()
const reader = await open()
const { rss } = await collected()
const whileOpen = await used()
await close(reader)
const held = whileOpen - (await used())
console.log(JSON.stringify({ rss, held, peak: highestMark() }))

/** Of this process alone, where Linux tells it: what `resourceUsage` says begins with the mark of the parent. */
function highestMark() {
  if (!existsSync('/proc/self/status')) return undefined
  const [, kilobytes] = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))
  return Number(kilobytes) * 1024
}

/** Bytes of the heap and of buffers beside it, WebAssembly's too. */
async function used() {
  const { heapUsed, external } = await collected()
  return heapUsed + external
}

/** What a collection leaves; buffers are given back a turn after the objects that held them. */
async function collected() {
  for (let n = 0; n < 3; n++) {
    globalThis.gc()
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return process.memoryUsage()
}
