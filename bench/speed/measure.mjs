// All that is measured of one corpus.
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { inMs, report } from '../report.mjs'
import { lexicalAgreement, vectorRecall } from './accuracy.mjs'
import { floorsOf, LEXICAL, MAX_BYTES, MAX_DISK, MAX_HOLD_MS, SMALL } from './floors.mjs'
import { interleave, p50, p95 } from './interleave.mjs'
import { skip, tell } from './lines.mjs'
import { sidecarMemory } from './memory.mjs'
import { openNaive } from './naive.mjs'
import { bytesOf, LIMIT, recall, withStore } from './store.mjs'

const WARM = 15
/** Questions that also the reference path is asked, and for which vec0 is asked for the distances that only words brought. */
const FEW = 12
const OPENINGS = 7
/** Questions that a library is asked, by memories: mem0 takes half a minute for one at 100,000. */
const ASKED = { lancedb: [23, 13], orama: [23, 9], mem0: [4, 1] }

const both = ({ times, cpu }) => `${inMs(p50(times))} (p95 ${inMs(p95(times))}, ${inMs(p50(cpu))} of processors)`
const sameIds = (a, b) => a.length === b.length && a.every((id, at) => id === b[at])

async function speed(readers, naive, corpus) {
  const { name, size, questions } = corpus
  const {
    ours,
    weak,
    naive: plain,
  } = await interleave(
    {
      ours: (question) => recall(readers.ours, question),
      weak: (question) => recall(readers.weak, question),
      naive: (question) => naive.ask(question),
    },
    questions,
    WARM,
  )
  const few = questions.slice(0, FEW)
  const lookUpMs = p50(few.map((question) => naive.lookUpMs(question)))
  const ratio = p50(plain.times) / p50(ours.times)
  const detail = `${both(ours)} against ${both(plain)}`
  const told = `vec0 look-ups of what only words found would add ${inMs(lookUpMs)} to naive`
  if (size <= SMALL.size) {
    const ms = p50(ours.times)
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
  } else {
    const { naive: floor, stretch } = floorsOf(size)
    const hoped = stretch === undefined ? '' : `; stretch ${stretch} ×`
    report({
      name: `hybrid recall, ${name}, p50 against naive`,
      value: ratio,
      unit: '× faster',
      floor: `≥ ${floor} ×`,
      ok: ratio >= floor,
      detail: `${detail}; ${told}${hoped}`,
    })
  }
  tell({
    name: `hybrid recall, ${name}, p95 against naive`,
    value: p95(plain.times) / p95(ours.times),
    unit: '× faster',
  })
  tell({
    name: `hybrid recall, ${name}, beside a model for which words count, p50 against naive`,
    value: p50(plain.times) / p50(weak.times),
    unit: '× faster',
    detail: both(weak),
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
async function hold(reader, { name, questions }) {
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

async function opening(open, naive, { name, size, questions }) {
  const times = { open: [], first: [], naive: [] }
  const blocks = []
  for (let n = 0; n < OPENINGS; n++) {
    const question = questions[n % questions.length]
    const delay = monitorEventLoopDelay({ resolution: 1 })
    delay.enable()
    const from = performance.now()
    const reader = open()
    await reader.warmRankings()
    times.open.push(performance.now() - from)
    await recall(reader, question)
    times.first.push(performance.now() - from)
    await sleep(3)
    delay.disable()
    blocks.push(delay.max / 1e6)
    await reader.stopAside()
    reader.close()
    const started = performance.now()
    naive.ask(question)
    times.naive.push(performance.now() - started)
  }
  const { opening: most } = floorsOf(size)
  const value = p50(times.open) / p50(times.naive)
  report({
    name: `opening a warm store, ${name}, in naive queries`,
    value,
    floor: `≤ ${most}`,
    ok: value <= most,
    detail: `${inMs(p50(times.open))}; holds the event loop for ${inMs(p50(blocks))}`,
  })
  tell({
    name: `opening a warm store, ${name}, until the first recall is answered, in naive queries`,
    value: p50(times.first) / p50(times.naive),
    detail: inMs(p50(times.first)),
  })
}

async function accuracy(store, corpus, hasLexical) {
  const { name, size } = corpus
  const floors = floorsOf(size)
  const found = await vectorRecall(store.open, corpus)
  for (const depth of [10, 50]) {
    const floor = floors[`r${depth}`]
    const value = found[depth]
    report({ name: `vector recall@${depth} against exact, ${name}`, value, floor: `≥ ${floor}`, ok: value >= floor })
  }
  if (!hasLexical) return
  const value = await lexicalAgreement(store.open, store.path, corpus)
  const floor = LEXICAL
  report({ name: `first ten by words as by bm25 of FTS5, ${name}`, value, floor: `≥ ${floor}`, ok: value >= floor })
}

function space(store, naive, corpus, directory) {
  const { name, size } = corpus
  const memory = sidecarMemory(store, corpus, directory)
  report({
    name: `memory that recall takes, ${name}`,
    value: memory.held,
    unit: 'B a memory',
    floor: `≤ ${MAX_BYTES} B`,
    ok: memory.held <= MAX_BYTES,
    detail: `the process has ${memory.rss.toFixed(0)} B more in memory`,
  })
  // Only Linux tells it.
  if (Number.isFinite(memory.loading)) {
    tell({
      name: `memory at its highest mark while recall gets ready, ${name}`,
      value: memory.loading,
      unit: 'B a memory',
      detail: `${memory.building.toFixed(0)} B where all is built from the index`,
    })
  }
  const value = bytesOf(store.directory) / naive.bytes
  report({
    name: `the index on disk against naive, ${name}`,
    value,
    unit: '×',
    floor: `≤ ${MAX_DISK} ×`,
    ok: value <= MAX_DISK,
    detail: `${(bytesOf(store.directory) / size).toFixed(0)} and ${(naive.bytes / size).toFixed(0)} B a memory`,
  })
}

async function peer(key, reader, corpus, directory) {
  const { name, size, questions } = corpus
  const floor = floorsOf(size).peers[key]
  const { name: title, open } = await import(`./peers/${key}.mjs`)
  const line = { name: `${title}, ${name}, p50 against hybrid recall`, floor: `≥ ${floor} ×` }
  let opened
  const from = performance.now()
  try {
    opened = await open(corpus, directory, LIMIT)
  } catch (error) {
    return skip({ ...line, why: String(error.message).split('\n')[0] })
  }
  const seconds = ((performance.now() - from) / 1000).toFixed(0)
  const asked = questions.slice(0, ASKED[key][size > 10_000 ? 1 : 0])
  const warm = Math.min(3, Math.floor(asked.length / 4))
  const { ours, theirs } = await interleave(
    { ours: (question) => recall(reader, question), theirs: (question) => opened.ask(question) },
    asked,
    warm,
  )
  await opened.close()
  const value = p50(theirs.times) / p50(ours.times)
  report({
    ...line,
    value,
    unit: '× slower',
    ok: value >= floor,
    detail: `${both(theirs)} against ${both(ours)}, ${asked.length - warm} questions; filled in ${seconds} s`,
  })
}

/**
 * @param {import('./corpus.mjs').Corpus} corpus
 * @param options.directory  empty; what is made there stays
 * @param options.peers  names of libraries to be asked as well, where the specification bounds them
 */
export async function measureCorpus(corpus, { directory, peers }) {
  const { name, size, questions } = corpus
  await withStore(corpus, async (store) => {
    const naive = openNaive(join(directory, 'naive.db'), corpus)
    const readers = {
      ours: store.open(),
      weak: store.open({ calibration: corpus.weak }),
      exact: store.open({ sidecarFrom: Infinity }),
    }
    await readers.ours.warmRankings()
    await readers.weak.warmRankings()
    await speed(readers, naive, corpus)
    if (size >= 100_000) await hold(readers.ours, corpus)
    for (const reader of [readers.weak, readers.exact]) {
      await reader.stopAside()
      reader.close()
    }
    if (size > SMALL.size) {
      await opening(store.open, naive, corpus)
      await accuracy(
        store,
        corpus,
        questions.some(({ kind }) => kind === 'plain'),
      )
      space(store, naive, corpus, directory)
      tell({
        name: `first build of what recall keeps in memory, ${name}`,
        value: store.sidecarSeconds,
        unit: 's',
        detail: `the index itself ${store.buildSeconds.toFixed(1)} s, naive ${naive.buildSeconds.toFixed(1)} s; the event loop held for ${inMs(store.sidecarHoldMs)}`,
      })
    }
    naive.close()
    if (size > SMALL.size) {
      const known = Object.keys(floorsOf(size).peers)
      for (const key of peers.filter((one) => known.includes(one))) await peer(key, readers.ours, corpus, directory)
    }
    await readers.ours.stopAside()
    readers.ours.close()
  })
}
