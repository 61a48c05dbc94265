import { layout } from '@mono-agent/memory-store'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { about, append, deltaBytes, entity, graphBytes, put, relation, supersede } from '../support/authority.js'
import { dump, manifestOf } from '../support/dump.js'
import { BULLETS, codeOf, inDatabase } from '../support/kept-indexes.js'
import { answersOf, optionsOf, rebuildAs, rollBackTo, type ConfigurationName } from '../support/rollbacks.js'
import type { TestRoot } from '../support/roots.js'
import { DAY, newRoot } from '../support/scenario.js'
import { openWritableIndex } from '../../src/index.js'

const GRAPH = [entity('person:ana', 'Ana'), entity('org:tea'), relation('person:ana', 'org:tea', ['m-0']), about('m-1', 'person:ana')] // prettier-ignore
const QUERIES = ['What does Ana drink?', 'tea']

/** Built for one configuration after the other. */
async function built(...names: readonly ConfigurationName[]): Promise<TestRoot> {
  const root = await newRoot()
  root.write(DAY, BULLETS)
  put(root, layout.graph, graphBytes(GRAPH))
  put(root, layout.replayDelta, deltaBytes([supersede('m-0', 'm-1')]))
  for (const name of names) await rebuildAs(root, name)
  return root
}

const moreGraph = (root: TestRoot): void => put(root, layout.graph, graphBytes([...GRAPH, entity('person:bob')]))

test.each(['lite', 'journal', 'wide', 'bujo'] as const)(
  'goes from %s back to bujo, to the last row, and on again',
  async (name) => {
    const root = await built('bujo')
    const [rows, answers] = [dump(root.path), answersOf(root, 'bujo', QUERIES)]
    const { previous } = await rebuildAs(root, name)
    expect(previous).toMatchObject({ identity: { tier: 'bujo' }, isOffered: true })
    const before = answersOf(root, name, QUERIES)
    await rollBackTo(root, 'bujo')
    expect([dump(root.path), answersOf(root, 'bujo', QUERIES)]).toEqual([rows, answers])
    await rollBackTo(root, name)
    expect(answersOf(root, name, QUERIES)).toEqual(before)
  },
)

describe('a change of the graph alone', () => {
  test.each([
    { kept: 'bujo', present: 'journal', code: 'source_changed' },
    { kept: 'bujo', present: 'bujo', code: 'source_changed' },
    { kept: 'journal', present: 'bujo', code: undefined },
    { kept: 'lite', present: 'journal', code: undefined },
  ] as const)('$kept kept beside $present: rollback says $code', async ({ kept, present, code }) => {
    const root = await built(kept, present)
    moreGraph(root)
    expect(await codeOf(() => rollBackTo(root, kept))).toBe(code)
  })

  test.each([
    { kept: 'bujo', isOffered: false },
    { kept: 'journal', isOffered: true },
  ] as const)('ends the offer of $kept once it is caught up with: offered $isOffered', async ({ kept, isOffered }) => {
    const root = await built(kept, 'bujo')
    moreGraph(root)
    const index = await openWritableIndex(optionsOf(root, 'bujo'))
    await index.catchUp()
    index.close()
    expect(manifestOf(root.path).previous?.isOffered).toBe(isOffered)
  })

  test.each([
    { kept: 'bujo', written: 'authority', isOffered: false },
    { kept: 'journal', written: 'authority', isOffered: true },
    { kept: 'journal', written: 'days', isOffered: false },
  ] as const)(
    'announced by a writer ($written) leaves $kept offered: $isOffered',
    async ({ kept, written, isOffered }) => {
      const root = await built(kept, 'bujo')
      const index = await openWritableIndex(optionsOf(root, 'bujo'))
      await index.catchUp()
      await index.retirePrevious(written)
      if (written === 'authority') index.record([], append(root, [entity('person:bob')]))
      index.close()
      expect(manifestOf(root.path).previous?.isOffered).toBe(isOffered)
    },
  )
})

test.each([
  { name: 'an edge of its own', sql: `insert into supersessions values ('m-2', 'm-3', 'x', 'capture', 'x')` },
  { name: 'a graph of another day', sql: `update authority_files set digest = '${'0'.repeat(64)}'` },
  { name: 'a lost association', sql: 'delete from associations' },
])('an outgoing bujo index with $name is kept and never offered', async ({ sql }) => {
  const root = await built('bujo')
  inDatabase(root, sql)
  expect((await rebuildAs(root, 'journal')).previous).toMatchObject({ isOffered: false })
})

test('an outgoing bujo index whose graph cannot be read any more is kept and never offered', async () => {
  const root = await built('bujo')
  put(root, layout.graph, 'torn')
  expect((await rebuildAs(root, 'journal')).previous).toMatchObject({ isOffered: false })
  expect(await codeOf(() => rebuildAs(root, 'bujo'))).toBe('canonical_invalid')
  rmSync(join(root.path, layout.graph))
  await rebuildAs(root, 'bujo')
})
