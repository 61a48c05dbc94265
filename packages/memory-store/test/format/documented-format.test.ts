import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { METADATA_KEYS } from '../../src/format/metadata.js'
import { auditIds } from '../../src/format/audit-file.js'
import {
  foldGraph,
  formatDayFile,
  formatReplaySnapshot,
  parseAuditLine,
  parseDayFile,
  parseGraphLog,
  parseReplayLog,
  parseReplaySnapshot,
  ReplayState,
} from '../../src/index.js'

const page = readFileSync(fileURLToPath(new URL('../../../../docs/format.md', import.meta.url)), 'utf8')
const examplesIn = (language: string): string[] =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map((match) => match[1] as string)
const examples = examplesIn('markdown')

test('every example of docs/format.md is read without a problem, with all its labels', () => {
  expect(examples).toHaveLength(3)
  for (const example of examples) {
    const { bullets, problems } = parseDayFile(Buffer.from(example))
    expect(problems).toEqual([])
    expect(bullets.length).toBe(example.split('<!--mem').length - 1)
    expect(bullets.flatMap(({ labels }) => labels)).toHaveLength(example.split('<!--label').length - 1)
  }
})

test('the examples in the two-line form come out byte for byte', () => {
  const [day, labels] = examples as [string, string]
  for (const example of [day, labels])
    expect(Buffer.from(formatDayFile(parseDayFile(Buffer.from(example)))).toString()).toBe(example)
})

test('every key is documented, once', () => {
  const keys: readonly string[] = METADATA_KEYS
  const documented = [...page.matchAll(/^\| `(\w+)` \|/gm)].map((match) => match[1] as string)
  expect(documented.filter((key) => keys.includes(key)).sort()).toEqual([...keys].sort())
})

test('the example of a graph log is read, every line of it, and every kind is there', () => {
  const { lines, damage } = parseGraphLog(Buffer.from(examplesIn('jsonl')[0] as string))
  expect(damage).toEqual([])
  expect(lines.map(({ kind }) => kind)).toEqual(['entity', 'relation', 'association'])
  expect(foldGraph(lines).relations()).toHaveLength(1)
})

test('the examples of the replay authority are read, and every kind is there', () => {
  const bytes = Buffer.from((examplesIn('json')[0] as string).trimEnd())
  const snapshot = parseReplaySnapshot(bytes)
  if (snapshot.kind === 'invalid') throw new Error(`The snapshot is not read from byte ${snapshot.offset} on.`)
  const delta = parseReplayLog(Buffer.from(examplesIn('jsonl')[1] as string))
  expect(delta.damage).toEqual([])
  const state = new ReplayState()
  for (const entry of snapshot.entries) expect(state.add(entry)).toBeUndefined()
  expect(Buffer.from(formatReplaySnapshot(state))).toEqual(bytes)
  for (const entry of delta.lines) expect(state.add(entry)).toBeUndefined()
  expect([...state.entries()].map(({ kind }) => kind)).toEqual(['thread', 'supersede', 'terminal'])
})

test('the example of an audit file is read', () => {
  const [example = ''] = examplesIn('markdown audit')
  expect(auditIds(Buffer.from(example))).toEqual(['a-5f3c9a0b1c2d3e4f5061728394a5b6c7'])
  expect(parseAuditLine(example.split('\n')[2] as string)).toMatchObject({ conversationId: 'web:b1f2' })
})
