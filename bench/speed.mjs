// How fast a whole hybrid recall is, and whether it still finds the same (SEA-18): the store and a naive one on
// the same SQLite in one process, and three libraries in one of their own each, answer the same questions by turns.
//   MEMORY_BENCH_SPEED    what is measured, `kind:memories`, parted by commas; kinds: clustered, real.
//                         Default: clustered:1000,clustered:10000,clustered:100000,real:10000. By hand: clustered:1000000, real:100000
//   MEMORY_BENCH_PEERS    lancedb,orama,mem0 or some of them; `none`. They are installed when they are first asked for.
//   MEMORY_BENCH_DATASET  a LoCoMo file whose sentences the real vectors are of; without it, plain English ones
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSentenceEncoder } from './sentence-encoder.mjs'
import { clusteredCorpus, realCorpus } from './speed/corpus.mjs'
import { measureCorpus } from './speed/measure.mjs'

const PARTS = process.env.MEMORY_BENCH_SPEED ?? 'clustered:1000,clustered:10000,clustered:100000,real:10000'
const PEERS = (process.env.MEMORY_BENCH_PEERS ?? 'lancedb,orama,mem0').split(',').filter((name) => name !== 'none')

/** Questions, of which the first few only warm up. */
const questionsAt = (size) => (size <= 10_000 ? 135 : size <= 100_000 ? 75 : 35)

function datasetOf(path) {
  if (path === undefined) return undefined
  if (!existsSync(path)) throw new Error('MEMORY_BENCH_DATASET names a file that is not there.')
  return path
}

async function corpusOf(kind, size) {
  if (kind === 'clustered') return clusteredCorpus(size, questionsAt(size))
  if (kind !== 'real') throw new Error(`MEMORY_BENCH_SPEED knows clustered and real, not ${kind}.`)
  const encoder = await openSentenceEncoder()
  try {
    return await realCorpus(size, questionsAt(size), encoder, datasetOf(process.env.MEMORY_BENCH_DATASET))
  } finally {
    await encoder.close()
  }
}

for (const part of PARTS.split(',')) {
  const [kind, size] = part.split(':')
  const from = performance.now()
  const corpus = await corpusOf(kind, Number(size))
  const base = mkdtempSync(join(tmpdir(), 'bench-speed-'))
  try {
    await measureCorpus(corpus, { directory: base, peers: kind === 'clustered' ? PEERS : [] })
  } finally {
    rmSync(base, { recursive: true, force: true })
  }
  const took = ((performance.now() - from) / 1000).toFixed(0)
  console.error(`${part}: ${took} s, load ${loadavg()[0].toFixed(1)}`)
}
