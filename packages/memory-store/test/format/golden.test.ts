import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { auditIds, extendAuditFile } from '../../src/format/audit-file.js'
import {
  foldGraph,
  formatBullet,
  formatDayFile,
  formatGraphLine,
  formatLineLog,
  formatReplayEntry,
  formatReplaySnapshot,
  observationBullets,
  parseAuditLine,
  parseDayFile,
  parseGraphLog,
  parseReplayLog,
  parseReplaySnapshot,
  ReplayState,
  type AuditLine,
  type Observation,
  type ReplayEntry,
} from '../../src/index.js'

// Files of this format exist in people's homes: what is pinned here may be added to, and never changed.
const golden = (name: string): Buffer => readFileSync(fileURLToPath(new URL(`../golden/${name}`, import.meta.url)))
const goldenJson = (name: string): unknown => JSON.parse(golden(name).toString('utf8'))

describe('day files', () => {
  test.each([
    { name: 'two-line', rewritten: 'two-line' },
    { name: 'older-one-line', rewritten: 'older-one-line.rewritten' },
    { name: 'edited-by-hand', rewritten: 'edited-by-hand.rewritten' },
  ])('$name reads as pinned and is rewritten as pinned', ({ name, rewritten }) => {
    const document = parseDayFile(golden(`day-files/${name}.md`))
    const { problems, unstructuredLines } = document
    // `metadata` and `labelLines` are the raw lines, which the rewritten file pins.
    const bullets = document.bullets.map(({ metadata: _metadata, labelLines: _labelLines, ...fields }) => fields)
    expect({ bullets, problems, unstructuredLines }).toEqual(goldenJson(`day-files/${name}.json`))
    expect(Buffer.from(formatDayFile(document)).toString()).toBe(golden(`day-files/${rewritten}.md`).toString())
  })
})

test('observations become the pinned lines', () => {
  const cases = goldenJson('observations.json') as { observation: Observation; repeat?: number; lines: string[] }[]
  for (const { observation, repeat = 1, lines } of cases) {
    const bullets = observationBullets({ ...observation, text: observation.text.repeat(repeat) })
    expect(bullets.flatMap(formatBullet)).toEqual(lines)
  }
  expect(cases).toHaveLength(4)
})

test('a graph log is read, folded and written as pinned', () => {
  const { lines, damage } = parseGraphLog(golden('graph/graph.jsonl'))
  const graph = foldGraph(lines)
  const folded = {
    entities: [...graph.entities.values()],
    relations: graph.relations(),
    associations: graph.associations(),
  }
  expect({ lines, folded }).toEqual(goldenJson('graph/graph.json'))
  expect(damage).toEqual([])
  expect(Buffer.from(formatLineLog(lines.map(formatGraphLine)))).toEqual(golden('graph/graph.jsonl'))
})

test('a replay authority is read and written as pinned', () => {
  const snapshot = parseReplaySnapshot(golden('replay/snapshot.json'))
  if (snapshot.kind === 'invalid') throw new Error('The snapshot is not read.')
  const delta = parseReplayLog(golden('replay/delta.jsonl'))
  expect({ snapshot: snapshot.entries, delta: delta.lines }).toEqual(goldenJson('replay/entries.json'))
  const state = new ReplayState()
  for (const entry of [...snapshot.entries].reverse()) expect(state.add(entry)).toBeUndefined()
  expect(Buffer.from(formatReplaySnapshot(state))).toEqual(golden('replay/snapshot.json'))
  const { delta: entries } = goldenJson('replay/entries.json') as { delta: ReplayEntry[] }
  expect(Buffer.from(formatLineLog(entries.map(formatReplayEntry)))).toEqual(golden('replay/delta.jsonl'))
})

test('an audit file is read and written as pinned', () => {
  const file = golden('audit/2026-05-01.md')
  const lines = goldenJson('audit/2026-05-01.json') as AuditLine[]
  const found = Buffer.from('# 2026-05-01\n\nA remark of a person')
  expect(Buffer.from(extendAuditFile(found, '2026-05-01', lines).bytes)).toEqual(file)
  const read = file
    .toString()
    .split('\n')
    .flatMap((line) => parseAuditLine(line) ?? [])
  expect(read.map(({ id }) => id)).toEqual(auditIds(file))
  expect(read).toEqual(lines.map(({ turnId, day: _day, ...fields }) => ({ id: `a-${turnId.slice(0, 32)}`, ...fields })))
})
