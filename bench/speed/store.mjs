// The store that is measured: day files, an index built from them, readers that are asked.
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { buildIndex, openIndexReader, openWritableIndex } from '../../packages/memory-search/dist/index.js'
import { withRootOfDays } from '../root-with-days.mjs'
import { daysOf, STRONG } from './corpus.mjs'

export const LIMIT = 10

/** Gives each text the vector that the corpus has for it. */
function lookUp({ size, dimension, memory, vector }) {
  const places = new Map()
  for (let n = 0; n < size; n++) places.set(memory(n).sentence, n)
  const identity = { provider: 'bench', model: 'corpus', dimension, fingerprint: 'bench' }
  const find = (text) => {
    const place = places.get(text)
    if (place === undefined) throw new Error('a text was embedded that is none of the corpus')
    return vector(place)
  }
  return { id: 'bench:corpus', identity, embed: async (texts) => texts.map(find) }
}

const seconds = (from) => (performance.now() - from) / 1000

/**
 * Builds the store of a corpus and lends it to `work`, as
 * `{ open(more), path, directory, buildSeconds, sidecarSeconds, sidecarHoldMs, identity, root }`.
 */
export function withStore(corpus, work) {
  return withRootOfDays(daysOf(corpus), async (options) => {
    const embed = lookUp(corpus)
    const identity = { tier: 'journal', ...embed.identity }
    const from = performance.now()
    await buildIndex({ ...options, identity, vectors: { embed, calibrate: async () => STRONG } })
    const buildSeconds = seconds(from)
    const { sidecarSeconds, sidecarHoldMs } = await makeSidecar({ ...options, identity })
    const generations = join(options.root, '.index/generations')
    const directory = join(generations, readdirSync(generations)[0])
    const { root, fs, now } = options
    const open = (more = {}) => openIndexReader({ root, fs, now, identity, ...told(), ...more })
    return work({
      open,
      directory,
      path: join(directory, 'memory.db'),
      root,
      identity,
      buildSeconds,
      sidecarSeconds,
      sidecarHoldMs,
    })
  })
}

/** A fault would leave the reference path to answer: then what is measured is not what is meant. */
const told = () => ({
  onThreadFailed: fail,
  onSidecarFault: fail,
})
function fail(error) {
  throw error
}

/** The first opening for writing makes the sidecar and keeps it. */
async function makeSidecar(options) {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  const index = await openWritableIndex({ ...options, ...told() })
  const from = performance.now()
  delay.enable()
  await index.warmRankings()
  delay.disable()
  const sidecarSeconds = seconds(from)
  await index.stopAside()
  index.close()
  return { sidecarSeconds, sidecarHoldMs: delay.max / 1e6 }
}

/** Bytes of all files of a directory. */
export const bytesOf = (directory) =>
  readdirSync(directory).reduce((sum, file) => sum + statSync(join(directory, file)).size, 0)

/** A whole hybrid recall, rows included. @returns the ids */
export async function recall(reader, { text, vector }, limit = LIMIT) {
  const { ranked } = await reader.rankAside({ query: text, vector, limit })
  return ranked.map(({ memory }) => memory.id)
}
