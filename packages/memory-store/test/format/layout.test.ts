import { describe, expect, test } from 'vitest'
import {
  dayOfFile,
  formatTemporaryName,
  GITIGNORE,
  isCanonicalPath,
  isLayoutDirectory,
  isLayoutPath,
  layout,
  parseTemporaryName,
} from '../../src/index.js'

const ID = 'ab'.repeat(32)
const FILES = [
  layout.dayFile('2026-05-01'),
  layout.olderDayFile('2026-05-01'),
  layout.auditFile('2026-05-01'),
  layout.graph,
  layout.replaySnapshot,
  layout.replayDelta,
  layout.indexPage,
  layout.futureLog,
  layout.catalog,
  layout.logSegment(0),
  layout.logSegment(12),
  layout.ledgerShard('0f'),
  layout.intakeItem('pending', ID),
  layout.intakeItem('dead', ID),
  layout.intakeItem('resolved', ID),
  layout.plan(ID),
  layout.manifest,
  layout.runtime,
  layout.database('g-1'),
  layout.sidecar('g-1'),
  layout.schemaMarker,
  layout.writerLease,
  layout.writerEpoch,
  layout.gitignore,
]
const DIRECTORIES = [
  layout.daily,
  layout.audit,
  layout.intake,
  layout.log,
  layout.ledger,
  layout.intakeState('pending'),
  layout.outbox,
  layout.index,
  layout.generations,
  layout.generation('g-1'),
  layout.maintenance,
]

describe('what belongs to a root', () => {
  test.each(FILES)('the file %s and its temporary', (path) => {
    const at = path.lastIndexOf('/') + 1
    const temporary = path.slice(0, at) + formatTemporaryName({ target: path.slice(at), epoch: 3, number: 12 })
    expect(isLayoutPath(path)).toBe(true)
    expect(isLayoutPath(temporary)).toBe(true)
    expect(isLayoutDirectory(path)).toBe(false)
  })
  test.each(DIRECTORIES)('the directory %s', (path) => {
    expect(isLayoutPath(path)).toBe(true)
    expect(isLayoutDirectory(path)).toBe(true)
  })
  test.each(['memory.db-wal', 'memory.db-shm', 'memory.db-journal'])(
    'what SQLite puts beside its database: %s',
    (name) => {
      expect(isLayoutPath(`${layout.generation('g-1')}/${name}`)).toBe(true)
    },
  )
  test.each([
    '',
    'notes.txt',
    'daily/notes.md',
    'daily/2026-02-30.md',
    'daily/2026-05-01.md~',
    'daily/2026-05-01.md/x',
    './daily',
    '/daily',
    'daily/',
    'audit/2026-02-30.md',
    '.writer-lease-journal',
    '.capture-intake/log/01',
    '.capture-intake/ledger/zz',
    '.capture-intake/pending/x.json',
    `.capture-intake/done/${ID}.json`,
    '.index/memory.db',
    '.index/generations/../memory.db',
    '.index/generations/g-1/other.db',
    '.index/memory.sidecar',
    '.index/generations/g-1/memory.sidecar-wal',
    'daily/.notes.md.tmp-1-1',
    '.2026-05-01.md.tmp-1',
    'daily/.2026-05-01.md.tmp-01-1',
    'daily/.2026-05-01.md.tmp-1-1.tmp-1-1',
  ])('not "%s"', (path) => {
    expect(isLayoutPath(path)).toBe(false)
  })
})

test.each([
  { path: 'daily/2026-05-01.md', day: '2026-05-01' },
  { path: '2026-05-01.md', day: '2026-05-01' },
  { path: 'audit/2026-05-01.md', day: undefined },
  { path: 'daily/2026-02-29.md', day: undefined },
  { path: 'daily/x/2026-05-01.md', day: undefined },
  { path: 'daily/2026-05-01.txt', day: undefined },
])('the day of $path is $day', ({ path, day }) => {
  expect(dayOfFile(path)).toBe(day)
})

test('only day files, graph and replay authority are canonical', () => {
  const canonical = [
    layout.dayFile('2026-05-01'),
    layout.olderDayFile('2026-05-01'),
    layout.graph,
    layout.replaySnapshot,
    layout.replayDelta,
  ]
  expect(FILES.filter(isCanonicalPath)).toEqual(canonical)
})

test('.gitignore takes canonical files and nothing that would rewind intake', () => {
  expect(GITIGNORE).toMatch(/^\/\*\n/)
  expect(GITIGNORE.endsWith('\n')).toBe(true)
  expect(GITIGNORE.split('\n').filter((line) => line.startsWith('!'))).toEqual([
    '!/.gitignore',
    '!/daily/',
    '!/graph.jsonl',
    '!/.replay-projection-v1.*',
    '!/????-??-??.md',
  ])
})

test.each([
  { name: 'a day', make: () => layout.dayFile('2026-02-30') },
  { name: 'an older day', make: () => layout.olderDayFile('x') },
  { name: 'an audit day', make: () => layout.auditFile('../x') },
  { name: 'a segment', make: () => layout.logSegment(-1) },
  { name: 'a shard', make: () => layout.ledgerShard('0F') },
  { name: 'an item', make: () => layout.intakeItem('dead', '../x') },
  { name: 'a plan', make: () => layout.plan(ID.slice(1)) },
  { name: 'a generation', make: () => layout.generation('..') },
  { name: 'a database', make: () => layout.database('a/b') },
  { name: 'a sidecar', make: () => layout.sidecar('a/b') },
])('refuses what is no name of $name', ({ make }) => {
  expect(make).toThrow(RangeError)
})

describe('temporary names', () => {
  test.each([
    { target: '2026-05-01.md', epoch: 1, number: 0 },
    { target: '.memory-schema', epoch: 12, number: 345 },
    { target: 'a.tmp-1-2', epoch: Number.MAX_SAFE_INTEGER, number: 1 },
  ])('carry target, epoch and number: $target', (name) => {
    expect(parseTemporaryName(formatTemporaryName(name))).toEqual(name)
  })
  test.each([
    'x.tmp-1-1',
    '.x.tmp-1',
    '.x.tmp--1-1',
    '.x.tmp-1-1x',
    '.tmp-1-1',
    '.x.tmp-01-1',
    '.x.tmp-9999999999999999-1',
  ])('are not %s', (name) => {
    expect(parseTemporaryName(name)).toBeUndefined()
  })
  test.each([
    { target: '', epoch: 1, number: 1 },
    { target: 'a/b', epoch: 1, number: 1 },
    { target: 'a', epoch: -1, number: 1 },
    { target: 'a', epoch: 1, number: 0.5 },
  ])('refuse $target $epoch $number', (name) => {
    expect(() => formatTemporaryName(name)).toThrow(RangeError)
  })
})
