// Whether a memory is found by a paraphrase in its own language: twenty languages, in each eight facts and eight near misses
// beside them, asked by words (lite) and by words and meaning (journal) with the small English sentence encoder of the
// tests. What a language owes to its words and what to the model is told apart by the column of the model alone.
import {
  buildIndex,
  CALIBRATION_SENTENCES,
  chooseFloors,
  measureModel,
  openWritableIndex,
  rankLanguages,
} from '../packages/memory-search/dist/index.js'
import { openSentenceEncoder } from './sentence-encoder.mjs'
import { report } from './report.mjs'
import { withRootOfDays } from './root-with-days.mjs'

/** Blind choice finds one in sixteen. */
const LEAST_HITS = 0.75

const dot = (a, b) => a.reduce((sum, value, at) => sum + value * b[at], 0)
const AT = '2026-05-01T09:00:00.000Z'

/** Lends a function that searches an index of these sentences, and gives a score for each. */
function withIndex(documents, provider, calibration, work) {
  const bullets = documents.map((sentence, n) => ({ id: `m-${n}`, sentence, createdAt: AT }))
  return withRootOfDays([['2026-05-01', bullets]], async (lent) => {
    const identity = { tier: 'journal', ...provider.identity }
    const options = { ...lent, identity }
    await buildIndex({ ...options, vectors: { embed: provider, calibrate: async () => calibration } })
    const index = await openWritableIndex(options)
    const ask = async (query, vector) => {
      const hits = index.search({ query, limit: documents.length, ...(vector === undefined ? {} : { vector }) })
      const scores = new Map(hits.map(({ id, score }) => [id, score]))
      return documents.map((_, n) => scores.get(`m-${n}`) ?? 0)
    }
    const result = await work({
      lite: (query) => ask(query),
      journal: async (query) => {
        const [vector] = await provider.embed([index.embeddable(query)], { kind: 'query' })
        return ask(query, vector)
      },
    })
    index.close()
    return result
  })
}

const provider = await openSentenceEncoder()
const { calibration } = chooseFloors(await measureModel(provider))
const rows = []
for (const [language, triples] of Object.entries(CALIBRATION_SENTENCES)) {
  const documents = triples.flatMap(({ fact, nearMiss }) => [fact, nearMiss])
  const stored = await provider.embed(documents, { kind: 'document' })
  const one = { [language]: triples }
  const ranked = await withIndex(documents, provider, calibration, async ({ lite, journal }) => ({
    lite: (await rankLanguages(one, lite))[0],
    journal: (await rankLanguages(one, journal))[0],
  }))
  const alone = await rankLanguages(one, async (query) => {
    const [vector] = await provider.embed([query], { kind: 'query' })
    return stored.map((document) => dot(document, vector))
  })
  rows.push({ language, ...ranked, model: alone[0] })
}
await provider.close()

const share = (value) => value.toFixed(2)
console.error(
  '| language | lite hit@1 | journal hit@1 | journal hit@3 | model alone hit@1 | chance hit@1 |\n|---|---|---|---|---|---|',
)
for (const { language, lite, journal, model } of rows) {
  const cells = [lite.hitAt1, journal.hitAt1, journal.hitAt3, model.hitAt1, journal.chanceAt1].map(share)
  console.error(`| ${[language, ...cells].join(' | ')} |`)
}
for (const tier of ['lite', 'journal']) {
  const worst = rows.toSorted((a, b) => a[tier].hitAt1 - b[tier].hitAt1)[0]
  report({
    name: `${tier}: facts found first by their paraphrase, the worst of ${rows.length} languages (${worst.language})`,
    value: worst[tier].hitAt1,
    floor: `≥ ${LEAST_HITS}; chance ${share(worst[tier].chanceAt1)}`,
    ok: worst[tier].hitAt1 >= LEAST_HITS,
  })
}
