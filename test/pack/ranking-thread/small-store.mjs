// A store of a few hundred memories with vectors, and what its ranking threads do. Copied beside the installed packages.
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  acquireWriterLease,
  applyDayChanges,
  emptyDayDocument,
  formatDayFile,
  newBullet,
  nodeFileSystem as fs,
  prepareRoot,
} from '@mono-agent/memory-store'
import { buildIndex, openIndexReader } from '@mono-agent/memory-search'

const DIMENSION = 64
export const NAMES = ['Ana', 'Luigi', 'Teo', 'Ines', 'Bo', 'Mirjam', 'Aiko']
const THINGS = ['oranges', 'green tea', 'a violin', 'the ferry', 'walnuts']
const identity = { tier: 'journal', provider: 'test', model: 'hash', dimension: DIMENSION, fingerprint: 'hash' }
const calibration = {
  noiseFloor: 0.3,
  automaticFloor: 0.41,
  automaticWindow: 0.06,
  deliberateFloor: 0.55,
  tail: 0.25,
  lexicalWeight: 1,
}

/** Says nothing about a text but which it is. */
export function vectorOf(text) {
  const bytes = [0, 1].flatMap((block) => [...createHash('sha256').update(`${block}:${text}`).digest()])
  const values = bytes.slice(0, DIMENSION).map((byte) => byte - 127.5)
  const length = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0))
  return Float32Array.from(values, (value) => value / length)
}

export const sentence = (n) => `${NAMES[n % 7]} spoke about ${THINGS[n % 5]} in week ${n}.`

/** Day files of so many memories, as a projection would leave them. */
export function writeDays(root, count) {
  mkdirSync(join(root, 'daily'), { recursive: true, mode: 0o700 })
  for (let from = 0, day = 0; from < count; from += 500, day++) {
    const date = new Date(Date.UTC(2025, 0, 1 + day)).toISOString().slice(0, 10)
    const bullets = Array.from({ length: Math.min(500, count - from) }, (_, n) =>
      newBullet({
        id: `m-${from + n}`,
        sentence: sentence(from + n),
        createdAt: `${date}T09:00:00.000Z`,
        conversationId: `chat-${n % 4}`,
        speaker: NAMES[n % 3],
      }),
    )
    const { document } = applyDayChanges(emptyDayDocument(date), [{ kind: 'add', bullets }])
    writeFileSync(join(root, 'daily', `${date}.md`), formatDayFile(document), { mode: 0o600 })
  }
}

/** Threads that were started, in their order, and those of them that ended; not those that look an index over. */
export const threads = { started: 0, ended: 0 }
let isBuilding = false
process.on('worker', (worker) => {
  if (isBuilding) return
  threads.started++
  worker.on('exit', () => threads.ended++)
})

/** A new root with an index of so many memories; it goes with the process. */
export async function makeStore(count = 300) {
  const base = mkdtempSync(join(tmpdir(), 'ranking-thread-'))
  process.on('exit', () => rmSync(base, { recursive: true, force: true }))
  const root = await prepareRoot(fs, join(base, 'root'))
  writeDays(root, count)
  const embed = { id: 'test:hash', identity, embed: (texts) => Promise.resolve(texts.map(vectorOf)) }
  const options = { root, fs, identity, now: Date.now }
  /** As an operator would: names of generations are a writer's own. */
  const rebuild = async () => {
    const lease = await acquireWriterLease(fs, root)
    isBuilding = true
    await buildIndex({ ...options, lease, vectors: { embed, calibrate: async () => calibration } })
    isBuilding = false
    lease.release()
  }
  await rebuild()
  const failures = []
  const onThreadFailed = (error) => failures.push(error.code)
  return {
    rebuild,
    failures,
    /** Options of a writer; its lease goes with the process. */
    writer: async () => ({
      ...options,
      lease: await acquireWriterLease(fs, root),
      asideFrom: 1,
      sidecarAsideFrom: 1,
      onThreadFailed,
    }),
    /** @param asideFrom  1: always in a thread */
    read: (asideFrom = 1) => openIndexReader({ ...options, asideFrom, sidecarAsideFrom: asideFrom, onThreadFailed }),
  }
}

export const ask = (n) => {
  const query = `What did ${NAMES[n % 7]} say about ${THINGS[n % 5]} in week ${n}?`
  return { query, limit: 10, vector: vectorOf(sentence(n)) }
}

export const tell = (outcome) => console.log(JSON.stringify(outcome))
