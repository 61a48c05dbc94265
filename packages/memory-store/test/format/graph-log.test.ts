import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { foldGraph, formatGraphLine, formatLineLog, parseGraphLine, parseGraphLog } from '../../src/index.js'
import type { GraphAssociation, GraphEntity, GraphLine, GraphRelation } from '../../src/index.js'
import { canonicalJson } from '../../src/format/canonical-json.js'
import { graphLines } from './graph-arbitraries.js'

const AT = '2026-05-01T09:00:00.000Z'
const entity: GraphEntity = { kind: 'entity', id: 'person:ana', name: 'Ana', type: 'person', createdAt: AT }
const relation: GraphRelation = {
  ...{ kind: 'relation', src: 'person:ana', dst: 'place:lisboa', relation: 'lives in', createdAt: AT },
  support: ['r-1-1'],
}
const association: GraphAssociation = {
  ...{ kind: 'association', memoryId: 'r-1-1', entityId: 'person:ana', provenance: 'user-stated', createdAt: AT },
}
const ids = (count: number): string[] => Array.from({ length: count }, (_, n) => `r-${String(n).padStart(3, '0')}`)

test.each([
  { name: 'an entity', line: entity },
  { name: 'an entity in another script', line: { ...entity, id: 'person:ज़ोया', name: 'ज़ोया', summary: '猫が好き。' } },
  { name: 'a name of 160 code points', line: { ...entity, name: '🐈'.repeat(160) } },
  { name: 'a summary of 512 bytes', line: { ...entity, summary: 'é'.repeat(256) } },
  { name: 'a type of 32 characters', line: { ...entity, type: 't'.repeat(32) } },
  { name: 'a relation', line: relation },
  { name: 'a relation of 64 code points', line: { ...relation, relation: '𐐨'.repeat(64) } },
  { name: 'a relation with a joiner', line: { ...relation, relation: 'هم\u200cخانه' } },
  { name: 'a relation with a mark, a digit, _ and -', line: { ...relation, relation: 'नमस्ते 2_x-y' } },
  { name: 'support of 64', line: { ...relation, support: ids(64) } },
  { name: 'validity by days', line: { ...relation, validFrom: '2024-02-29', validTo: '2025-01-01' } },
  { name: 'validity by an instant', line: { ...relation, validFrom: AT } },
  { name: 'a relation of a thing to itself', line: { ...relation, dst: 'person:ana' } },
  { name: 'an association', line: association },
] as { name: string; line: GraphLine }[])('$name is read back as it was written', ({ line }) => {
  expect(parseGraphLine(formatGraphLine(line))).toEqual(line)
})

describe.each([
  { name: 'another kind', line: { ...entity, kind: 'thing' } },
  { name: 'an unknown field', line: { ...entity, colour: 'red' } },
  { name: 'a missing field', line: { kind: 'entity', id: 'person:ana', name: 'Ana', createdAt: AT } },
  { name: 'an id without a slug', line: { ...entity, id: 'person:' } },
  { name: 'an id without a type', line: { ...entity, id: 'ana' } },
  { name: 'an id with white space', line: { ...entity, id: 'person:ana maria' } },
  { name: 'an empty name', line: { ...entity, name: '' } },
  { name: 'a name of 161 code points', line: { ...entity, name: '🐈'.repeat(161) } },
  { name: 'a name with white space around it', line: { ...entity, name: ' Ana' } },
  { name: 'a name of two lines', line: { ...entity, name: 'Ana\nMaria' } },
  { name: 'a name with a bidi control', line: { ...entity, name: 'Ana\u202e' } },
  { name: 'a name with a lone surrogate', line: { ...entity, name: 'Ana\ud800' } },
  { name: 'a name that closes comments', line: { ...entity, name: 'Ana -->' } },
  { name: 'a summary of 513 bytes', line: { ...entity, summary: 'é'.repeat(256) + 'e' } },
  { name: 'a type of 33 characters', line: { ...entity, type: 't'.repeat(33) } },
  { name: 'a type in capitals', line: { ...entity, type: 'Person' } },
  { name: 'no instant', line: { ...entity, createdAt: '2026-05-01' } },
  { name: 'a relation in capitals', line: { ...relation, relation: 'Lives in' } },
  { name: 'a relation of 65 code points', line: { ...relation, relation: '𐐨'.repeat(65) } },
  { name: 'an empty relation', line: { ...relation, relation: '' } },
  { name: 'a relation with two spaces', line: { ...relation, relation: 'lives  in' } },
  { name: 'a relation with punctuation', line: { ...relation, relation: 'lives, in' } },
  { name: 'a relation that ends with a space', line: { ...relation, relation: 'lives ' } },
  { name: 'no support', line: { ...relation, support: [] } },
  { name: 'support of 65', line: { ...relation, support: ids(65) } },
  { name: 'support that is no id', line: { ...relation, support: ['r 1'] } },
  { name: 'an id of 201 characters', line: { ...association, memoryId: 'r'.repeat(201) } },
  { name: 'validity that is no day', line: { ...relation, validTo: '2025-02-29' } },
  { name: 'an attribution there is none of', line: { ...association, provenance: 'rumour' } },
] as { name: string; line: object }[])('$name', ({ line }) => {
  test('is neither written nor read', () => {
    expect(() => formatGraphLine(line as GraphLine)).toThrow(RangeError)
    expect(parseGraphLine(canonicalJson(line))).toBeUndefined()
  })
})

test.each([
  { name: 'unsorted keys', text: JSON.stringify(entity) },
  { name: 'a space', text: formatGraphLine(entity).replace(',', ', ') },
  { name: 'a space at the end', text: `${formatGraphLine(entity)} ` },
  { name: 'a carriage return', text: `${formatGraphLine(entity)}\r` },
  { name: 'a key twice', text: formatGraphLine(entity).replace('{', '{"createdAt":"2026-05-01T09:00:00.000Z",') },
  { name: 'an escape that is not needed', text: formatGraphLine(entity).replace('Ana', '\\u0041na') },
  { name: 'an instant with an offset', text: formatGraphLine(entity).replace(AT, '2026-05-01T11:00:00.000+02:00') },
  {
    name: 'support that is not sorted',
    text: formatGraphLine({ ...relation, support: ['a', 'b'] }).replace('"a","b"', '"b","a"'),
  },
  {
    name: 'support with an id twice',
    text: formatGraphLine({ ...relation, support: ['a', 'b'] }).replace('"b"', '"a"'),
  },
  { name: 'nothing', text: '' },
  { name: 'null', text: 'null' },
  { name: 'a list', text: '[]' },
])('another spelling is not read: $name', ({ text }) => {
  expect(parseGraphLine(text)).toBeUndefined()
})

test('what has several spellings is written in one', () => {
  const written = formatGraphLine({
    ...relation,
    createdAt: '2026-05-01T11:00:00+02:00',
    validFrom: '2026-05-01T11:00:00+02:00',
    support: ['b', 'a', 'b'],
  })
  expect(parseGraphLine(written)).toEqual({ ...relation, support: ['a', 'b'], validFrom: AT })
})

describe('a log', () => {
  const [first, second] = [formatGraphLine(entity), formatGraphLine(association)]
  const size = Buffer.byteLength(first) + 1

  test.each([
    { name: 'whole', text: `${first}\n${second}\n`, lines: 2, damage: [] },
    { name: 'empty', text: '', lines: 0, damage: [] },
    {
      name: 'torn in a line',
      text: `${first}\n${second.slice(0, 9)}`,
      lines: 1,
      damage: [{ offset: size, line: 2, kind: 'torn' }],
    },
    {
      name: 'without its last line feed',
      text: `${first}\n${second}`,
      lines: 1,
      damage: [{ offset: size, line: 2, kind: 'torn' }],
    },
    {
      name: 'with a blank line',
      text: `${first}\n\n${second}\n`,
      lines: 2,
      damage: [{ offset: size, line: 2, kind: 'invalid' }],
    },
    {
      name: 'with zeroes in the middle of a torn tail',
      text: `${first}\n${second.slice(0, 5)}\0\0\0${second.slice(8)}\nx`,
      lines: 1,
      damage: [
        { offset: size, line: 2, kind: 'invalid' },
        { offset: size + Buffer.byteLength(second) + 1, line: 3, kind: 'torn' },
      ],
    },
    {
      name: 'with a byte order mark',
      text: `\uFEFF${first}\n${second}\n`,
      lines: 1,
      damage: [{ offset: 0, line: 1, kind: 'invalid' }],
    },
  ])('$name', ({ text, lines, damage }) => {
    const parsed = parseGraphLog(Buffer.from(text))
    expect(parsed.lines).toHaveLength(lines)
    expect(parsed.damage).toEqual(damage)
  })

  test('bytes that are not UTF-8 are damage, and what follows is read', () => {
    const parsed = parseGraphLog(Buffer.concat([Buffer.from([0xff, 0x0a]), Buffer.from(`${first}\n`)]))
    expect(parsed).toEqual({ lines: [entity], damage: [{ offset: 0, line: 1, kind: 'invalid' }] })
  })

  test('what is written is read back, and cut anywhere all whole lines before the cut are', () =>
    fc.assert(
      fc.property(fc.array(graphLines, { maxLength: 6 }), fc.nat(), (lines, place) => {
        const bytes = formatLineLog(lines.map(formatGraphLine))
        expect(parseGraphLog(bytes)).toEqual({ lines, damage: [] })
        const cut = bytes.subarray(0, place % (bytes.length + 1))
        const whole = Buffer.from(cut).toString('latin1').split('\n').length - 1
        const parsed = parseGraphLog(cut)
        expect(parsed.lines).toEqual(lines.slice(0, whole))
        const end = cut.lastIndexOf(0x0a) + 1
        expect(parsed.damage).toEqual(end === cut.length ? [] : [{ offset: end, line: whole + 1, kind: 'torn' }])
      }),
    ))
})

describe('the fold', () => {
  test('the newest line of an entity gives name, type and summary, the oldest its instant', () => {
    const later = { ...entity, name: 'Ana Maria', type: 'contact', createdAt: '2027-01-01T00:00:00.000Z' }
    const { entities } = foldGraph([{ ...entity, summary: 'A friend.' }, later, { ...later, id: 'person:bo' }])
    expect([...entities.values()]).toEqual([
      { ...later, createdAt: AT },
      { ...later, id: 'person:bo' },
    ])
  })

  test('equals a linear scan, and the log of a fold folds to the same', () =>
    fc.assert(
      fc.property(fc.array(graphLines, { maxLength: 30 }), (lines) => {
        const state = foldGraph(lines)
        for (const { id } of lines.filter((line) => line.kind === 'entity')) {
          const all = lines.filter((line) => line.kind === 'entity').filter((line) => line.id === id)
          expect(state.entities.get(id)).toEqual({ ...all.at(-1), createdAt: all[0]?.createdAt })
        }
        const relations = lines.filter((line) => line.kind === 'relation')
        const isSame = (a: GraphRelation, b: GraphRelation): boolean =>
          a.src === b.src &&
          a.dst === b.dst &&
          a.relation === b.relation &&
          a.validFrom === b.validFrom &&
          a.validTo === b.validTo
        const firsts = relations.filter((line, index) => relations.findIndex((other) => isSame(line, other)) === index)
        expect(state.relations()).toEqual(
          firsts.map((first) => ({
            ...first,
            support: [
              ...new Set(relations.filter((line) => isSame(line, first)).flatMap(({ support }) => support)),
            ].sort(),
          })),
        )
        const associations = lines.filter((line) => line.kind === 'association')
        const key = (line: (typeof associations)[number]): string =>
          `${line.memoryId} ${line.entityId} ${line.provenance}`
        expect(state.associations()).toEqual(
          associations.filter((line, index) => associations.findIndex((other) => key(other) === key(line)) === index),
        )
        const again = foldGraph([...state.entities.values(), ...state.relations(), ...state.associations()])
        expect([...again.entities]).toEqual([...state.entities])
        expect(again.relations()).toEqual(state.relations())
        expect(again.associations()).toEqual(state.associations())
      }),
    ))
})
