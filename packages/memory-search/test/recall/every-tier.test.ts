import { describe, expect, test } from 'vitest'
import { openIndexReader, type IndexReader, type SearchIndex } from '../../src/index.js'
import { about, BUJO, entity, relation } from '../support/authority.js'
import { bullet, LITE } from '../support/roots.js'
import { DAY, newRoot } from '../support/scenario.js'
import { at, bujoRoot, fact, idsOf, preference } from '../support/told.js'
import { build, JOURNAL } from '../support/vectors.js'

describe('every tier', () => {
  /** Lite and journal have no graph. */
  const answersOf = (index: IndexReader) => [
    index.entitiesNamed('Ana and person:ana', 5),
    index.entity('person:ana'),
    index.related(['person:ana'], { limit: 5 }),
    index.related(['person:ana'], { limit: 5, asOf: at(9) }),
    index.memoriesOf('person:ana', { limit: 5 }),
    index.memoriesOf('person:ana', { limit: 5, asOf: at(9) }),
    [...index.entitiesOf(['m'])],
  ]

  test.each([
    { name: 'lite', identity: LITE },
    { name: 'journal', identity: JOURNAL },
  ])('$name answers with nothing, and with its chronology', async ({ identity }) => {
    const root = await newRoot()
    root.write(DAY, [
      bullet({ id: 'm', sentence: 'Ana drinks tea.', labels: [fact('person:ana'), preference('agent')] }),
    ])
    if (identity !== LITE) await build(root)
    const index = await root.open(identity)
    index.countAccess(['m'])
    const reader = openIndexReader({ root: root.path, fs: root.fs, identity, now: () => at(20) })
    for (const one of [index, reader]) {
      expect(answersOf(one)).toEqual([[], undefined, [], [], [], [], []])
      expect(one.chronology({ from: at(1), before: at(2) }, 5)).toHaveLength(1)
      // What a person wrote in the Markdown is there all the same.
      expect(idsOf(one.factsAbout(['person:ana'], { limit: 5 }))).toEqual(['m'])
      expect(idsOf(one.labelled({ kind: 'preference', scopes: ['agent'] }, 5))).toEqual(['m'])
    }
    reader.close()
    index.close()
  })

  test('a writer answers as a reader does', async () => {
    const given = { memories: [{ id: 'm', labels: [fact('person:ana')] }], graph: [entity('person:ana', 'Ana'), about('m', 'person:ana'), relation('person:ana', 'org:x', ['m'])] } // prettier-ignore
    const root = await bujoRoot(given)
    const writer: SearchIndex = await root.open(BUJO)
    const reader = openIndexReader({ root: root.path, fs: root.fs, identity: BUJO, now: () => at(20) })
    expect(answersOf(writer)).toEqual(answersOf(reader))
    expect(answersOf(writer).flat()).toHaveLength(7)
    reader.close()
    writer.close()
    expect(() => writer.chronology({ from: 0, before: 1 }, 1)).toThrow(
      expect.objectContaining({ code: 'index_closed' }),
    )
    expect(() => writer.countAccess(['m'])).toThrow(expect.objectContaining({ code: 'index_closed' }))
  })
})
