import { describe, expect, test } from 'vitest'
import { about, entity } from '../support/authority.js'
import { day, idsOf, told } from '../support/told.js'

describe('entities', () => {
  const ANA = entity('person:ana-lopez', 'Ana López', { summary: 'Drinks tea.' })
  const GRAPH = [
    ANA,
    entity('person:ana-lopez-2', 'ANA LOPEZ'),
    entity('person:ana', 'Ana'),
    entity('person:bob', 'Bob'),
    entity('org:tanaka', '田中'),
    entity('org:marks', '…'),
  ]

  test.each([
    { name: 'a whole name', text: 'What does Bob drink?', found: ['person:bob'] },
    { name: 'all of one name', text: 'Is ana lopez there?', found: ['person:ana-lopez', 'person:ana-lopez-2'] },
    { name: 'the id', text: 'Is person:ana-lopez there?', found: ['person:ana-lopez'] },
    { name: 'the id at the end of a sentence', text: 'Ask person:ana-lopez.', found: ['person:ana-lopez'] },
    { name: 'an id that is the beginning of another one', text: 'Ask person:ana-lopez-2', found: ['person:ana-lopez-2'] }, // prettier-ignore
    { name: 'an id in other letters', text: 'PERSON:BOBBY', found: [] },
    { name: 'words of an unknown id as words', text: 'person:bob-x', found: ['person:bob'] },
    { name: 'the order of the text', text: 'Bob, person:ana and 田中さん', found: ['person:bob', 'person:ana', 'org:tanaka'] }, // prettier-ignore
    { name: 'one that is named twice once', text: 'Bob, person:bob', found: ['person:bob'] },
    { name: 'no name across an id', text: 'Ana person:bob López', found: ['person:ana', 'person:bob'] },
    { name: 'nothing', text: 'What is there to drink? …', found: [] },
    { name: 'of an empty text nothing', text: '', found: [] },
    { name: 'of quotes and NUL nothing', text: `'"\0); drop table entities; --`, found: [] },
  ])('named: $name', async ({ text, found }) => {
    expect(idsOf((await told({ graph: GRAPH })).entitiesNamed(text, 10))).toEqual(found)
  })

  test('named, at most as many as asked', async () => {
    const index = await told({ graph: GRAPH })
    expect(idsOf(index.entitiesNamed('Bob and Ana Lopez', 2))).toEqual(['person:bob', 'person:ana-lopez'])
    for (const limit of [0, -1, 1.5, Number.NaN]) expect(() => index.entitiesNamed('Bob', limit)).toThrow(RangeError)
  })

  test('by id, folded', async () => {
    const index = await told({
      graph: [ANA, { ...ANA, name: 'Ana B.', summary: undefined, createdAt: day(9) } as never],
    })
    expect(index.entity('person:ana-lopez')).toEqual({
      id: 'person:ana-lopez',
      name: 'Ana B.',
      type: 'person',
      createdAt: ANA.createdAt,
    })
    expect(index.entity('person:nobody')).toBeUndefined()
    expect(idsOf(index.entitiesNamed('Ana B', 5))).toEqual(['person:ana-lopez'])
    expect(index.entitiesNamed('Ana López', 5)).toEqual([])
  })

  test('of memories', async () => {
    const index = await told({
      memories: [{ id: 'a' }, { id: 'b' }, { id: 'c' }],
      graph: [
        about('a', 'person:bob'),
        about('a', 'person:ana'),
        about('a', 'person:ana', 'document'),
        about('b', 'org:x'),
      ],
    })
    expect(index.entitiesOf(['c', 'b', 'a', 'z'])).toEqual(
      new Map([
        ['b', ['org:x']],
        ['a', ['person:ana', 'person:bob']],
      ]),
    )
    expect(index.entitiesOf([])).toEqual(new Map())
  })
})
