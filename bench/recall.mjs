// How good recall is on LoCoMo: `node bench/recall.mjs --dataset <file>`. One record a dialog turn, each conversation its
// own store, lite and journal beside what one gets from words, vectors and their rank fusion, on the same data and vectors
// in the same run. Prints JSON lines {name, value, floor, ok} and, to standard error, tables by category and conversation.
// Without a dataset, or where it is not there, it says so and ends well.
import { existsSync, readFileSync } from 'node:fs'
import { chooseFloors, measureModel } from '../packages/memory-search/dist/index.js'
import { counted, judge, mean, summaryOf, tableOf } from './recall/metrics.mjs'
import { MISSED } from './report.mjs'
import { openSentenceEncoder } from './sentence-encoder.mjs'
import { bothPaths, cosine, fused, journal, lite, porter } from './recall/systems.mjs'

/** SEA-17, stated for held-out conversations. */
const FLOORS = { lite: { ndcg: 0.6, recall10: 0.74 }, journal: { ndcg: 0.64, recall10: 0.78 } }
/** Where the candidates of an index come from (SEA-19); a quality that differs by less than this is the same. */
const PATHS = { sidecar: 'from memory', reference: 'reference path' }
const SAME = 0.002
const NAMES = { ndcg: 'nDCG@10', recall10: 'R@10' }

async function measure(path) {
  const provider = await openSentenceEncoder()
  const { calibration } = chooseFloors(await measureModel(provider))
  console.error(`calibration of ${provider.id}: ${JSON.stringify(calibration)}`)
  const systems = {
    lite,
    journal: (data) => journal(data, provider, calibration),
    'FTS5 with porter': porter,
    'cosine alone': (data) => cosine(data, provider),
    'rank fusion of the two': (data) => fused(data, provider),
  }
  const rows = {}
  const take = (name, data, answers) => {
    rows[name] ??= []
    data.questions.forEach(({ evidence, category }, at) => {
      if (evidence.length === 0) return
      rows[name].push({ category, conversation: data.conversation, ...judge(answers[at], evidence) })
    })
  }
  for (const data of JSON.parse(readFileSync(path, 'utf8'))) {
    for (const [name, answer] of Object.entries(systems)) take(name, data, await answer(data))
    for (const [tier, vectors] of Object.entries({ lite: undefined, journal: { provider, calibration } })) {
      const paths = await bothPaths(data, vectors)
      for (const [path, answers] of Object.entries(paths)) take(`${tier} index, ${PATHS[path]}`, data, answers)
    }
  }
  await provider.close()
  return rows
}

async function main(path) {
  const rows = await measure(path)
  for (const name of ['lite', 'journal']) console.error(tableOf(name, rows[name]))
  console.error(`\n${summaryOf(Object.entries(rows))}\n`)
  for (const [name, floors] of Object.entries(FLOORS)) {
    for (const [metric, floor] of Object.entries(floors)) {
      report(`${name} recall ${NAMES[metric]}, LoCoMo`, mean(counted(rows[name]), metric), floor)
    }
    const best = Math.max(
      ...Object.keys(rows)
        .filter((other) => !Object.keys(FLOORS).some((tier) => other.startsWith(tier)))
        .map((other) => mean(counted(rows[other]), 'ndcg')),
    )
    report(
      `${name} recall nDCG@10 against the best of words, vectors and rank fusion`,
      mean(counted(rows[name]), 'ndcg') / best,
      1,
    )
    const [fromMemory, reference] = Object.values(PATHS).map((path) =>
      mean(counted(rows[`${name} index, ${path}`]), 'ndcg'),
    )
    report(`${name} recall nDCG@10 from memory against the reference path`, fromMemory / reference, 1 - SAME)
  }
}

function report(name, value, floor) {
  const ok = value >= floor
  console.log(JSON.stringify({ name, value, floor: `≥ ${floor}`, ok }))
  if (!ok) process.exitCode = MISSED
}

const at = process.argv.indexOf('--dataset')
const path = at === -1 ? process.env.MEMORY_BENCH_DATASET : process.argv[at + 1]
if (path === undefined || !existsSync(path)) {
  console.error('recall: skipped, no dataset. Give a LoCoMo file: --dataset <file> or MEMORY_BENCH_DATASET=<file>.')
  console.log(JSON.stringify({ name: 'recall quality', value: 'skipped: no dataset given', floor: 'SEA-17', ok: true }))
} else {
  await main(path)
}
