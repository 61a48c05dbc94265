import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bulletDigest, formatBullet, newBullet, parseBullet, type Bullet } from '../../src/index.js'
import { bulletFields, bullets } from './arbitraries.js'

const CREATED = '2026-05-01T09:00:00.000Z'
const META = `  <!--mem id=r-1-1 type=note status=open salience=0.7 isInsight=0 created=${CREATED} refs= source_session=web%3Ab1f2-->`
/** Metadata with only what is required, and these tokens. */
const meta = (tokens: string): string => `  <!--mem id=r-1-1 created=${CREATED} ${tokens}-->`

function read(sentenceLine: string, metadataLine?: string, labelLines?: string[]): Bullet {
  const parsed = parseBullet(sentenceLine, metadataLine, labelLines)
  if (parsed.kind !== 'bullet') throw new Error(`expected a bullet, read ${parsed.kind}`)
  return parsed.bullet
}

describe('what is a bullet', () => {
  test.each([
    { name: 'a note', line: '- – Tea.', metadata: META, sentence: 'Tea.' },
    { name: 'an open task', line: '- [ ] Call Ana.', metadata: META, sentence: 'Call Ana.' },
    { name: 'the older one-line form', line: `- – Tea.  ${META.trim()}`, metadata: undefined, sentence: 'Tea.' },
    { name: 'one line with one space', line: `- – Tea. ${META.trim()}`, metadata: undefined, sentence: 'Tea.' },
    { name: 'one line with trailing space', line: `- – Tea.  ${META.trim()}  `, metadata: undefined, sentence: 'Tea.' },
    { name: 'metadata not indented', line: '- – Tea.', metadata: META.trim(), sentence: 'Tea.' },
    { name: 'metadata indented by a tab', line: '- – Tea.', metadata: `\t${META.trim()}`, sentence: 'Tea.' },
    { name: 'a lost marker', line: '- Tea.', metadata: META, sentence: 'Tea.' },
    { name: 'another list sign', line: '* – Tea.', metadata: META, sentence: 'Tea.' },
    { name: 'a sentence that looks like a task', line: '- – [x] Tea.', metadata: META, sentence: '[x] Tea.' },
    { name: 'a sentence that looks like a note', line: '- – – Tea.', metadata: META, sentence: '– Tea.' },
    { name: 'space around the sentence', line: '- –   Tea.\u00a0 ', metadata: META, sentence: 'Tea.' },
    { name: 'a comment of another kind', line: '- – Tea <!-- mem.', metadata: META, sentence: 'Tea <!-- mem.' },
  ])('reads $name', ({ line, metadata, sentence }) => {
    expect(read(line, metadata)).toMatchObject({
      id: 'r-1-1',
      sentence,
      createdAt: CREATED,
      conversationId: 'web:b1f2',
    })
  })

  test.each([
    { name: 'a plain list item', line: '- Call Ana.', metadata: undefined, parsed: { kind: 'prose' } },
    { name: 'an indented item', line: '  - – Tea.', metadata: META, parsed: { kind: 'prose' } },
    { name: 'a paragraph', line: 'Tea.', metadata: META, parsed: { kind: 'prose' } },
    { name: 'a heading', line: '# 2026-05-01', metadata: undefined, parsed: { kind: 'prose' } },
    {
      name: 'a task a person typed',
      line: '- [ ] Tea.',
      metadata: undefined,
      parsed: { kind: 'missing_identity', missing: 'id' },
    },
    {
      name: 'no id',
      line: '- – Tea.',
      metadata: `  <!--mem created=${CREATED}-->`,
      parsed: { kind: 'missing_identity', missing: 'id' },
    },
    {
      name: 'an empty comment',
      line: '- – Tea.',
      metadata: '  <!--mem-->',
      parsed: { kind: 'missing_identity', missing: 'id' },
    },
    {
      name: 'two ids',
      line: '- – Tea.',
      metadata: meta('id=r-2-1'),
      parsed: { kind: 'missing_identity', missing: 'id' },
    },
    {
      name: 'an empty id',
      line: '- – Tea.',
      metadata: `  <!--mem id= created=${CREATED}-->`,
      parsed: { kind: 'missing_identity', missing: 'id' },
    },
    {
      name: 'a comment that does not end',
      line: '- – Tea.',
      metadata: '  <!--mem id=r-1-1',
      parsed: { kind: 'missing_identity', missing: 'id' },
    },
    {
      name: 'text after the comment',
      line: `- – Tea. ${META.trim()} and more`,
      metadata: undefined,
      parsed: { kind: 'missing_identity', missing: 'id' },
    },
    {
      name: 'no created',
      line: '- – Tea.',
      metadata: '  <!--mem id=r-1-1-->',
      parsed: { kind: 'missing_identity', missing: 'created', id: 'r-1-1' },
    },
    {
      name: 'a created that is no instant',
      line: '- – Tea.',
      metadata: '  <!--mem id=r-1-1 created=2026-02-29T00:00:00Z-->',
      parsed: { kind: 'missing_identity', missing: 'created', id: 'r-1-1' },
    },
    {
      name: 'no sentence',
      line: '- – ',
      metadata: META,
      parsed: { kind: 'missing_identity', missing: 'sentence', id: 'r-1-1' },
    },
    {
      name: 'nothing but a marker',
      line: '- –',
      metadata: META,
      parsed: { kind: 'missing_identity', missing: 'sentence', id: 'r-1-1' },
    },
    {
      name: 'a zero-width space',
      line: '- – a\u200bb',
      metadata: META,
      parsed: { kind: 'invalid_sentence', fault: 'invisible_character', id: 'r-1-1' },
    },
    {
      name: '2,049 bytes',
      line: `- – ${'a'.repeat(2049)}`,
      metadata: META,
      parsed: { kind: 'invalid_sentence', fault: 'too_long', id: 'r-1-1' },
    },
  ])('does not take $name for one', ({ line, metadata, parsed }) => {
    expect(parseBullet(line, metadata)).toEqual(parsed)
  })
})

describe('markers', () => {
  test.each([
    { type: 'task', status: 'open', marker: '[ ]' },
    { type: 'event', status: 'open', marker: '◦' },
    { type: 'note', status: 'open', marker: '–' },
    { type: 'task', status: 'done', marker: '[x]' },
    { type: 'event', status: 'migrated', marker: '[>]' },
    { type: 'task', status: 'scheduled', marker: '[<]' },
    { type: 'note', status: 'dropped', marker: '[~]' },
    { type: 'note', status: 'invalidated', marker: '[~]' },
  ] as const)('$type, $status is written $marker and read from the metadata', ({ type, status, marker }) => {
    const lines = formatBullet(newBullet({ id: 'r-1-1', sentence: 'Tea.', createdAt: CREATED, type, status }))
    expect(lines[0]).toBe(`- ${marker} Tea.`)
    expect(read(lines[0] as string, lines[1])).toMatchObject({ type, status })
    expect(read('- [<] Tea.', lines[1]), 'the metadata wins').toMatchObject({ type, status })
  })

  test.each([
    { marker: '[ ] ', type: 'task', status: 'open' },
    { marker: '[x] ', type: 'task', status: 'done' },
    { marker: '[X] ', type: 'task', status: 'done' },
    { marker: '[>] ', type: 'task', status: 'migrated' },
    { marker: '[<] ', type: 'task', status: 'scheduled' },
    { marker: '[~] ', type: 'task', status: 'dropped' },
    { marker: '◦ ', type: 'event', status: 'open' },
    { marker: '– ', type: 'note', status: 'open' },
    { marker: '', type: 'note', status: 'open' },
  ])('"$marker" speaks where the metadata is silent', ({ marker, type, status }) => {
    expect(read(`- ${marker}Tea.`, meta('x=1'))).toMatchObject({ type, status })
    expect(read(`- ${marker}Tea.`, meta('status=frozen type=song')), 'or malformed').toMatchObject({ type, status })
  })
})

describe('optional values: malformed or duplicated reads as unknown, and stays', () => {
  const long = (bytes: number): string => 'a'.repeat(bytes)
  test.each([
    {
      key: 'speaker',
      field: 'speaker',
      good: 'Zo%C3%AB',
      value: 'Zoë',
      bad: ['', '%', '%FF', 'a%0Ab', 'a%E2%80%8Bb', '%20a', long(129)],
    },
    { key: 'speaker', field: 'speaker', good: long(128), value: long(128), bad: [`${'%C3%AB'.repeat(64)}a`] },
    { key: 'source_session', field: 'conversationId', good: 'a%20b%0A', value: 'a b\n', bad: ['', '%', '%ED%A0%80'] },
    { key: 'source_session', field: 'conversationId', good: long(512), value: long(512), bad: [long(513)] },
    {
      key: 'due',
      field: 'dueAt',
      good: '2026-05-01',
      value: '2026-05-01',
      bad: ['', 'tomorrow', '2026-13-01', '2026-05'],
    },
    {
      key: 'due',
      field: 'dueAt',
      good: '2026-05-01T00:00:00+02:00',
      value: '2026-04-30T22:00:00.000Z',
      bad: ['2026-05-01T00:00:00'],
    },
    { key: 'occurred', field: 'occurredAt', good: CREATED, value: CREATED, bad: ['2026-05-01', '1'] },
    { key: 'attribution', field: 'attribution', good: 'document', value: 'document', bad: ['me', 'Document', ''] },
    { key: 'replaceable', field: 'replaceable', good: '1', value: true, bad: ['true', '2', ''] },
    { key: 'rev', field: 'rev', good: 'r-9', value: 'r-9', bad: ['', long(201), 'ré'] },
    {
      key: 'content_id',
      field: 'contentId',
      good: '0123456789abcdef'.repeat(4),
      value: '0123456789abcdef'.repeat(4),
      bad: ['', long(63), long(65), 'A'.repeat(64), 'g'.repeat(64), `${long(63)}%61`],
    },
  ])('$key=$good', ({ key, field, good, value, bad }) => {
    expect(read('- – Tea.', meta(`${key}=${good}`))).toHaveProperty(field, value)
    for (const raw of [...bad.map((text) => `${key}=${text}`), key, `${key}=${good} ${key}=${good}`]) {
      const bullet = read('- – Tea.', meta(`a=1 ${raw} b=2`))
      expect(bullet, raw).not.toHaveProperty(field)
      expect(formatBullet(bullet)[1], 'its text stays').toBe(meta(`a=1 ${raw} b=2`))
    }
  })

  test.each([
    { tokens: 'salience=0', salience: 0 },
    { tokens: 'salience=1', salience: 1 },
    { tokens: 'salience=.25', salience: 0.25 },
    { tokens: 'salience=0.70004', salience: 0.7 },
    { tokens: 'salience=1.01', salience: 0.5 },
    { tokens: 'salience=-0.1', salience: 0.5 },
    { tokens: 'salience=1e-3', salience: 0.5 },
    { tokens: 'salience=', salience: 0.5 },
    { tokens: 'salience=0.1 salience=0.9', salience: 0.5 },
    { tokens: 'x=1', salience: 0.5 },
  ])('$tokens is a salience of $salience', ({ tokens, salience }) => {
    expect(read('- – Tea.', meta(tokens))).toMatchObject({ salience })
  })

  test('refs are split at commas; one that is not plain ASCII makes all unknown', () => {
    expect(read('- – Tea.', meta('refs=r-1,r-2')).refs).toEqual(['r-1', 'r-2'])
    expect(read('- – Tea.', meta('refs=')).refs).toEqual([])
    expect(read('- – Tea.', meta('refs=a,,b')).refs).toEqual([])
    expect(read('- – Tea.', meta('refs=ä')).refs).toEqual([])
  })
})

test('a bullet is written in two lines, in the order of keys of the specification', () => {
  const bullet = newBullet({
    id: 'r-5f3c-2',
    sentence: 'Morgan prefers green tea.',
    salience: 0.7,
    createdAt: '2026-05-01T11:00:00+02:00',
    conversationId: 'web:b1f2',
    rev: 'r-77-1',
    contentId: 'c0'.repeat(32),
    replaceable: true,
    attribution: 'user-stated',
    speaker: 'Zoë & co',
    occurredAt: '2026-04-30T09:00:00Z',
    dueAt: '2026-06-01',
    refs: ['r-1-1'],
  })
  expect(formatBullet(bullet)).toEqual([
    '- – Morgan prefers green tea.',
    '  <!--mem id=r-5f3c-2 type=note status=open salience=0.7 isInsight=0 created=2026-05-01T09:00:00.000Z refs=r-1-1 due=2026-06-01 occurred=2026-04-30T09:00:00.000Z speaker=Zo%C3%AB%20%26%20co attribution=user-stated replaceable=1 rev=r-77-1 content_id=c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0 source_session=web%3Ab1f2-->',
  ])
})

test('unknown keys, double spaces and bare tokens come out in the order in which they went in', () => {
  const line = meta('zeta=1 type=note  alpha=%%% bare status=open x=a=b ')
  expect(formatBullet(read('- – Tea.', line))[1]).toBe(line)
})

test('a formatted bullet parses back the same', () =>
  fc.assert(
    fc.property(bullets, (bullet) => {
      const [sentenceLine, metadataLine, ...labelLines] = formatBullet(bullet)
      expect(parseBullet(sentenceLine as string, metadataLine, labelLines)).toEqual({ kind: 'bullet', bullet })
    }),
  ))

test('a bullet has the fields it was made of', () =>
  fc.assert(
    fc.property(bulletFields, (fields) => {
      expect(newBullet(fields)).toMatchObject(fields)
    }),
  ))

test('the older one-line form reads as the same bullet', () =>
  fc.assert(
    fc.property(bullets, (bullet) => {
      const [sentenceLine, metadataLine, ...labelLines] = formatBullet(bullet)
      const oneLine = `${sentenceLine}  ${metadataLine?.trim()}`
      expect(parseBullet(oneLine, undefined, labelLines)).toEqual({ kind: 'bullet', bullet })
    }),
  ))

test('whatever two lines hold, a bullet read from them is written in lines that read back the same', () =>
  fc.assert(
    fc.property(
      fc.constantFrom('- – ', '- ', '- [x] ', '* ◦ ', ''),
      fc.string({ unit: 'binary' }),
      fc.array(
        fc.constantFrom('id=r-1', 'created=2026-05-01T09:00:00Z', 'status=done', 'x', '', 'due=1', 'speaker=%'),
        { maxLength: 8 },
      ),
      (marker, text, tokens) => {
        const parsed = parseBullet(marker + text, `  <!--mem ${tokens.join(' ')}-->`)
        if (parsed.kind !== 'bullet') return
        const [sentenceLine, metadataLine] = formatBullet(parsed.bullet)
        expect(parseBullet(sentenceLine as string, metadataLine)).toEqual(parsed)
      },
    ),
  ))

test('a digest names the lines: it changes with every field and not with where they were read', () => {
  const bullet = read('- – Tea.', META)
  expect(bulletDigest(bullet)).toMatch(/^[0-9a-f]{64}$/)
  expect(bulletDigest(read(`* [x] Tea.   ${META.trim()}`))).toBe(bulletDigest(bullet))
  expect(bulletDigest(read('- – Teas.', META))).not.toBe(bulletDigest(bullet))
  expect(bulletDigest(read('- – Tea.', META.replace('refs=', 'refs= new=1')))).not.toBe(bulletDigest(bullet))
  expect(bulletDigest(read('- – Tea.', META, ['  <!--label ?-->']))).not.toBe(bulletDigest(bullet))
})
