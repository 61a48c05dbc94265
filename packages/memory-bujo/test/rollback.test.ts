import { createHash } from 'node:crypto'
import { cpSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { MemoryError, nodeFileSystem, type FileSystem } from '@mono-agent/memory-store'
import type { EmbeddingProvider } from '@mono-agent/memory-search'
import {
  createMemoryStore,
  openMemoryReader,
  rebuildMemoryIndex,
  rollbackMemoryIndex,
  type BuiltInMemoryStore,
  type HostParts,
  type RecallOutcome,
} from '../src/index.js'
import { faultyFileSystem } from '../../../test/support/faulty-file-system.js'
import { makeTemporaryRoot } from '../../../test/support/temporary-root.js'
import { DAY, dayFile, NOON, turn } from './support/open-store.js'

/** A unit vector that depends on every letter of the text and on the model; the same on every platform. */
function vectorOf(model: string, text: string, dimension: number): Float32Array {
  const seed = createHash('sha256').update(`${model}\0${text}`).digest()
  let state = seed.readUInt32LE(0) | 1
  const values = Array.from({ length: dimension }, (_, at) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223 + (seed[at % seed.length] ?? 0)) >>> 0
    return state / 2 ** 31 - 1
  })
  const length = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0))
  return Float32Array.from(values, (value) => value / length)
}

interface CountingProvider extends EmbeddingProvider {
  readonly asked: string[]
}

function provider(model: string, dimension: number): CountingProvider {
  const asked: string[] = []
  return {
    id: `test:${model}`,
    identity: { provider: 'test', model, dimension, fingerprint: `${model}-${dimension}` },
    asked,
    embed(texts) {
      asked.push(...texts)
      return Promise.resolve(texts.map((text) => vectorOf(model, text, dimension)))
    },
  }
}

/** A store's configuration and host, by the name of its index. */
const configurations = {
  lite: () => ({ config: { mode: 'lite' as const }, host: {} }),
  small: () => journal(provider('small', 768)),
  large: () => journal(provider('large', 1_536)),
  /** The dimension of `small`, by another model. */
  other: () => journal(provider('other', 768)),
}
type Name = keyof typeof configurations

const journal = (embed: CountingProvider) => ({
  config: {
    mode: 'journal' as const,
    embeddings: { provider: 'ollama' as const, dim: embed.identity.dimension },
  },
  host: { embed },
})

async function open(path: string, name: Name, more: HostParts = {}): Promise<BuiltInMemoryStore> {
  const { config, host } = configurations[name]()
  const store = await createMemoryStore({ path, ...config }, { now: () => NOON, ...host, ...more })
  onTestFinished(async () => {
    await store.close().catch(() => undefined) // a test that breaks its store on purpose has asserted that itself
  })
  return store
}

const operatorOptions = (path: string, name: Name) => {
  const { config, host } = configurations[name]()
  return { path, now: () => NOON, ...config, ...host }
}
const rebuild = (path: string, name: Name) => rebuildMemoryIndex(operatorOptions(path, name))
const rollback = (path: string, name: Name, fs: FileSystem = nodeFileSystem) =>
  rollbackMemoryIndex({ ...operatorOptions(path, name), fs })

const TEXTS = [
  'Ana keeps bees behind the school.',
  'The harbour master collects old clocks.',
  'Ana sold honey at the harbour on Sunday.',
  'Bob repaired the clock of the school.',
  'Invoice INV-2026-00017 was paid late.',
]
const QUERIES = ['bees', 'who collects clocks', 'honey at the harbour', 'INV-2026-00017', 'something else entirely']

/** A closed store of `TEXTS` with an index of this name. */
async function filled(name: Name): Promise<string> {
  const path = makeTemporaryRoot()
  const store = await open(path, name)
  for (const [at, text] of TEXTS.entries()) await store.persistCompletedTurn(turn(`run-${at}`, text))
  expect(await store.flush()).toMatchObject({ pending: 0, dead: 0 })
  await store.close()
  return path
}

/** What an agent is told, with scores and explanations. */
async function answers(path: string, name: Name): Promise<RecallOutcome[]> {
  const store = await open(path, name)
  const outcomes = []
  for (const query of QUERIES) outcomes.push(await store.recallWithOutcome(query, { explain: true }))
  await store.close()
  return outcomes
}

/** The same of a lite index without opening it for writing, which would catch up. */
async function answersToReader(path: string): Promise<RecallOutcome[]> {
  const reader = await openMemoryReader({ path })
  const outcomes = []
  for (const query of QUERIES) outcomes.push(await reader.recallWithOutcome(query, { explain: true }))
  await reader.close()
  return outcomes
}

const codeOf = async (call: () => Promise<unknown>): Promise<unknown> => {
  try {
    await call()
  } catch (error) {
    return (error as { code?: unknown }).code
  }
  return 'no error'
}

interface KeptManifest {
  readonly generation: string
  readonly previous?: { readonly generation: string; readonly isOffered: boolean }
}
const manifestOf = (path: string): KeptManifest =>
  JSON.parse(readFileSync(join(path, '.index/manifest.json'), 'utf8')) as KeptManifest

describe('after a rollback an agent gets the very answers it got before the rebuild', () => {
  test.each<readonly [Name, Name]>([
    ['lite', 'lite'],
    ['lite', 'small'],
    ['small', 'lite'],
    ['small', 'large'],
    ['small', 'other'],
  ])('%s, rebuilt as %s', async (from, to) => {
    const path = await filled(from)
    const [before, day] = [await answers(path, from), dayFile(path)]
    expect(before.flatMap(({ hits }) => hits).length).toBeGreaterThan(QUERIES.length - 1)
    await rebuild(path, to)
    const after = await answers(path, to)
    expect(await codeOf(async () => (await open(path, from)).close())).toBe(
      from === to ? 'no error' : 'configured_identity_mismatch',
    )

    const options = operatorOptions(path, from)
    const report = await rollbackMemoryIndex(options)
    if ('embed' in options) expect(options.embed.asked).toEqual([])
    expect(report).toMatchObject({ memories: TEXTS.length, previous: { isOffered: true } })
    expect(await answers(path, from)).toEqual(before)
    expect(dayFile(path)).toBe(day)

    await rollback(path, to)
    expect(await answers(path, to)).toEqual(after)
  })

  test('a reader beside it follows', async () => {
    const path = await filled('lite')
    const reader = await openMemoryReader({ path })
    const before = await reader.recallWithOutcome('bees', { explain: true })
    await rebuild(path, 'lite')
    await rollback(path, 'lite')
    expect(await reader.recallWithOutcome('bees', { explain: true })).toEqual(before)
    await reader.close()
  })

  test('a turn that was admitted and not yet written is written afterwards', async () => {
    const path = await filled('small')
    const faulty = faultyFileSystem(nodeFileSystem)
    const store = await open(path, 'small', { fs: faulty.fs })
    faulty.inject({ path: /daily/, operation: 'open', times: Infinity, errno: 'EACCES' })
    await store.persistCompletedTurn(turn('late', 'A late word about wasps.'))
    await store.close()
    expect(dayFile(path)).not.toContain('wasps')
    await rebuild(path, 'lite')
    await rollback(path, 'small')
    const again = await open(path, 'small')
    expect(await again.flush()).toEqual({ pending: 0, dead: 0, missingVectors: 0 })
    expect((await again.recallWithOutcome('wasps')).hits.map(({ text }) => text)).toContain('A late word about wasps.')
  })
})

describe('it is refused, and the present index stays', () => {
  test.each<{ name: string; to: Name; code: string; change?: (path: string) => Promise<unknown> }>([
    { name: 'another dimension', to: 'large', code: 'configured_identity_mismatch' },
    { name: 'another model of its dimension', to: 'other', code: 'configured_identity_mismatch' },
    { name: 'the configuration in use', to: 'lite', code: 'configured_identity_mismatch' },
    {
      name: 'a turn was projected',
      to: 'small',
      code: 'rollback_unavailable',
      change: (path) => use(path, (store) => store.persistCompletedTurn(turn('more', 'Something more was said.'))),
    },
    {
      name: 'a fact was remembered',
      to: 'small',
      code: 'rollback_unavailable',
      change: (path) => use(path, (store) => store.remember({ text: 'Something more.' })),
    },
    { name: 'a person edited while no agent ran', to: 'small', code: 'source_changed', change: edit },
    {
      name: 'a person edited and an agent saw it',
      to: 'small',
      code: 'rollback_unavailable',
      change: async (path) => {
        await edit(path)
        await use(path, () => Promise.resolve())
      },
    },
    {
      name: 'the kept index was changed',
      to: 'small',
      code: 'previous_damaged',
      change: (path) => {
        const file = join(path, '.index/generations', manifestOf(path).previous?.generation ?? '', 'memory.db')
        const [word = ''] = TEXTS[0]?.split(' ') ?? []
        const bytes = readFileSync(file, 'latin1') // every byte a character
        expect(bytes).toContain(word)
        writeFileSync(file, bytes.replaceAll(word, `${word.slice(0, -1)}~`), 'latin1')
        return Promise.resolve()
      },
    },
  ])('$name: $code', async ({ to, code, change }) => {
    const path = await filled('small')
    await rebuild(path, 'lite')
    await change?.(path)
    const [before, bytes] = [await answersToReader(path), readFileSync(join(path, '.index/manifest.json'), 'utf8')]
    expect(await codeOf(() => rollback(path, to))).toBe(code)
    expect(readFileSync(join(path, '.index/manifest.json'), 'utf8')).toBe(bytes)
    expect(await answersToReader(path)).toEqual(before)
  })

  test('beside a running agent, and where no store is', async () => {
    const path = await filled('lite')
    await rebuild(path, 'lite')
    const store = await open(path, 'lite')
    expect(await codeOf(() => rollback(path, 'lite'))).toBe('writer_active')
    await store.close()
    const nowhere = join(makeTemporaryRoot(), 'none')
    expect(await codeOf(() => rollback(nowhere, 'lite'))).toBe('root_missing')
  })
})

async function use(path: string, work: (store: BuiltInMemoryStore) => Promise<unknown>): Promise<void> {
  const store = await open(path, 'lite')
  await work(store)
  await store.flush()
  await store.close()
}

function edit(path: string): Promise<void> {
  writeFileSync(join(path, 'daily', `${DAY}.md`), dayFile(path).replace('bees', 'wasps'))
  return Promise.resolve()
}

describe('the offer ends before the day files change', () => {
  test('the manifest is published first, once', async () => {
    const path = await filled('lite')
    await rebuild(path, 'lite')
    const faulty = faultyFileSystem(nodeFileSystem)
    const store = await open(path, 'lite', { fs: faulty.fs })
    const from = faulty.calls.length
    for (const text of ['One.', 'Two.', 'Three.']) await store.remember({ text })
    const renames = faulty.calls.slice(from).flatMap(({ operation, path: target }) => {
      const isIt = operation === 'rename' && !target.endsWith('runtime.json')
      return isIt ? [target.slice(path.length + 1)] : []
    })
    expect(renames).toEqual(['.index/manifest.json', ...Array<string>(3).fill(`daily/${DAY}.md`)])
    expect(manifestOf(path).previous?.isOffered).toBe(false)
  })

  test('if that fails nothing is written, and a turn stays due', async () => {
    const path = await filled('lite')
    await rebuild(path, 'lite')
    const before = dayFile(path)
    const faulty = faultyFileSystem(nodeFileSystem)
    const store = await open(path, 'lite', { fs: faulty.fs })
    faulty.inject({ path: /manifest/, operation: 'rename', times: Infinity, errno: 'ENOSPC' })
    await expect(store.remember({ text: 'More.' })).rejects.toMatchObject({
      code: 'storage_failed',
      outcome: 'not_written',
    })
    await store.persistCompletedTurn(turn('more', 'Something more was said.'))
    expect(await store.flush()).toEqual({ pending: 1, dead: 0 })
    expect(dayFile(path)).toBe(before)
    faulty.clear()
    expect(await store.flush()).toEqual({ pending: 0, dead: 0 })
    expect(await store.remember({ text: 'More.' })).toMatchObject({ status: 'stored' })
    expect(manifestOf(path).previous?.isOffered).toBe(false)
  })
})

/** Names of all files under a directory. */
const filesIn = (path: string): string[] =>
  (readdirSync(path, { recursive: true }) as string[]).filter((name) => statSync(join(path, name)).isFile()).sort()

test(
  'killed at any call of the file system, the store opens as it was or as it is to be, and nothing else is left',
  { timeout: 300_000 },
  async () => {
    const origin = await filled('small')
    const small = await answers(origin, 'small')
    await rebuild(origin, 'lite')
    const lite = await answers(origin, 'lite')
    const copy = (): string => {
      const path = makeTemporaryRoot()
      cpSync(origin, path, { recursive: true })
      return path
    }
    const counting = faultyFileSystem(nodeFileSystem)
    await rollback(copy(), 'small', counting.fs)
    const ends = { small: 0, lite: 0 }
    for (let nth = 1; nth <= counting.calls.length; nth++) {
      const path = copy()
      const faulty = faultyFileSystem(nodeFileSystem)
      const isKill = nth % 2 === 0
      faulty.inject({ nth, errno: 'EIO', ...(isKill ? { times: Infinity } : {}) })
      const error: unknown = await rollback(path, 'small', faulty.fs).then(() => undefined, (thrown: unknown) => thrown) // prettier-ignore
      if (error !== undefined && !isKill) expect(error).toBeInstanceOf(MemoryError)
      const name = (await codeOf(async () => (await open(path, 'small')).close())) === 'no error' ? 'small' : 'lite'
      ends[name]++
      if (error === undefined) expect(name).toBe('small')
      expect(await answers(path, name)).toEqual(name === 'small' ? small : lite)
      const { generation, previous } = manifestOf(path)
      expect(filesIn(join(path, '.index'))).toEqual(
        [...[generation, previous?.generation].map((named) => `generations/${named}/memory.db`).sort(), 'manifest.json', 'runtime.json'], // prettier-ignore
      )
      rmSync(path, { recursive: true })
    }
    expect(ends.small).toBeGreaterThan(0)
    expect(ends.lite).toBeGreaterThan(0)
  },
)
