import { identityOf, layout, parseDayFile, sha256Hex, type DayFileState } from '@mono-agent/memory-store'
import Database from 'better-sqlite3'
import { execFileSync } from 'node:child_process'
import { chmodSync, readdirSync, readFileSync, renameSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { buildIndex, openIndexReader, openWritableIndex, type IndexReader } from '../src/index.js'
import { databaseOf, dump } from './support/dump.js'
import { bullet, LITE, type TestRoot } from './support/roots.js'
import { DAY, find, newRoot, openIn } from './support/scenario.js'

const NEXT_DAY = 'daily/2026-05-02.md'
const tea = bullet({ id: 'tea', sentence: 'Morgan prefers green tea.' })
const cat = bullet({ id: 'cat', sentence: 'Ana has a cat.' })
const dog = bullet({ id: 'dog', sentence: 'Bob has a dog.' })

function readerOf(root: TestRoot): IndexReader {
  return openIndexReader({ root: root.path, fs: root.fs, identity: LITE, now: Date.now })
}

/** The state a writer of day files hands over. */
function stateOf(root: TestRoot, file: string, delta?: DayFileState['delta']): DayFileState {
  const bytes = readFileSync(join(root.path, file))
  const stat = root.fs.lstat(join(root.path, file))
  if (stat === undefined) throw new Error('not written')
  const state = {
    file,
    identity: identityOf(stat),
    digest: sha256Hex(bytes),
    document: parseDayFile(bytes),
    outcomes: [],
    drifted: false,
  }
  return delta === undefined ? state : { ...state, delta }
}

describe('catching up', () => {
  test('finds what a person added, changed and removed, and counts it', async () => {
    const root = await newRoot()
    root.write(DAY, [tea, cat])
    const index = await openIn(root)
    expect(index.isStale()).toBe(false)
    root.write(DAY, [bullet({ id: 'tea', sentence: 'Morgan prefers black tea.' }), dog])
    expect(index.isStale()).toBe(true)
    expect(await index.catchUp()).toMatchObject({ filesRead: 1, added: 1, changed: 1, removed: 1 })
    expect(index.isStale()).toBe(false)
    expect(find(index, 'black')).toEqual(['tea'])
    expect(find(index, 'green cat')).toEqual([])
    expect(await index.catchUp()).toMatchObject({ filesRead: 0, added: 0, changed: 0, removed: 0 })
  })

  test('a bullet that went to another file moved: neither removed nor added', async () => {
    const root = await newRoot()
    root.write(DAY, [tea, cat])
    const index = await openIn(root)
    root.write(DAY, [cat])
    root.write(NEXT_DAY, [tea])
    expect(await index.catchUp()).toMatchObject({ filesRead: 2, added: 0, changed: 1, removed: 0 })
    expect(index.get('tea')?.file).toBe(NEXT_DAY)
  })

  test('looks at the named files only', async () => {
    const root = await newRoot()
    const index = await openIn(root)
    root.write(DAY, [tea])
    root.write(NEXT_DAY, [cat])
    expect(await index.catchUp([NEXT_DAY])).toMatchObject({ filesRead: 1, added: 1 })
    expect(find(index, 'cat tea')).toEqual(['cat'])
    expect(await index.catchUp()).toMatchObject({ filesRead: 1, added: 1 })
  })

  test('a deleted day file takes its memories along', async () => {
    const root = await newRoot()
    root.write(DAY, [tea])
    root.write(NEXT_DAY, [cat])
    const index = await openIn(root)
    root.remove(DAY)
    expect(await index.catchUp()).toMatchObject({ filesRead: 1, removed: 1 })
    expect(index.stats()).toMatchObject({ memories: 1, dayFiles: 1 })
  })

  test('daily/ gone is a mismatch, and nothing is dropped', async () => {
    const root = await newRoot()
    root.write(DAY, [tea])
    const index = await openIn(root)
    renameSync(join(root.path, layout.daily), join(root.path, 'elsewhere'))
    await expect(index.catchUp()).rejects.toMatchObject({ code: 'canonical_mismatch' })
    expect(find(index, 'tea')).toEqual(['tea'])
    renameSync(join(root.path, 'elsewhere'), join(root.path, layout.daily))
    expect(await index.catchUp()).toMatchObject({ removed: 0 })
  })

  test('an edit that leaves size and times as they were is seen while they are fresh', async () => {
    const root = await newRoot()
    root.write(DAY, [tea])
    const before = root.fs.lstat(join(root.path, DAY))
    if (before === undefined) throw new Error('not written')
    // A file system whose clock stands still: every stamp is the first one.
    const frozen = { ...root.fs, lstat: (path: string) => still(root.fs.lstat(path)), open: openStill(root) }
    function still<T>(stat: T): T {
      return stat === undefined ? stat : { ...stat, mtimeNs: before?.mtimeNs, ctimeNs: before?.ctimeNs }
    }
    function openStill({ fs }: TestRoot): typeof fs.open {
      return (path, mode) => {
        const file = fs.open(path, mode)
        return {
          stat: () => still(file.stat()),
          read: (into, at) => file.read(into, at),
          write: (bytes, at) => file.write(bytes, at),
          truncate: (length) => file.truncate(length),
          sync: () => file.sync(),
          dataSync: () => file.dataSync(),
          close: () => file.close(),
        }
      }
    }
    const start = Number(before.mtimeNs / 1_000_000n)
    let now = start + 1_999
    const index = await openWritableIndex({
      root: root.path,
      fs: frozen,
      lease: root.lease,
      identity: LITE,
      now: () => now,
    })
    root.write(DAY, [bullet({ ...tea, sentence: 'Morgan prefers sweet tea.' })])
    expect(await index.catchUp()).toMatchObject({ filesRead: 1, changed: 1 })
    now = start + 2_001
    await index.catchUp() // read once more, and now its stamp is old enough to be believed
    root.write(DAY, [bullet({ ...tea, sentence: 'Morgan prefers icedd tea.' })])
    expect(await index.catchUp()).toMatchObject({ filesRead: 0 })
    index.close()
  })

  test('reports lines that are no memories, and copies, by place', async () => {
    const root = await newRoot()
    root.write(DAY, [tea])
    const index = await openIn(root)
    root.write(NEXT_DAY, [cat, tea])
    writeFileSync(
      join(root.path, NEXT_DAY),
      `${readFileSync(join(root.path, NEXT_DAY), 'utf8')}- – Without metadata.\n`,
    )
    expect(await index.catchUp()).toMatchObject({ missingIdentity: [`${NEXT_DAY}:7`], duplicateIds: [`${NEXT_DAY}:5`] })
  })

  test('the first copy by day counts; when it goes, the next one does', async () => {
    const root = await newRoot()
    root.write(NEXT_DAY, [bullet({ id: 'tea', sentence: 'A later copy.' })])
    const index = await openIn(root)
    expect(find(index, 'copy')).toEqual(['tea'])
    root.write('2026-05-01.md', [bullet({ id: 'tea', sentence: 'An earlier one.' })])
    await index.catchUp()
    expect([find(index, 'copy'), find(index, 'earlier'), index.get('tea')?.file]).toEqual([
      [],
      ['tea'],
      '2026-05-01.md',
    ])
    root.write('2026-05-01.md', [])
    await index.catchUp()
    expect([find(index, 'copy'), index.get('tea')?.file]).toEqual([['tea'], NEXT_DAY])
  })
})

describe('recording', () => {
  test('a delta on what was recorded touches only its own rows', async () => {
    const root = await newRoot()
    root.write(DAY, [tea, cat])
    const index = await openIn(root)
    const base = stateOf(root, DAY).digest
    root.write(DAY, [tea, cat, dog])
    const { document } = stateOf(root, DAY)
    // Were the whole file compared, the changed cat would be noticed.
    const state = stateOf(root, DAY, { base, added: [dog], changed: [], removed: [] })
    const quiet = {
      ...state,
      document: { ...document, bullets: [tea, bullet({ ...cat, sentence: 'Ana has a lion.' }), dog] },
    }
    index.record([quiet])
    expect(find(index, 'dog')).toEqual(['dog'])
    expect(find(index, 'lion')).toEqual([])
  })

  test.each([
    { name: 'of another base', delta: { base: 'x', added: [dog], changed: [], removed: [] } },
    { name: 'that removes', delta: { base: undefined, added: [dog], changed: [], removed: ['tea'] } },
    { name: 'that is none', delta: undefined },
  ])('a delta $name: the whole file is compared', async ({ delta }) => {
    const root = await newRoot()
    root.write(DAY, [tea, cat])
    const index = await openIn(root)
    const base = stateOf(root, DAY).digest
    root.write(DAY, [cat, dog])
    index.record([stateOf(root, DAY, delta === undefined ? undefined : { ...delta, base: delta.base ?? base })])
    expect(index.listFile(DAY).map(({ id }) => id)).toEqual(['cat', 'dog'])
    expect(index.isStale()).toBe(false)
    expect(await index.catchUp()).toMatchObject({ filesRead: 0 })
  })

  test('what does not fit the disk is found again by a catch-up', async () => {
    const root = await newRoot()
    root.write(DAY, [tea])
    const index = await openIn(root)
    const state = stateOf(root, DAY)
    root.write(DAY, [tea, cat])
    index.record([state])
    expect(await index.catchUp()).toMatchObject({ filesRead: 1, added: 1 })
  })
})

describe('reading', () => {
  test('rows come back with every field', async () => {
    const root = await newRoot()
    const full = bullet({
      id: 'full',
      sentence: 'Dinner with Zoë.',
      type: 'event',
      status: 'done',
      salience: 0.9,
      isInsight: true,
      occurredAt: '2026-04-30T18:00:00.000Z',
      dueAt: '2026-05-09',
      speaker: 'Zoë',
      conversationId: 'c/1',
    })
    root.write(DAY, [full, tea])
    const index = await openIn(root)
    expect(index.get('full')).toMatchObject({
      id: 'full',
      file: DAY,
      position: 0,
      text: 'Dinner with Zoë.',
      type: 'event',
      status: 'done',
      salience: 0.9,
      isInsight: true,
      createdAt: '2026-05-01T09:00:00.000Z',
      occurredAt: '2026-04-30T18:00:00.000Z',
      dueAt: '2026-05-09',
      speaker: 'Zoë',
      conversationId: 'c/1',
    })
    expect(index.top(10).map(({ id }) => id)).toEqual(['full', 'tea'])
    expect(index.findByContentHash(index.get('tea')?.contentHash ?? '')).toEqual([index.get('tea')])
    expect(index.get('none')).toBeUndefined()
    expect(index.stats()).toMatchObject({
      memories: 2,
      conversations: 1,
      dayFiles: 1,
      byType: { event: 1, note: 1 },
      byStatus: { done: 1, open: 1 },
    })
    expect(index.search({ query: 'dinner', limit: 1 })[0]).toMatchObject({
      source: { conversationId: 'c/1', speaker: 'Zoë', file: DAY },
    })
  })

  test('a reader sees each transaction whole while the writer goes on', async () => {
    const root = await newRoot()
    root.write(DAY, [tea])
    const index = await openIn(root)
    const reader = readerOf(root)
    for (let n = 0; n < 20; n++) {
      root.write(
        DAY,
        Array.from({ length: 5 * (n + 1) }, (_, at) =>
          bullet({ id: `m-${at}`, sentence: `Tea number ${at} of ${n}.` }),
        ),
      )
      await index.catchUp()
      const texts = reader.listFile(DAY).map(({ text }) => text)
      expect(texts).toHaveLength(5 * (n + 1))
      expect(new Set(texts.map((text) => text.split(' of ')[1]))).toEqual(new Set([`${n}.`]))
      expect(find(index, 'tea')).toEqual(reader.search({ query: 'tea', limit: 10 }).map(({ id }) => id))
    }
    expect(reader.isStale()).toBe(false)
    root.write(NEXT_DAY, [cat])
    expect(reader.isStale()).toBe(true)
    reader.close()
  })

  test('another process reads beside the writer and after it', async () => {
    const root = await newRoot()
    root.write(DAY, [tea])
    const index = await openIn(root)
    const script = `const db = new (require('better-sqlite3'))(process.argv[1], { readonly: true }); console.log(db.prepare('select count(*) from memories').pluck().get())`
    const read = () =>
      execFileSync(process.execPath, ['-e', script, databaseOf(root.path)], {
        encoding: 'utf8',
        cwd: import.meta.dirname,
      }).trim()
    expect(read()).toBe('1')
    root.write(DAY, [tea, cat])
    await index.catchUp()
    expect(read()).toBe('2')
    index.close()
    expect(read()).toBe('2')
  })

  test('a reader on a medium that cannot be written to', async () => {
    const root = await newRoot()
    root.write(DAY, [tea])
    ;(await root.open()).close()
    const directory = join(databaseOf(root.path), '..')
    chmodSync(directory, 0o500)
    const reader = readerOf(root)
    expect(reader.search({ query: 'tea', limit: 1 })).toHaveLength(1)
    expect(readdirSync(directory)).toEqual(['memory.db'])
    reader.close()
    chmodSync(directory, 0o700)
  })

  test('a reader follows a new generation by itself', async () => {
    const root = await newRoot()
    root.write(DAY, [tea])
    ;(await root.open()).close()
    const reader = readerOf(root)
    expect(reader.stats().generation).toBe('g1-0')
    root.write(DAY, [tea, cat])
    await buildIndex({ root: root.path, fs: root.fs, lease: root.lease, identity: LITE, now: Date.now })
    expect(reader.search({ query: 'cat', limit: 1 })).toHaveLength(1)
    expect(reader.stats().generation).toBe('g1-1')
    reader.close()
  })

  test('touching a file does not make an index stale, changing it does', async () => {
    const root = await newRoot()
    root.write(DAY, [tea])
    const index = await openIn(root)
    utimesSync(join(root.path, DAY), 1, 1)
    expect(index.isStale()).toBe(false)
    root.write(DAY, [cat])
    expect(index.isStale()).toBe(true)
  })
})

describe('faults', () => {
  test('after close every call says so; closing twice is fine', async () => {
    const root = await newRoot()
    root.write(DAY, [tea])
    const index = await root.open()
    const reader = readerOf(root)
    reader.close()
    index.close()
    reader.close()
    index.close()
    for (const call of [
      () => index.search({ query: 'tea', limit: 1 }),
      () => index.get('tea'),
      () => index.stats(),
      () => index.record([]),
      () => reader.search({ query: 'tea', limit: 1 }),
      () => reader.isStale(),
    ]) {
      expect(call).toThrow(expect.objectContaining({ code: 'index_closed' }))
    }
    await expect(index.catchUp()).rejects.toMatchObject({ code: 'index_closed' })
  })

  test('closed while a catch-up waits: nothing is written', async () => {
    const root = await newRoot()
    root.write(DAY, [tea])
    const index = await root.open()
    root.write(DAY, [cat])
    const before = dump(root.path)
    const caughtUp = index.catchUp()
    index.close()
    await expect(caughtUp).rejects.toMatchObject({ code: 'index_closed' })
    expect(dump(root.path)).toEqual(before)
  })

  test('another connection that holds the index is index_busy, and nothing is half done', async () => {
    const root = await newRoot()
    root.write(DAY, [tea])
    const index = await openIn(root)
    const other = new Database(databaseOf(root.path))
    other.exec('begin immediate')
    root.write(DAY, [cat])
    await expect(index.catchUp()).rejects.toMatchObject({ code: 'index_busy' })
    expect(find(index, 'tea')).toEqual(['tea'])
    other.exec('rollback')
    other.close()
    expect(await index.catchUp()).toMatchObject({ added: 1, removed: 1 })
  })

  test('with a reader there, closing leaves the log to the last one', async () => {
    const root = await newRoot()
    root.write(DAY, [tea])
    const index = await root.open()
    const reader = readerOf(root)
    expect(reader.get('tea')).toBeDefined()
    index.close()
    expect(reader.get('tea')).toBeDefined()
    reader.close()
    ;(await root.open()).close()
    expect(readdirSync(join(databaseOf(root.path), '..'))).toEqual(['memory.db'])
  })
})
