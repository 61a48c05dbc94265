import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import {
  calibrateMemory,
  createMemoryStore,
  openMemoryReader,
  rebuildMemoryIndex,
  type CalibrateOptions,
  type EmbeddingProvider,
  type LabelledQuestion,
} from '../../src/index.js'
import { NOON, openStore, turn } from '../support/open-store.js'

const DIMENSION = 128
/** Axes of the facts; the upper half is for what questions say besides. */
const TOPICS = 60

/** `#7` and `~7` speak of topic 7: a fact wholly, a question by 0.8, and `~` only remotely, by 0.4. Other texts say nothing. */
function vectorOf(text: string): Float32Array {
  const [, mark, digits] = /([#~])(\d+)/.exec(text) ?? []
  const vector = new Float32Array(DIMENSION)
  if (digits === undefined) {
    let seed = [...text].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 2_147_483_647, 7)
    const values = vector.map(() => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647 - 0.5)
    const length = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0))
    return values.map((value) => value / length)
  }
  const topic = Number(digits)
  const share = mark === '~' ? 0.4 : text.startsWith('Who') ? 0.8 : 1
  vector[topic] = share
  vector[TOPICS + topic] = Math.sqrt(1 - share * share)
  return vector
}

interface Topics extends EmbeddingProvider {
  readonly asked: { readonly text: string; readonly kind: string }[]
}

function topicProvider(): Topics {
  const asked: Topics['asked'] = []
  return {
    id: 'test:topics',
    identity: { provider: 'test', model: 'topics', dimension: DIMENSION, fingerprint: 'topics' },
    asked,
    embed(texts, { kind, signal }) {
      signal?.throwIfAborted()
      asked.push(...texts.map((text) => ({ text, kind })))
      return Promise.resolve(texts.map(vectorOf))
    },
  }
}

let root: string
let embed: Topics
const ids = new Map<number, string>()
beforeEach(async () => {
  root = join(mkdtempSync(join(tmpdir(), 'calibrate-')), 'root')
  onTestFinished(() => rmSync(join(root, '..'), { recursive: true, force: true }))
  embed = topicProvider()
  await fill(TOPICS)
})

async function fill(count: number): Promise<void> {
  const store = await open()
  const turns = Array.from({ length: count }, (_, n) => turn(`run-${n}`, `Ana knows about #${n}.`))
  await Promise.all(turns.map((one) => store.persistCompletedTurn(one)))
  await store.flush()
  for (let n = 0; n < count; n++) {
    const status = await store.turnStatus(`run-${n}`)
    ids.set(n, 'memoryIds' in status ? (status.memoryIds[0] as string) : '')
  }
  await store.close()
  embed.asked.length = 0
}

const open = () =>
  createMemoryStore({ mode: 'journal', path: root, embeddings: { dim: DIMENSION } }, { now: () => NOON, embed })
const calibrate = (options: Partial<CalibrateOptions> = {}) =>
  calibrateMemory({ path: root, mode: 'journal', embeddings: { dim: DIMENSION }, embed, ...options })
const manifest = () => readFileSync(join(root, '.index/manifest.json'), 'utf8')

const answerable = (count: number): LabelledQuestion[] =>
  Array.from({ length: count }, (_, n) => ({ query: `Who knows about #${n}?`, relevant: [ids.get(n) as string] }))
const unanswerable = (count: number): LabelledQuestion[] =>
  Array.from({ length: count }, (_, n) => ({ query: `Remotely ~${n}?`, relevant: [] }))

describe('labelled queries', () => {
  test('set floors above what only misleads, and below the answers; nothing is written', async () => {
    const before = manifest()
    const progress: number[] = []
    const report = await calibrate({
      queries: [...answerable(30), ...unanswerable(20)],
      onProgress: (done) => progress.push(done),
    })
    expect(report).toMatchObject({ basis: 'queries', written: false })
    // Half of cosine, words and anchors: the wrong hits of `~` have 0.34 to 0.36, the right ones of `#` about 0.8.
    expect(report.proposed).toMatchObject({ automaticFloor: 0.35, deliberateFloor: 0.36, basis: { source: 'queries' } })
    const at = (floor: number) => report.table.find((row) => row.floor === floor)
    expect(at(0.3)?.automatic).toEqual({ coverage: 1, falseRecall: 0.4 })
    expect(at(0.4)?.automatic).toEqual({ coverage: 1, falseRecall: 0 })
    expect(at(0.85)?.deliberate).toEqual({ coverage: 0, falseRecall: 0 })
    expect(manifest()).toBe(before)
    expect(progress).toEqual([0, 32, 50])
    expect(new Set(embed.asked.map(({ kind }) => kind))).toEqual(new Set(['query']))
    expect(embed.asked).toHaveLength(50)
  })

  test('a cosine below the present noise floor is still seen: measured again, a store gives the same', async () => {
    const queries = [...answerable(30), ...unanswerable(20)]
    const first = await calibrate({ queries, write: true })
    const again = await calibrate({ queries })
    expect(again.present).toEqual(first.proposed)
    expect(again.proposed).toEqual(first.proposed)
    expect(first.present.noiseFloor).toBeGreaterThan(first.proposed.noiseFloor)
  })

  test('are counted as recall answers them once the proposal holds', async () => {
    const queries = [...answerable(30), ...unanswerable(20)]
    const { proposed, table } = await calibrate({ queries, write: true })
    const reader = await openMemoryReader({ path: root, mode: 'journal', embeddings: { dim: DIMENSION }, embed })
    const told = { automatic: { answers: 0, misleads: 0 }, deliberate: { answers: 0, misleads: 0 } }
    for (const { query, relevant } of queries) {
      const count = (of: { answers: number; misleads: number }, ids: readonly string[]): void => {
        if (relevant.some((id) => ids.includes(id))) of.answers++
        else if (ids.length > 0) of.misleads++
      }
      const { memoryIds } = await reader.load({ text: query })
      count(told.automatic, memoryIds)
      const { hits, evidence } = await reader.recallWithOutcome(query)
      count(told.deliberate, evidence === 'insufficient' ? [] : hits.map(({ id }) => id))
    }
    await reader.close()
    const sharesOf = ({ answers, misleads }: { answers: number; misleads: number }) => ({
      coverage: answers / 30,
      falseRecall: misleads / 50,
    })
    const at = (floor: number) => table.find((row) => row.floor === floor)
    expect(sharesOf(told.automatic)).toEqual(at(proposed.automaticFloor)?.automatic)
    expect(sharesOf(told.deliberate)).toEqual(at(proposed.deliberateFloor)?.deliberate)
    expect(told.automatic).toEqual({ answers: 30, misleads: 2 })
  })

  test.each([
    { name: 'empty', query: { query: ' ', relevant: [] } },
    { name: 'about a memory that nobody has', query: { query: 'Where?', relevant: ['r-none-0'] } },
  ])('one that is $name is refused by its number, before anything is sent', async ({ query }) => {
    const failure = calibrate({ queries: [...answerable(30), query] })
    await expect(failure).rejects.toMatchObject({
      code: 'calibration_queries_invalid',
      message: expect.stringContaining('Query 31') as string,
    })
    expect(embed.asked).toEqual([])
  })

  test.each([
    { count: 19, code: 'calibration_too_few' },
    { count: 20, code: undefined },
  ])('$count with an answer: $code', async ({ count, code }) => {
    const outcome = await calibrate({ queries: answerable(count), write: true }).catch((error: unknown) => error)
    expect((outcome as { code?: string }).code).toBe(code)
  })
})

describe('pairs of memories', () => {
  test('stand in for queries, ask no service, and say so in what they propose', async () => {
    const report = await calibrate()
    expect(report).toMatchObject({ basis: 'pairs', proposed: { basis: { source: 'pairs' } }, written: false })
    expect(embed.asked).toEqual([])
  })

  test('are too few in a small store', async () => {
    rmSync(root, { recursive: true })
    await fill(5)
    await expect(calibrate()).rejects.toMatchObject({ code: 'calibration_too_few' })
  })
})

describe('writing', () => {
  test('puts floors into the manifest, where readers find them and rebuilds keep them; reset takes them back', async () => {
    const { proposed, present } = await calibrate({ queries: answerable(30), write: true })
    expect(proposed).not.toEqual(present)
    const options = { path: root, mode: 'journal', embeddings: { dim: DIMENSION }, embed } as const
    const reader = await openMemoryReader(options)
    expect((await reader.stats()).calibration).toEqual(proposed)
    await reader.close()
    await rebuildMemoryIndex(options)
    expect((await calibrate({ queries: answerable(30) })).present).toEqual(proposed)

    const reset = await calibrate({ reset: true, write: true })
    expect(reset).toMatchObject({
      basis: 'model',
      written: true,
      table: [],
      proposed: { basis: { source: 'sentences' } },
    })
    expect(reset.proposed).toEqual(present)
    const store = await open()
    await store.close()
    expect((await calibrate()).present).toEqual(present)
  })

  test('needs the stopped store; measuring does not', async () => {
    const store = await open()
    await expect(calibrate({ write: true })).rejects.toMatchObject({ code: 'writer_active' })
    expect(await calibrate()).toMatchObject({ written: false })
    await store.close()
  })

  test('a signal ends it, and nothing is written', async () => {
    const before = manifest()
    const signal = AbortSignal.abort(new Error('enough'))
    await expect(calibrate({ queries: answerable(30), write: true, signal })).rejects.toThrow('enough')
    expect(manifest()).toBe(before)
    await (await open()).close() // the lease was given back
  })
})

test('lite has nothing to calibrate; a root that is not there is not made', async () => {
  const lite = join(root, '..', 'lite')
  await (await openStore(lite)).close()
  await expect(calibrateMemory({ path: lite })).rejects.toMatchObject({ code: 'unsupported_in_tier' })
  await expect(calibrate({ path: `${root}-none` })).rejects.toMatchObject({ code: 'root_missing' })
})
