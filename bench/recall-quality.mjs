// How good keyword recall is on LoCoMo: `node bench/recall-quality.mjs --dataset <file>`. One record a dialog turn, each
// conversation its own store, questions of all categories but the adversarial ones. Prints JSON lines {name, value, floor, ok};
// tables go to standard error. Without a dataset, or where it is not there, it says so and ends well.
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { openWritableIndex } from '../packages/memory-search/dist/index.js'
import { withRootOfDays } from './root-with-days.mjs'

const Database = createRequire(new URL('../packages/memory-search/package.json', import.meta.url))('better-sqlite3')

const LIMIT = 10
const FLOORS = { ndcg: 0.6, recall: 0.74 }

/** By the UTC day of the session. */
function daysOf({ conversation, documents }) {
  const days = new Map()
  for (const { id, speaker, time, text } of documents) {
    const day = time.slice(0, 10)
    const sentence = text.replace(/\s+/g, ' ').trim()
    const fields = { id, sentence, createdAt: time, occurredAt: time, speaker, conversationId: String(conversation) }
    if (!days.has(day)) days.set(day, [])
    days.get(day).push(fields)
  }
  return days
}

/** @returns id lists, best first, one a question */
function recallLite(data) {
  return withRootOfDays(daysOf(data), async (options) => {
    const index = await openWritableIndex(options)
    const found = data.questions.map(({ q }) => index.search({ query: q, limit: LIMIT }).map(({ id }) => id))
    index.close()
    return found
  })
}

/** What one gets from SQLite alone: porter stemming, words OR-ed, `order by rank`. */
function recallPorter({ documents, questions }) {
  const db = new Database(':memory:')
  db.exec(`create virtual table turns using fts5 (text, tokenize = 'porter unicode61')`)
  const insert = db.prepare('insert into turns (rowid, text) values (?, ?)')
  documents.forEach(({ text }, at) => insert.run(at + 1, text))
  const select = db.prepare(`select rowid from turns where turns match ? order by rank limit ${LIMIT}`).pluck()
  const found = questions.map(({ q }) => {
    const words = q.match(/[\p{L}\p{N}]+/gu) ?? []
    return select.all(words.map((word) => `"${word}"`).join(' OR ')).map((row) => documents[row - 1].id)
  })
  db.close()
  return found
}

/** nDCG@10, Recall@10 and MRR@10 of one answer, with binary relevance. */
function judge(found, evidence) {
  const wanted = new Set(evidence)
  const gain = (at) => 1 / Math.log2(at + 2)
  const places = found.flatMap((id, at) => (wanted.has(id) ? [at] : []))
  const sum = (values) => values.reduce((total, value) => total + value, 0)
  const ideal = sum(Array.from({ length: Math.min(LIMIT, wanted.size) }, (_, at) => gain(at)))
  return {
    ndcg: sum(places.map(gain)) / ideal,
    recall: places.length / wanted.size,
    mrr: places.length ? 1 / (places[0] + 1) : 0,
  }
}

const mean = (rows, key) => rows.reduce((sum, row) => sum + row[key], 0) / rows.length
const line = (name, rows) =>
  `${name.padEnd(24)} n=${String(rows.length).padStart(4)}  nDCG@10 ${mean(rows, 'ndcg').toFixed(3)}  R@10 ${mean(rows, 'recall').toFixed(3)}  MRR ${mean(rows, 'mrr').toFixed(3)}`

function table(title, rows) {
  console.error(`\n${title}`)
  const counted = rows.filter(({ category }) => category !== 'adversarial')
  console.error(line('all but adversarial', counted))
  for (const key of ['category', 'conversation']) {
    for (const value of [...new Set(rows.map((row) => row[key]))].sort()) {
      const base = key === 'category' ? rows : counted
      console.error(
        line(
          `  ${key === 'category' ? value : `conversation ${value}`}`,
          base.filter((row) => row[key] === value),
        ),
      )
    }
  }
  // Nothing is fitted to a conversation, so leaving one out only shows how far the figure hangs on it.
  for (const left of [...new Set(rows.map(({ conversation }) => conversation))]) {
    console.error(
      line(
        `  without ${left}`,
        counted.filter(({ conversation }) => conversation !== left),
      ),
    )
  }
  return counted
}

async function main(path) {
  const lite = []
  const porter = []
  for (const data of JSON.parse(readFileSync(path, 'utf8'))) {
    const answers = { lite: await recallLite(data), porter: recallPorter(data) }
    data.questions.forEach(({ evidence, category }, at) => {
      if (evidence.length === 0) return
      const about = { category, conversation: data.conversation }
      lite.push({ ...about, ...judge(answers.lite[at], evidence) })
      porter.push({ ...about, ...judge(answers.porter[at], evidence) })
    })
  }
  const baseline = table('FTS5 with porter', porter)
  const counted = table('lite', lite)
  for (const [key, name] of [
    ['ndcg', 'nDCG@10'],
    ['recall', 'R@10'],
  ]) {
    const value = mean(counted, key)
    console.log(
      JSON.stringify({ name: `keyword recall ${name}, LoCoMo`, value, floor: FLOORS[key], ok: value >= FLOORS[key] }),
    )
    console.log(
      JSON.stringify({
        name: `keyword recall ${name} against FTS5 porter`,
        value: value / mean(baseline, key),
        floor: '> 1',
        ok: value > mean(baseline, key),
      }),
    )
    if (value < FLOORS[key]) process.exitCode = 1
  }
}

const at = process.argv.indexOf('--dataset')
const path = at === -1 ? process.env.MEMORY_BENCH_DATASET : process.argv[at + 1]
if (path === undefined || !existsSync(path)) {
  console.error(
    'recall-quality: skipped, no dataset. Give a LoCoMo file: --dataset <file> or MEMORY_BENCH_DATASET=<file>.',
  )
  console.log(
    JSON.stringify({
      name: 'keyword recall quality',
      value: 'skipped: no dataset given',
      floor: 'nDCG@10 0.60',
      ok: true,
    }),
  )
} else {
  await main(path)
}
