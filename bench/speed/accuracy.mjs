// Whether candidates from memory are those of the whole store: the nearest by vector against every vector looked at, the
// best by words against bm25 of FTS5 over the same columns.
import { createRequire } from 'node:module'
import { tsImport } from 'tsx/esm/api'
import { report } from '../report.mjs'
import { numberOf, STRONG } from './corpus.mjs'
import { exactCosines, share } from './exact.mjs'
import { floorsOf, LEXICAL } from './floors.mjs'
import { dot } from './random.mjs'
import { LIMIT, recall } from './store.mjs'

const Database = createRequire(new URL('../../packages/memory-search/package.json', import.meta.url))('better-sqlite3')

const DEPTH = 50
/** bm25 closer than this, relatively, is one value. */
const TIE = 1e-9

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length

/**
 * A query without words is answered by the vector alone; with a floor of 0 each cosine counts. Each depth is asked for by
 * itself, for fewer are weighed where less is asked for; the first ten are what `measure` times.
 */
async function vectorRecall(open, corpus) {
  const reader = open({ calibration: { ...STRONG, noiseFloor: 0 } })
  await reader.warmRankings()
  const exact = exactCosines(corpus, DEPTH)
  const shares = { 10: [], 50: [] }
  for (const [q, { vector }] of corpus.questions.entries()) {
    for (const depth of [10, 50]) {
      const ids = await recall(reader, { text: '', vector }, depth)
      const cosines = ids.map((id) => dot(corpus.vector(numberOf(id)), vector)).sort((a, b) => b - a)
      shares[depth].push(share(cosines, exact[q], depth))
    }
  }
  await reader.stopAside()
  reader.close()
  return { 10: mean(shares[10]), 50: mean(shares[50]) }
}

/** Once a process: asked again for what it has, the loader of TypeScript may never answer. */
const sources = new Map()
function source(file) {
  const known = sources.get(file) ?? tsImport(`../../packages/memory-search/src/${file}.ts`, import.meta.url)
  sources.set(file, known)
  return known
}

/**
 * Words alone, of questions that name no author and no time, for those are lifted by more than their words.
 * @param path  of the database of the index
 * @returns share of the first ten that bm25 of FTS5 puts among its first ten
 */
async function lexicalAgreement(open, path, { questions }) {
  // One after the other: at once the loader of TypeScript mistakes one for another.
  const { analyze } = await source('query/analyzer')
  const { matchExpression, queryTokens } = await source('query/match-expression')
  const { COLUMN_WEIGHTS } = await source('sqlite/schema')
  const db = new Database(path, { readonly: true })
  const all = db.prepare(
    `select id, -bm25(memory_words, ${COLUMN_WEIGHTS}) as bm25 from memory_words
       join memories on memories.row = memory_words.rowid where memory_words match ? order by bm25 desc limit 200`,
  )
  const reader = open()
  await reader.warmRankings()
  const shares = []
  for (const { text } of questions.filter(({ kind }) => kind === 'plain')) {
    const best = all.all(matchExpression(queryTokens(analyze(text)), []))
    const least = (best[Math.min(LIMIT, best.length) - 1]?.bm25 ?? 0) * (1 - TIE)
    const enough = new Set(best.filter(({ bm25 }) => bm25 >= least).map(({ id }) => id))
    const { ranked } = await reader.rankAside({ query: text, limit: LIMIT })
    shares.push(ranked.filter(({ memory }) => enough.has(memory.id)).length / Math.min(LIMIT, best.length))
  }
  await reader.stopAside()
  reader.close()
  db.close()
  return mean(shares)
}

/** Words are compared where there are questions that name neither authors nor times. */
export async function accuracy(store, corpus) {
  const { name, size } = corpus
  const floors = floorsOf(size)
  const found = await vectorRecall(store.open, corpus)
  for (const depth of [10, 50]) {
    const floor = floors[`r${depth}`]
    const value = found[depth]
    report({ name: `vector recall@${depth} against exact, ${name}`, value, floor: `≥ ${floor}`, ok: value >= floor })
  }
  if (!corpus.questions.some(({ kind }) => kind === 'plain')) return
  const value = await lexicalAgreement(store.open, store.path, corpus)
  const floor = LEXICAL
  report({ name: `first ten by words as by bm25 of FTS5, ${name}`, value, floor: `≥ ${floor}`, ok: value >= floor })
}
