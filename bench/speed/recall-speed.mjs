// How long a whole hybrid recall takes, beside the naive one and beside the reference path, and what it holds meanwhile.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { inMs, report } from '../report.mjs'
import { BOUND_DIMENSION, floorsOf, MAX_HOLD_MS, SMALL } from './floors.mjs'
import { both, eachAfter, interleave, p50, p95, timed } from './interleave.mjs'
import { tell } from './lines.mjs'
import { recall } from './store.mjs'

/** Questions that only warm up: pages are read. */
export const WARM = 15
/** The platform compiles what is asked often, in several steps: a host that runs for a day is measured, not its first second. */
const COMPILED_AFTER = 300
/** `recall()` and `begin()` of a store look for so many, which several answers are made from, and show the ten best. */
const STORE_LIMIT = 50
/** Questions that also the reference path is asked, and for which vec0 is asked for the distances that only words brought. */
const FEW = 12

const sameIds = (a, b) => a.length === b.length && a.every((id, at) => id === b[at])

/** Questions that the store is asked in a row whenever the naive one is asked one, and how often that is. */
const IN_A_ROW = 5
const TURNS = 24

/**
 * By turns, the store some questions in a row: of those that come right after a naive one, `eachAfter` tells.
 * @returns milliseconds of each, of those in a row the first ones as well
 */
async function byTurns(ours, naive, questions) {
  const times = { ours: [], naive: [] }
  const keep = async (who, ask, question) => times[who].push((await timed(() => ask(question))).ms)
  for (let turn = 0; turn < TURNS; turn++) {
    for (let k = 0; k < IN_A_ROW; k++) await keep('ours', ours, questions[(turn * IN_A_ROW + k) % questions.length])
    await keep('naive', naive, questions[turn % questions.length])
  }
  return times
}

/** At 1,000 memories: not slower than naive, and within milliseconds. */
function reportSmall(name, ms, ratio, detail) {
  report({
    name: `hybrid recall, ${name}, p50 against naive`,
    value: ratio,
    unit: '× faster',
    floor: '≥ 1 ×',
    ok: ratio >= 1,
    detail,
  })
  report({
    name: `hybrid recall, ${name}, p50`,
    value: ms,
    unit: 'ms',
    floor: `< ${SMALL.maxMs} ms`,
    ok: ms < SMALL.maxMs,
  })
}

function reportAgainstNaive({ name, size, dimension }, ratio, detail) {
  const { naive: floor, stretch } = floorsOf(size)
  const line = { name: `hybrid recall, ${name}, p50 against naive`, value: ratio, unit: '× faster' }
  if (dimension !== BOUND_DIMENSION) return tell({ ...line, detail })
  report({
    ...line,
    floor: `≥ ${floor} ×`,
    ok: ratio >= floor,
    detail: stretch === undefined ? detail : `${detail}; stretch ${stretch} ×`,
  })
}

/**
 * @param readers  `ours`, of a model for which words do not count; `weak`, of one for which they do; `exact`, which reads the
 *   database for all
 */
export async function recallSpeed(readers, naive, corpus) {
  const { name, size, questions } = corpus
  for (const reader of [readers.ours, readers.weak]) {
    for (let n = 0; n < COMPILED_AFTER; n++) await recall(reader, questions[n % questions.length])
  }
  const {
    ours,
    weak,
    fifty,
    naive: plain,
  } = await eachAfter(
    ['naive', (question) => naive.ask(question)],
    {
      ours: (question) => recall(readers.ours, question),
      weak: (question) => recall(readers.weak, question),
      fifty: (question) => recall(readers.ours, question, STORE_LIMIT),
    },
    questions,
    WARM,
  )
  const few = questions.slice(0, FEW)
  const lookUpMs = p50(few.map((question) => naive.lookUpMs(question)))
  const turns = await byTurns(
    (question) => recall(readers.ours, question),
    (question) => naive.ask(question),
    questions.slice(WARM),
  )
  const ratio = p50(turns.naive) / p50(turns.ours)
  const detail = `${inMs(p50(turns.ours))} against ${inMs(p50(turns.naive))}`
  const told = `vec0 look-ups of what only words found would add ${inMs(lookUpMs)} to naive`
  if (size <= SMALL.size) reportSmall(name, p50(turns.ours), ratio, detail)
  else reportAgainstNaive(corpus, ratio, `${detail}; ${told}`)
  tell({
    name: `hybrid recall, ${name}, each question right after a naive one, p50 against naive`,
    value: p50(plain.times) / p50(ours.times),
    unit: '× faster',
    detail: `${both(ours)} against ${both(plain)}`,
  })
  tell({
    name: `hybrid recall, ${name}, each question right after a naive one, p95 against naive`,
    value: p95(plain.times) / p95(ours.times),
    unit: '× faster',
  })
  tell({
    name: `hybrid recall, ${name}, beside a model for which words count, each right after a naive one, p50 against naive`,
    value: p50(plain.times) / p50(weak.times),
    unit: '× faster',
    detail: both(weak),
  })
  tell({
    name: `hybrid recall for fifty hits, as a store looks for every caller, ${name}, each right after a naive one, p50 against naive for ten`,
    value: p50(plain.times) / p50(fifty.times),
    unit: '× faster',
    detail: both(fifty),
  })
  for (const kind of new Set(questions.map((one) => one.kind))) {
    const times = ours.times.filter((_, at) => questions[at + WARM].kind === kind)
    console.log(`    ${kind}: ${times.length} questions, ${inMs(p50(times))} (p95 ${inMs(p95(times))})`)
  }
  await reference(readers, corpus, few)
}

/** The reference path: what it takes, and whether the answers are the same. */
async function reference(readers, { name }, questions) {
  const { ours, exact } = await interleave(
    { ours: (question) => recall(readers.ours, question), exact: (question) => recall(readers.exact, question) },
    questions,
    2,
  )
  const same = ours.answers.filter((ids, at) => sameIds(ids, exact.answers[at])).length
  tell({
    name: `hybrid recall, ${name}, p50 against the reference path`,
    value: p50(exact.times) / p50(ours.times),
    unit: '× faster',
    detail: `${both(exact)}; the same ten in the same order: ${same} of ${ours.answers.length}`,
  })
}

/** How long nothing else can run while the store answers, one question after the other. */
export async function longestHold(reader, { name, questions }) {
  const blocks = []
  for (const question of questions) {
    const delay = monitorEventLoopDelay({ resolution: 1 })
    delay.enable()
    await recall(reader, question)
    await sleep(3) // the timer of the histogram sees the last block as well
    delay.disable()
    blocks.push(delay.max / 1e6)
  }
  const value = p95(blocks)
  report({
    name: `hybrid recall, ${name}: the longest the event loop is held, p95`,
    value,
    unit: 'ms',
    floor: `≤ ${MAX_HOLD_MS} ms`,
    ok: value <= MAX_HOLD_MS,
    detail: `at most ${inMs(Math.max(...blocks))}`,
  })
}
