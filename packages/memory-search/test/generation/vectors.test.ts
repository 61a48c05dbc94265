import { contentHash, layout, type Bullet } from '@mono-agent/memory-store'
import Database from 'better-sqlite3'
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { buildIndex } from '../../src/index.js'
import { openVectorStaging } from '../../src/generation/vector-staging.js'
import { validateVectors } from '../../src/generation/validate-vectors.js'
import { fromBlob } from '../../src/sqlite/vector-rows.js'
import { databaseOf, manifestOf } from '../support/dump.js'
import { bullet, type TestRoot } from '../support/roots.js'
import { DAY, newRoot } from '../support/scenario.js'
import { build, drain, hashProvider, hashVector, JOURNAL, STRONG, WEAK } from '../support/vectors.js'

const COUNT = 100
const sentenceOf = (at: number): string => `Sentence ${at}`
const bullets: readonly Bullet[] = Array.from({ length: COUNT }, (_, at) =>
  bullet({ id: `m-${at}`, sentence: sentenceOf(at) }),
)
const stagingOf = (root: TestRoot): string => join(root.path, layout.vectorStaging)

async function filled(list: readonly Bullet[] = bullets): Promise<TestRoot> {
  const root = await newRoot()
  root.write(DAY, list)
  return root
}

/** Every vector of the active index is that of its words. */
function expectVectors(root: TestRoot, count: number): void {
  const db = new Database(databaseOf(root.path), { readonly: true })
  try {
    const rows = db
      .prepare<[], { sentence: string; vector: Buffer }>(
        'select sentence, vector from memory_vectors join memories using (row)',
      )
      .all()
    expect(rows).toHaveLength(count)
    for (const { sentence, vector } of rows) expect(fromBlob(vector)).toEqual(hashVector(sentence))
    expect(db.prepare('select count(*) from vector_backlog').pluck().get()).toBe(0)
  } finally {
    db.close()
  }
}

function change(root: TestRoot, sql: string, ...values: unknown[]): void {
  const db = new Database(databaseOf(root.path))
  db.prepare(sql).run(...values)
  db.close()
}

test('what the former index has is carried over by content, the rest is embedded once, whatever stands twice', async () => {
  const root = await filled()
  const first = hashProvider()
  expect((await build(root, { embed: first })).vectors).toEqual({ carriedOver: 0, embedded: COUNT })
  expect(first.asked).toEqual(bullets.map(({ sentence }) => sentence))
  root.write(DAY, [
    ...bullets.slice(10).toReversed(),
    bullet({ id: 'again', sentence: sentenceOf(50) }),
    bullet({ id: 'new-1', sentence: 'New' }),
    bullet({ id: 'new-2', sentence: 'New' }),
    bullet({ id: 'gone', sentence: 'Dropped', type: 'task', status: 'dropped' }),
  ])
  const second = hashProvider()
  expect((await build(root, { embed: second })).vectors).toEqual({ carriedOver: COUNT - 10 + 1, embedded: 2 })
  expect(second.asked).toEqual(['New'])
  expectVectors(root, COUNT - 10 + 3)
  expect(existsSync(stagingOf(root))).toBe(false)
})

describe('a build that was killed', () => {
  test.each([0, 1, 2, 3])(
    'after %d batches leaves them to the next, and the former index in place',
    async (batches) => {
      const root = await filled()
      const provider = hashProvider()
      provider.batches = batches
      await expect(build(root, { embed: provider })).rejects.toThrow('killed')
      expect(existsSync(join(root.path, layout.manifest))).toBe(false)
      const made = Math.min(COUNT, batches * 32)
      expect(provider.asked).toHaveLength(made)
      provider.batches = Infinity
      expect((await build(root, { embed: provider })).vectors).toEqual({ carriedOver: made, embedded: COUNT - made })
      expect(provider.asked).toHaveLength(COUNT) // never twice
      expectVectors(root, COUNT)
      expect(existsSync(stagingOf(root))).toBe(false)
    },
  )

  test('again and again asks for each text once', async () => {
    const root = await filled()
    const provider = hashProvider()
    for (provider.batches = 1; ; provider.batches = 1) {
      try {
        await build(root, { embed: provider })
        break
      } catch (error) {
        expect(error).toMatchObject({ message: 'killed' })
      }
    }
    expect(provider.asked).toEqual(bullets.map(({ sentence }) => sentence))
  })

  test('in its calibration has its vectors all the same', async () => {
    const root = await filled()
    const provider = hashProvider()
    const options = { root: root.path, fs: root.fs, lease: root.lease, identity: JOURNAL, now: Date.now }
    const calibrate = (): Promise<never> => Promise.reject(new Error('killed'))
    await expect(buildIndex({ ...options, vectors: { embed: provider, calibrate } })).rejects.toThrow('killed')
    await build(root, { embed: provider })
    expect(provider.asked).toHaveLength(COUNT)
  })

  test('is finished without a service as far as it came', async () => {
    const root = await filled()
    const provider = hashProvider()
    provider.batches = 2
    await expect(build(root, { embed: provider })).rejects.toThrow('killed')
    const options = { root: root.path, fs: root.fs, lease: root.lease, identity: JOURNAL, now: Date.now }
    expect((await buildIndex(options)).vectors).toEqual({ carriedOver: 64, embedded: 0 })
    const index = await root.open(JOURNAL)
    expect(index.stats()).toMatchObject({ vectors: 64, missingVectors: COUNT - 64 })
    expect(drain(index)).toHaveLength(COUNT - 64)
    index.close()
    expectVectors(root, COUNT)
  })
})

describe('what an earlier build left is begun anew where it', () => {
  test.each<{ name: string; spoil: (path: string, root: TestRoot) => void }>([
    {
      name: 'is of another fingerprint',
      spoil: (path) => {
        const db = new Database(path)
        db.exec(`update staged_for set fingerprint = 'other'`)
        db.close()
      },
    },
    { name: 'is truncated', spoil: (path) => truncateSync(path, 5_000) },
    { name: 'is empty', spoil: (path) => truncateSync(path, 0) },
    { name: 'is no database', spoil: (path) => writeFileSync(path, 'x'.repeat(20_000)) },
    {
      name: 'was cut before it had a fingerprint',
      spoil: (path) => {
        const db = new Database(path)
        db.exec('delete from staged_for')
        db.close()
      },
    },
    {
      name: 'has damaged pages',
      spoil: (path) => {
        const bytes = readFileSync(path)
        bytes.fill(0xab, 4_096)
        writeFileSync(path, bytes)
      },
    },
    {
      name: 'holds vectors that are none',
      spoil: (path) => {
        const db = new Database(path)
        db.exec('update staged_vectors set vector = zeroblob(length(vector))')
        db.close()
      },
    },
    {
      name: 'was replaced by a directory',
      spoil: (path) => {
        rmSync(path)
        mkdirSync(path)
        writeFileSync(join(path, 'x'), '')
      },
    },
    {
      name: 'is a link',
      spoil: (path, root) => {
        rmSync(path)
        writeFileSync(join(root.path, 'elsewhere'), 'mine')
        symlinkSync(join(root.path, 'elsewhere'), path)
      },
    },
    {
      name: 'has a link for its log',
      spoil: (path, root) => {
        writeFileSync(join(root.path, 'elsewhere'), 'mine')
        symlinkSync(join(root.path, 'elsewhere'), `${path}-wal`)
      },
    },
  ])('$name', async ({ spoil }) => {
    const root = await filled()
    const provider = hashProvider()
    provider.batches = 2
    await expect(build(root, { embed: provider })).rejects.toThrow('killed')
    spoil(stagingOf(root), root)
    const next = hashProvider()
    expect((await build(root, { embed: next })).vectors).toEqual({ carriedOver: 0, embedded: COUNT })
    expectVectors(root, COUNT)
    expect(existsSync(stagingOf(root))).toBe(false)
    const elsewhere = join(root.path, 'elsewhere')
    if (existsSync(elsewhere)) expect(readFileSync(elsewhere, 'utf8')).toBe('mine')
  })

  test('what was staged is there after the process was killed', async () => {
    const root = await filled()
    await build(root)
    const staging = openVectorStaging(root.fs, root.path, 'f')
    staging.add([{ contentHash: 'a', vector: hashVector('a') }])
    const beside = openVectorStaging(root.fs, root.path, 'f') // the first one never closed, as after a kill
    expect(beside.find('a')).toEqual(hashVector('a'))
    expect(beside.find('b')).toBeUndefined()
    beside.close()
    staging.close()
  })
})

describe('a former index cannot stop the rebuild that cures it:', () => {
  test.each<{ name: string; spoil: (root: TestRoot) => void; embedded: number }>([
    { name: 'no database', spoil: (root) => rmSync(databaseOf(root.path)), embedded: COUNT },
    {
      name: 'no SQLite file',
      spoil: (root) => writeFileSync(databaseOf(root.path), 'x'.repeat(9_000)),
      embedded: COUNT,
    },
    { name: 'a truncated one', spoil: (root) => truncateSync(databaseOf(root.path), 8_192), embedded: COUNT },
    { name: 'an empty one', spoil: (root) => truncateSync(databaseOf(root.path), 0), embedded: COUNT },
    {
      name: 'a directory in its place',
      spoil: (root) => {
        const path = databaseOf(root.path)
        rmSync(path)
        mkdirSync(path)
      },
      embedded: COUNT,
    },
    {
      name: 'the database of another generation',
      spoil: (root) => change(root, `update index_identity set value = 'g0-9' where key = 'generation'`),
      embedded: COUNT,
    },
    {
      name: 'a vector of another dimension',
      spoil: (root) => change(root, 'update memory_vectors set vector = zeroblob(8) where row = 1'),
      embedded: 1,
    },
    {
      name: 'a vector of no whole number of floats',
      spoil: (root) => change(root, 'update memory_vectors set vector = zeroblob(7) where row < 3'),
      embedded: 2,
    },
    {
      name: 'a vector of NaN',
      spoil: (root) =>
        change(
          root,
          'update memory_vectors set vector = ? where row = 1',
          Buffer.alloc(hashVector('').byteLength, 0xff),
        ),
      embedded: 1,
    },
  ])('$name', async ({ spoil, embedded }) => {
    const root = await filled()
    await build(root)
    spoil(root)
    const provider = hashProvider()
    expect((await build(root, { embed: provider })).vectors).toEqual({ carriedOver: COUNT - embedded, embedded })
    expect(provider.asked).toHaveLength(embedded)
    expectVectors(root, COUNT)
  })
})

test('nothing is carried over from another model, nor its calibration', async () => {
  const root = await filled()
  await build(root, { calibration: WEAK })
  const provider = hashProvider()
  const identity = { ...JOURNAL, fingerprint: 'another' }
  expect((await build(root, { embed: provider, identity })).vectors).toEqual({ carriedOver: 0, embedded: COUNT })
  expect(manifestOf(root.path).calibration).toEqual(STRONG)
  await build(root, { calibration: WEAK, identity })
  expect(manifestOf(root.path).calibration).toEqual(STRONG) // of the same model it is kept
})

test.each([
  ['too few', (texts: readonly string[]) => texts.slice(1).map((text) => hashVector(text))],
  ['of another dimension', (texts: readonly string[]) => texts.map((text) => hashVector(text, 8))],
])('a provider that breaks its promise (%s) is told at once and nothing is staged', async (_, give) => {
  const root = await filled()
  const broken = hashProvider()
  broken.embed = (texts) => Promise.resolve(give(texts))
  await expect(build(root, { embed: broken })).rejects.toThrow(RangeError)
  const provider = hashProvider()
  expect((await build(root, { embed: provider })).vectors).toEqual({ carriedOver: 0, embedded: COUNT })
})

test('progress counts memories up to all of them; an aborted signal reaches the service', async () => {
  const root = await filled()
  const seen: [number, number][] = []
  const signals: unknown[] = []
  const provider = hashProvider()
  const { embed } = provider
  provider.embed = (texts, options) => (signals.push(options.signal), embed.call(provider, texts, options))
  const { signal } = new AbortController()
  await buildIndex({
    root: root.path,
    fs: root.fs,
    lease: root.lease,
    identity: JOURNAL,
    now: Date.now,
    vectors: {
      embed: provider,
      calibrate: () => Promise.resolve(STRONG),
      signal,
      onProgress: (...step) => seen.push(step),
    },
  })
  expect(seen).toEqual([0, 32, 64, 96, 100].map((done) => [done, COUNT]))
  expect(signals).toEqual([signal, signal, signal, signal])
})

describe('validation finds', () => {
  const blob = (vector: Float32Array): Buffer => Buffer.from(vector.buffer)
  test.each<{ name: string; sql: string; values?: unknown[] }>([
    {
      name: 'a vector of another dimension',
      sql: 'update memory_vectors set vector = ? where row = 7',
      values: [blob(hashVector('x', 64))],
    },
    { name: 'a vector that was cut', sql: 'update memory_vectors set vector = substr(vector, 1, 510) where row = 7' },
    {
      name: 'a vector with NaN',
      sql: 'update memory_vectors set vector = ? where row = 7',
      values: [blob(hashVector('x').fill(NaN))],
    },
    {
      name: 'a vector of no length',
      sql: 'update memory_vectors set vector = ? where row = 7',
      values: [blob(hashVector('x').fill(0))],
    },
    {
      name: 'a vector that is not of unit length',
      sql: 'update memory_vectors set vector = ? where row = 7',
      values: [blob(hashVector('x').map((value) => value * 1.01))],
    },
    { name: 'a vector of other words', sql: `update memory_vectors set content_hash = 'x' where row = 100` },
    { name: 'a record without either', sql: 'delete from memory_vectors where row = 7' },
    { name: 'a vector of no record', sql: 'update memory_vectors set row = 999 where row = 7' },
    { name: 'one more that waits', sql: 'insert into vector_backlog values (7)' },
    { name: 'one that waits for no record', sql: 'insert into vector_backlog values (999)' },
    {
      name: 'one with both that makes up for one with neither',
      sql: 'insert into vector_backlog select 8 from memory_vectors where row = 7',
    },
  ])('$name', async ({ name, sql, values = [] }) => {
    const root = await filled()
    await build(root)
    const db = new Database(databaseOf(root.path))
    try {
      await validateVectors(db, () => Promise.resolve())
      expect(db.prepare(sql).run(...values).changes).toBe(1)
      if (name.includes('makes up')) db.exec('delete from memory_vectors where row = 7')
      await expect(validateVectors(db, () => Promise.resolve())).rejects.toMatchObject({ code: 'vector_mismatch' })
    } finally {
      db.close()
    }
  })

  test('vectors in lite', async () => {
    const root = await filled()
    ;(await root.open()).close()
    const db = new Database(databaseOf(root.path))
    try {
      await validateVectors(db, () => Promise.resolve())
      db.prepare('insert into memory_vectors values (1, ?, ?)').run(contentHash(sentenceOf(0)), blob(hashVector('x')))
      await expect(validateVectors(db, () => Promise.resolve())).rejects.toMatchObject({ code: 'vector_mismatch' })
    } finally {
      db.close()
    }
  })
})
