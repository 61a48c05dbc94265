import { describe, expect, test } from 'vitest'
import { MAX_COMPLETION_UNITS } from '../../../src/capture/contract/bounds.js'
import {
  CONTEXT,
  ENTRIES,
  extract,
  LINES,
  reconcile,
  review,
  validExtraction,
  validReconcile,
  validReview,
} from './answers.js'
import { parseExtraction } from '../../../src/capture/contract/parse-extraction.js'
import { parseReconcile } from '../../../src/capture/contract/parse-reconcile.js'
import { parseReview } from '../../../src/capture/contract/parse-review.js'

const compact = JSON.stringify(validExtraction())
const pretty = JSON.stringify(validExtraction(), undefined, 2)

describe('what surrounds an answer and is set aside', () => {
  test.each([
    ['nothing', compact],
    ['white space', ` \r\n\t${compact}\n\n`],
    ['line breaks within', pretty],
    ['a fence', `\`\`\`\n${pretty}\n\`\`\``],
    ['a json fence', `\`\`\`json\n${pretty}\n\`\`\``],
    ['a fence on the same line', `\`\`\`${compact}\`\`\``],
    ['white space around a fence', `\n\n\`\`\`json  \r\n${pretty}\r\n\`\`\`\n`],
    ['a think block', `<think>The user moved. {"memories": [}</think>${compact}`],
    ['an empty think block', `<think>\n\n</think>\n\n${compact}`],
    ['a think block that names itself', `<think>a <think> b</think>${compact}`],
    ['a think block with a fence in it', `<think>\`\`\`json\n{}\n\`\`\`</think>\n${compact}`],
    ['a think block, then a fence', `<think>hm</think>\n\`\`\`json\n${pretty}\n\`\`\``],
    ['as much white space as a completion may hold', compact.padEnd(MAX_COMPLETION_UNITS)],
  ])('%s', (_, completion) => {
    expect(extract(completion)).toEqual(validExtraction())
  })

  test.each([
    ['review', () => review(`<think>hm</think>\`\`\`json\n${JSON.stringify(validReview())}\n\`\`\``), validReview()],
    ['reconcile', () => reconcile(`\`\`\`\n${JSON.stringify(validReconcile())}\n\`\`\``), validReconcile()],
  ])('of a %s answer too', (_, parse, valid) => {
    expect(parse()).toEqual(valid.decisions)
  })
})

describe('an extraction at its bounds', () => {
  const memory = { ...validExtraction().memories[1]!, entities: [] as string[], labels: [] as unknown[] }
  const empty = { memories: [] as unknown[], entities: [] as unknown[], relations: [] as unknown[] }
  const orgs = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ id: `org:o${at}`, name: `O${at}`, type: 'org' }))
  const preference = { kind: 'preference', scope: 'conversation', quote: 'said by nobody' }

  test.each([
    ['nothing at all', empty],
    ['eight memories', { ...empty, memories: Array.from({ length: 8 }, () => memory) }],
    ['salience 0', { ...empty, memories: [{ ...memory, salience: 0 }] }],
    ['salience 1', { ...empty, memories: [{ ...memory, salience: 1 }] }],
    ['text of 2,048 bytes', { ...empty, memories: [{ ...memory, text: 'a'.repeat(2_048) }] }],
    ['eight entities of a memory', { ...empty, memories: [{ ...memory, entities: orgs(8).map(({ id }) => id) }], entities: orgs(8) }], // prettier-ignore
    ['six labels, one that no text supports', { ...empty, memories: [{ ...memory, labels: Array.from({ length: 6 }, () => preference) }] }], // prettier-ignore
    ['sixteen entities that nothing names', { ...empty, entities: orgs(16) }],
    ['a name of 160 characters', { ...empty, entities: [{ id: 'org:a', name: '𝒜'.repeat(160), type: 'org' }] }],
    ['a summary of 512 bytes', { ...empty, entities: [{ id: 'org:a', name: 'A', type: 'org', summary: 'a'.repeat(512) }] }], // prettier-ignore
    ['sixteen relations', { memories: [memory], entities: orgs(2), relations: Array.from({ length: 16 }, () => ({ src: 'org:o0', relation: 'owns', dst: 'org:o1', memories: [0] })) }], // prettier-ignore
    ['the owner without a declaration', { ...empty, memories: [{ ...memory, entities: ['person:owner'] }] }],
    ['an id in another script', { ...empty, entities: [{ id: 'place:київ', name: 'Київ', type: 'place' }] }],
    ['a validity of one day', { ...empty, memories: [{ ...memory, validFrom: '2026-09-08', validTo: '2026-09-08' }] }],
    ['a validity from noon until the end of that day', { ...empty, memories: [{ ...memory, validFrom: '2026-09-08T12:00:00Z', validTo: '2026-09-08' }] }], // prettier-ignore
  ])('%s', (_, answer) => {
    expect(extract(JSON.stringify(answer))).toEqual(answer)
  })

  test('a quote of 1,024 bytes, where it was said', () => {
    const quote = 'a'.repeat(1_024)
    const answer = { ...empty, memories: [{ ...memory, quote }] }
    expect(extract(JSON.stringify(answer), { turnTexts: ['b', `so: ${quote}`] })).toEqual(answer)
  })

  test('what an answer says of the owner is set aside', () => {
    const owner = { id: 'person:owner', name: 'Mallory', type: 'person' }
    expect(extract(JSON.stringify({ ...empty, entities: [owner, ...orgs(1)] })).entities).toEqual(orgs(1))
  })

  test.each(['planned', 'pending', 'done', 'abandoned'])('intention %s where they are on', (intentState) => {
    const answer = { ...empty, memories: [{ ...memory, intentState }] }
    expect(extract(JSON.stringify(answer), { intentLifecycle: true })).toEqual(answer)
  })
})

describe('a quote is found', () => {
  const memoryWith = (quote: string, text = 'Ana started at Acme.') => ({
    ...validExtraction(),
    memories: [{ ...validExtraction().memories[1]!, quote, text }],
    relations: [],
  })
  test.each([
    ['over a line break', 'at Acme. I prefer tea.', undefined],
    ['with the line break', 'at Acme.\nI prefer tea.', undefined],
    ['with a tab', 'tea.\tThe flat', undefined],
    ['in another normal form', '62 m2', undefined],
    ['with a comment delimiter', 'The flat <!--mem is', undefined],
    ['with a Latin name in Russian', 'Я купил MacBook Pro', 'Пользователь купил MacBook Pro.'],
  ])('%s', (_, quote, text) => {
    expect(extract(JSON.stringify(memoryWith(quote, text))).memories[0]?.quote).toBe(quote)
  })

  test('though the turn holds marks that are not seen', () => {
    const text = 'גרתי \u200Fבחיפה\u200B עד 2020'
    const answer = JSON.stringify(memoryWith('גרתי בחיפה עד', 'הוא גר בחיפה.'))
    expect(parseExtraction(answer, { ...CONTEXT, turnTexts: [text] }).memories).toHaveLength(1)
  })

  test('in any script where the language is fixed', () => {
    const answer = JSON.stringify(memoryWith('Я купил MacBook Pro', 'The user bought a computer.'))
    expect(extract(answer, { language: 'English' }).memories).toHaveLength(1)
  })
})

test('an answer about no lines has no decisions', () => {
  expect(parseReview('{"decisions":[]}', [])).toEqual([])
  expect(parseReconcile('{"decisions":[]}', [], 'speaker')).toEqual([])
})

test('a line may always be kept, and a memory always be added', () => {
  const kept = LINES.map(({ index }) => ({ index, action: 'keep' }))
  expect(review(JSON.stringify({ decisions: kept }))).toEqual(kept)
  const added = ENTRIES.map((_, index) => ({ index, action: 'ADD' }))
  expect(reconcile(JSON.stringify({ decisions: added }))).toEqual(added)
})
