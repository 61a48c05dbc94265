// Who answers the questions of one conversation: lite, journal, and what one gets from the parts alone. Each gives, for
// every question, ids of documents, best first.
import { createRequire } from 'node:module'
import { openMemoryReader } from '../../packages/memory-bujo/dist/index.js'
import { buildIndex, openIndexReader, openWritableIndex } from '../../packages/memory-search/dist/index.js'
import { withRootOfDays } from '../root-with-days.mjs'
import { LIMIT } from './metrics.mjs'

const Database = createRequire(new URL('../../packages/memory-search/package.json', import.meta.url))('better-sqlite3')

const oneLine = (text) => text.replace(/\s+/g, ' ').trim()

/** Bullets by the UTC day of the session: one record a dialog turn. */
function daysOf({ conversation, documents }) {
  const days = new Map()
  for (const { id, speaker, time, text } of documents) {
    const day = time.slice(0, 10)
    const fields = { id, sentence: oneLine(text), createdAt: time, occurredAt: time, speaker }
    if (!days.has(day)) days.set(day, [])
    days.get(day).push({ ...fields, conversationId: String(conversation) })
  }
  return days
}

/** What an agent gets: the default answer of the reader, cut as recall cuts it. @param asked  options of the reader */
async function recalled({ questions }, asked) {
  const reader = await openMemoryReader(asked)
  const found = []
  for (const { q } of questions) {
    const { hits, degraded } = await reader.recallWithOutcome(q, { limit: LIMIT })
    if (degraded !== undefined) throw new Error(`recall was degraded (${degraded.reason}), so it says nothing`)
    found.push(hits.map(({ id }) => id))
  }
  await reader.close()
  return found
}

export function lite(data) {
  return withRootOfDays(daysOf(data), async (options) => {
    const index = await openWritableIndex(options)
    index.close()
    return recalled(data, { path: options.root })
  })
}

/** @param provider  an `EmbeddingProvider`  @param calibration  of its model, measured once for all conversations */
export function journal(data, provider, calibration) {
  return withRootOfDays(daysOf(data), async (lent) => {
    const options = { ...lent, identity: { tier: 'journal', ...provider.identity } }
    await buildIndex({ ...options, vectors: { embed: provider, calibrate: async () => calibration } })
    const embeddings = { dim: provider.identity.dimension }
    return recalled(data, { path: options.root, mode: 'journal', embeddings, embed: provider })
  })
}

/**
 * The first ten of the index itself, from memory and by the reference path, which reads the database (SEA-19): the same
 * index, questions and vectors.
 * @param vectors  `{ provider, calibration }` in journal; absent in lite
 * @returns `{ sidecar, reference }`
 */
export function bothPaths(data, vectors) {
  return withRootOfDays(daysOf(data), async (lent) => {
    const identity = vectors === undefined ? lent.identity : { tier: 'journal', ...vectors.provider.identity }
    const options = { ...lent, identity }
    const made = { embed: vectors?.provider, calibrate: async () => vectors?.calibration }
    await buildIndex({ ...options, ...(vectors === undefined ? {} : { vectors: made }) })
    const answers = async (sidecarFrom) => {
      const index = openIndexReader({ ...options, sidecarFrom, onSidecarFault })
      await index.warmRankings()
      const found = []
      for (const { q } of data.questions) {
        const [vector] =
          vectors === undefined ? [] : await vectors.provider.embed([index.embeddable(q)], { kind: 'query' })
        const request = { query: q, limit: LIMIT, ...(vector === undefined ? {} : { vector }) }
        found.push((await index.rankAside(request)).ranked.map(({ memory }) => memory.id))
      }
      await index.stopAside()
      index.close()
      return found
    }
    return { sidecar: await answers(1), reference: await answers(Infinity) }
  })
}

/** With it the reference path would answer, and be compared with itself. */
function onSidecarFault(error) {
  throw error
}

const words = (text) => text.match(/[\p{L}\p{N}]+/gu) ?? []

function porterRanking({ documents, questions }, limit) {
  const db = new Database(':memory:')
  db.exec(`create virtual table turns using fts5 (text, tokenize = 'porter unicode61')`)
  const insert = db.prepare('insert into turns (rowid, text) values (?, ?)')
  documents.forEach(({ text }, at) => insert.run(at + 1, text))
  const select = db.prepare('select rowid from turns where turns match ? order by rank limit ?').pluck()
  const found = questions.map(({ q }) =>
    select
      .all(
        words(q)
          .map((word) => `"${word}"`)
          .join(' OR '),
        limit,
      )
      .map((row) => documents[row - 1].id),
  )
  db.close()
  return found
}

const dot = (a, b) => a.reduce((sum, value, at) => sum + value * b[at], 0)

async function cosineRanking({ documents, questions }, provider, limit) {
  const stored = await provider.embed(
    documents.map(({ text }) => oneLine(text)),
    { kind: 'document' },
  )
  const asked = await provider.embed(
    questions.map(({ q }) => q),
    { kind: 'query' },
  )
  return asked.map((query) =>
    documents
      .map(({ id }, at) => ({ id, score: dot(stored[at], query) }))
      .sort((a, b) => b.score - a.score)
      .slice(0, limit)
      .map(({ id }) => id),
  )
}

/** What one gets from SQLite alone: porter stemming, words OR-ed, `order by rank`. */
export const porter = async (data) => porterRanking(data, LIMIT)

/** What one gets from the vectors alone. */
export const cosine = (data, provider) => cosineRanking(data, provider, LIMIT)

const FUSED = 50
const RRF_CONSTANT = 60

/** What most hybrid stores do with the two: reciprocal rank fusion of the first fifty of each. */
export async function fused(data, provider) {
  const lists = [porterRanking(data, FUSED), await cosineRanking(data, provider, FUSED)]
  return data.questions.map((_, question) => {
    const scores = new Map()
    for (const list of lists) {
      list[question].forEach((id, at) => scores.set(id, (scores.get(id) ?? 0) + 1 / (RRF_CONSTANT + at + 1)))
    }
    return [...scores]
      .sort((a, b) => b[1] - a[1])
      .slice(0, LIMIT)
      .map(([id]) => id)
  })
}
