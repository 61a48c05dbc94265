// One scenario of ranking threads a run: `node program.mjs <scenario>`. Prints what happened as one line of JSON; how the
// process ends is part of each. What is not closed here is left open on purpose.
import { deepStrictEqual } from 'node:assert'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { createMemoryStore } from '@mono-agent/memory-bujo'
import { openWritableIndex } from '@mono-agent/memory-search'
import { ask, makeStore, sentence, tell, threads, vectorOf, writeDays } from './small-store.mjs'

const FIFTY = Array.from({ length: 50 }, (_, n) => n)
const namesOf = (settled) => [...new Set(settled.map(({ reason }) => reason?.code ?? reason?.message ?? 'answered'))]

const scenarios = {
  async answers() {
    const store = await makeStore()
    const [aside, here] = [store.read(), store.read(1_000_000)]
    const last = ask(7)
    const requests = [
      ...FIFTY.map(ask),
      ...FIFTY.map((n) => ({ ...ask(n), explain: true, limit: 50, apartFrom: `chat-${n % 4}` })),
      { query: last.query, limit: 10 },
      { ...last, conversationId: 'chat-3' },
      { ...last, filter: { kind: 'lesson' } },
      { ...last, filter: { aboutEntities: [] } },
      { ...last, asOf: Date.UTC(2025, 5, 1), endedVectors: new Map([['none', vectorOf('none')]]) },
    ]
    const found = await Promise.all(requests.map((request) => aside.rankAside(request)))
    found.forEach((ranking, at) => deepStrictEqual(ranking, here.rank(requests[at])))
    const faulty = [
      { ...last, limit: 0 },
      { ...last, query: 7 },
      { ...last, query: () => '' },
      { ...last, vector: new Float32Array(3) },
    ]
    for (const request of faulty) {
      const told = await aside.rankAside(request).catch((error) => error)
      const expected = await here.rankAside(request).catch((error) => error)
      deepStrictEqual([told.name, told.message], [expected.name, expected.message])
    }
    await aside.stopAside()
    aside.close()
    here.close()
    const closed = await aside.rankAside(last).catch(({ code }) => code)
    tell({ hits: found[7].ranked[0].memory.text === sentence(7), closed, threads, failures: store.failures })
  },

  async writes() {
    const base = mkdtempSync(join(tmpdir(), 'ranking-thread-'))
    const path = join(base, 'root')
    const codes = []
    const options = { onEvent: ({ code }) => code !== undefined && codes.push(code) }
    await (await createMemoryStore({ mode: 'lite', path }, options)).close()
    writeDays(path, 4_100)
    const store = await createMemoryStore({ mode: 'lite', path }, options)
    const found = []
    for (const word of ['quince', 'medlar', 'sloe']) {
      const { id } = await store.remember({ text: `The ${word} tree was planted by the gate.` })
      const { hits } = await store.recallWithOutcome(`Where is the ${word} tree?`)
      found.push(hits[0]?.id === id)
    }
    await store.close()
    rmSync(base, { recursive: true })
    tell({ found, threads, codes })
  },

  async 'close of a store'() {
    const base = mkdtempSync(join(tmpdir(), 'ranking-thread-'))
    const path = join(base, 'root')
    await (await createMemoryStore({ mode: 'lite', path })).close()
    writeDays(path, 4_100)
    const store = await createMemoryStore({ mode: 'lite', path })
    const recalls = Promise.allSettled(FIFTY.map((n) => store.recallWithOutcome(ask(n).query)))
    await store.close()
    const settled = namesOf(await recalls)
    rmSync(base, { recursive: true })
    tell({ settled, threads })
  },

  async 'close of a reader'() {
    const store = await makeStore()
    const reader = store.read()
    const rankings = Promise.allSettled(FIFTY.map((n) => reader.rankAside(ask(n))))
    await reader.stopAside()
    reader.close()
    const settled = namesOf(await rankings)
    tell({ settled, threads })
  },

  async 'close of a writer that waits for no thread'() {
    const store = await makeStore()
    const index = await openWritableIndex(await store.writer())
    await index.rankAside(ask(1))
    const waiting = Promise.allSettled([index.rankAside(ask(2))])
    index.close()
    const settled = namesOf(await waiting)
    while (threads.ended < threads.started) await after(5)
    tell({ settled, threads })
  },

  async cancel() {
    const store = await makeStore()
    const reader = store.read()
    const stops = FIFTY.map(() => new AbortController())
    const rankings = stops.map(({ signal }, n) => reader.rankAside(ask(n), { signal }))
    stops.forEach((stop, n) => n % 2 === 0 && stop.abort(new Error('enough')))
    const settled = await Promise.allSettled(rankings)
    const odd = namesOf(settled.filter((_, n) => n % 2 === 1))
    const even = namesOf(settled.filter((_, n) => n % 2 === 0))
    await reader.stopAside()
    reader.close()
    tell({ odd, even, threads })
  },

  async rebuild() {
    const store = await makeStore()
    const reader = store.read()
    const first = reader.rank(ask(3))
    const generations = new Set([reader.stats().generation])
    let isBuilding = true
    const builds = (async () => {
      for (let n = 0; n < 4; n++) await store.rebuild()
      isBuilding = false
    })()
    let rankings = 0
    while (isBuilding) {
      for (const ranking of await Promise.all([3, 3, 3].map((n) => reader.rankAside(ask(n))))) {
        deepStrictEqual(ranking, first)
        rankings++
      }
      generations.add(reader.stats().generation)
    }
    await builds
    deepStrictEqual(await reader.rankAside(ask(3)), first)
    generations.add(reader.stats().generation)
    await reader.stopAside()
    reader.close()
    const { started, ended } = threads
    tell({ followed: generations.size > 1, asked: rankings > 0, running: started - ended, failures: store.failures })
  },

  async opening() {
    const store = await makeStore()
    await openWritableIndex({ ...(await store.writer()), startsAside: true, sidecarAsideFrom: 256 })
    await after(0) // the process hears of a thread in its next turn
    tell({ threads }) // the index stays open, its thread at work
  },

  async idle() {
    const store = await makeStore()
    const reader = store.read()
    await reader.rankAside(ask(1))
    tell({ threads }) // the reader stays open, its thread idle
  },

  async waiting() {
    const store = await makeStore()
    // Nothing but the answer of the thread is left to wait for.
    void store
      .read()
      .rankAside(ask(4))
      .then(({ ranked }) => tell({ hits: ranked.length, threads }))
  },

  async 'given up'() {
    const store = await makeStore()
    const stop = new AbortController()
    const ranking = store.read().rankAside(ask(4), { signal: stop.signal })
    stop.abort(new Error('enough'))
    tell({ settled: namesOf(await Promise.allSettled([ranking])) })
  },

  async 'a thread that dies'() {
    const store = await makeStore()
    process.on('worker', (worker) => void worker.terminate())
    const [aside, here] = [store.read(), store.read(1_000_000)]
    const found = await Promise.all(FIFTY.map((n) => aside.rankAside(ask(n))))
    found.forEach((ranking, n) => deepStrictEqual(ranking, here.rank(ask(n))))
    await aside.stopAside()
    aside.close()
    here.close()
    tell({ failures: store.failures, threads })
  },
}

await scenarios[process.argv[2] ?? 'idle']()
